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
	EndLine   int     `json:"end_line,omitempty"` // of a judged section, 0 if unknown
}

// Query is one judged query.
type Query struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	ManualID string   `json:"scope_manual_id"` // where to search if scope is set
	Relevant []Target `json:"relevant"`
	Answers  []string `json:"answers"` // alternative answers; may be empty
	// Exclude lists files that are left out of the ranking before it is measured.
	Exclude []Target `json:"exclude"`
	// Kinds are the types that the query is reported under.
	Kinds []string `json:"-"`
}

// line is a query in a file, in which its types have several names.
type line struct {
	Query
	Kind         words `json:"kind"`
	QuestionType words `json:"question_type"`
	Type         words `json:"type"`
	Verbatim     *bool `json:"verbatim"`
	// Irrelevant sections are what a search should not find first; they count like any section that is not relevant.
	Irrelevant []Target `json:"irrelevant"`
}

// maxLine is the maximum length of a query line.
const maxLine = 4 << 20

// ReadQueries reads one JSON object per line. It skips blank lines, and queries with only irrelevant sections, on which
// nothing can be measured. An error names the line. A target without a grade has grade 1; a query without an id is
// named after its line.
func ReadQueries(r io.Reader) ([]Query, error) {
	var out []Query
	seen := make(map[string]int)
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	n := 1
	for ; scanner.Scan(); n++ {
		line := bytes.TrimSpace(scanner.Bytes())
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // editors on Windows write it before the text
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
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return out, nil
}

// ReadQueryFile reads the judged queries of a file, at least one.
func ReadQueryFile(path string) ([]Query, error) {
	return records(path, "queries", "query", ReadQueries)
}

// records reads the records of a file, at least one.
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

// errIrrelevant reports that only irrelevant sections of a query are known.
var errIrrelevant = errors.New("no section is known to be relevant")

func readQuery(src []byte) (Query, error) {
	var l line
	if err := json.Unmarshal(src, &l); err != nil {
		if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // the original error names Go types
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

// maxGrade keeps gains, which are powers of two, finite.
const maxGrade = 30

// Within returns the manual to search, or "" for all: with scope, the one that the query names.
func (q *Query) Within(scope bool) string {
	if scope {
		return q.ManualID
	}
	return ""
}

// Is reports whether both are the same section.
func (t Target) Is(u Target) bool {
	return t.ManualID == u.ManualID && t.Path == u.Path && t.StartLine == u.StartLine
}

func (t Target) file() string { return path.Join(t.ManualID, t.Path) }

func (t Target) section() string { return fmt.Sprintf("%s#L%d", t.file(), t.StartLine) }

// words is a JSON string or a list of strings.
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

// kinds returns the types in a line, each once.
func (l *line) kinds() []string {
	all := slices.Concat(l.Kind, l.QuestionType, l.Type)
	if l.Verbatim != nil {
		all = append(all, map[bool]string{true: "verbatim", false: "not verbatim"}[*l.Verbatim])
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact([]string(all)), func(s string) bool { return s == "" })
}
