package eval

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

// Target is a judged or ranked section. Only manual, path and start line
// identify it.
type Target struct {
	ManualID  string  `json:"manual_id"`
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	Heading   string  `json:"heading,omitempty"`
	Grade     float64 `json:"grade,omitempty"`
	EndLine   int     `json:"end_line,omitempty"` // of a judged section, 0 where it is not known
}

// Query is one judged query.
type Query struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	ManualID string   `json:"scope_manual_id"` // where to search when scope is asked for
	Relevant []Target `json:"relevant"`
	Answers  []string `json:"answers"` // texts of which each answers the query; may be empty
	// Exclude lists files that are left out of the ranking before it is measured.
	Exclude []Target `json:"exclude"`
	// Kinds are the types that the query is reported under.
	Kinds []string `json:"-"`
}

// line is a query as a file holds it: its types go by several names.
type line struct {
	Query
	Kind         words `json:"kind"`
	QuestionType words `json:"question_type"`
	Type         words `json:"type"`
	Verbatim     *bool `json:"verbatim"`
	// Irrelevant sections are what a search should not find first; they count as any that is not relevant.
	Irrelevant []Target `json:"irrelevant"`
}

// maxLine bounds one query line.
const maxLine = 4 << 20

// ReadQueries reads one JSON object a line; blank lines are skipped, and so are queries of which only irrelevant
// sections are known: nothing can be measured on them. An error names the line. A target without a grade counts 1;
// a query without an id is called after its line.
func ReadQueries(r io.Reader) ([]Query, error) {
	var out []Query
	seen := make(map[string]int)
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	for n := 1; scanner.Scan(); n++ {
		line := bytes.TrimSpace(scanner.Bytes())
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // which editors on Windows put before the text
		}
		if len(line) == 0 {
			continue
		}
		q, err := readQuery(line)
		if errors.Is(err, errIrrelevant) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if q.ID == "" {
			q.ID = fmt.Sprintf("line %d", n)
		}
		if first, twice := seen[q.ID]; twice {
			return nil, fmt.Errorf("line %d: the id %q stands on line %d already", n, q.ID, first)
		}
		seen[q.ID] = n
		out = append(out, q)
	}
	return out, scanner.Err()
}

// ReadQueryFile reads the judged queries of a file, which must hold one.
func ReadQueryFile(path string) ([]Query, error) {
	return records(path, "queries", "query", ReadQueries)
}

// records reads the records of a file, of which there must be one.
func records[T any](path, all, one string, read func(io.Reader) ([]T, error)) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", all, err)
	}
	defer f.Close()
	records, err := read(f)
	if err == nil && len(records) == 0 {
		err = fmt.Errorf("it holds no %s", one)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return records, nil
}

// errIrrelevant says that of a query only irrelevant sections are known.
var errIrrelevant = errors.New("no section is known to be relevant")

func readQuery(src []byte) (Query, error) {
	var l line
	if err := json.Unmarshal(src, &l); err != nil {
		if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // it would name types of Go
			field := cmp.Or(strings.TrimPrefix(bad.Field, "Query."), "a query")
			return Query{}, fmt.Errorf("%s cannot be a JSON %s", field, bad.Value)
		}
		return Query{}, err
	}
	q := l.Query
	if q.Query != "" && len(q.Relevant) == 0 && len(l.Irrelevant) > 0 {
		return Query{}, errIrrelevant
	}
	if q.Query == "" || len(q.Relevant) == 0 {
		return Query{}, fmt.Errorf("a query needs \"query\" and at least one \"relevant\"")
	}
	for i := range q.Relevant {
		switch grade := &q.Relevant[i].Grade; {
		case *grade == 0:
			*grade = 1
		case *grade < 0 || *grade > maxGrade:
			return Query{}, fmt.Errorf("the grade %v is not from 0 to %d", *grade, maxGrade)
		}
	}
	q.Kinds = l.kinds()
	return q, nil
}

// maxGrade keeps gains, which are powers of two, within bounds.
const maxGrade = 30

// Within returns the manual to search, "" for all: with scope the one that the query names.
func (q *Query) Within(scope bool) string {
	if scope {
		return q.ManualID
	}
	return ""
}

// Is reports whether both are one section.
func (t Target) Is(u Target) bool {
	return t.ManualID == u.ManualID && t.Path == u.Path && t.StartLine == u.StartLine
}

func (t Target) file() string { return path.Join(t.ManualID, t.Path) }

func (t Target) section() string { return fmt.Sprintf("%s#L%d", t.file(), t.StartLine) }

// words is a JSON string or a list of them.
type words []string

// UnmarshalJSON implements [json.Unmarshaler].
func (w *words) UnmarshalJSON(src []byte) error {
	var one *string
	if json.Unmarshal(src, &one) == nil {
		if one != nil {
			*w = words{*one}
		}
		return nil
	}
	if json.Unmarshal(src, (*[]string)(w)) != nil {
		return errors.New("a query's type must be a text or a list of texts")
	}
	return nil
}

// kinds returns the types that a line gives, each once.
func (l *line) kinds() []string {
	all := slices.Concat(l.Kind, l.QuestionType, l.Type)
	if l.Verbatim != nil {
		all = append(all, map[bool]string{true: "verbatim", false: "not verbatim"}[*l.Verbatim])
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact([]string(all)), func(s string) bool { return s == "" })
}
