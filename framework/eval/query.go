package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path"
)

// Target is a judged section. Only manual, path and start line identify it.
type Target struct {
	ManualID  string  `json:"manual_id"`
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	Grade     float64 `json:"grade"`
}

// Query is one line of a query file.
type Query struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	Lang     string   `json:"lang"`
	Kind     string   `json:"kind"`
	ManualID string   `json:"scope_manual_id"` // where to search when scope is asked for
	Relevant []Target `json:"relevant"`
	// Exclude lists files that are left out of the ranking before it is measured.
	Exclude []Target `json:"exclude"`
}

// maxLine bounds one query line.
const maxLine = 4 << 20

// ReadQueries reads one JSON object a line; blank lines are skipped. An error
// names the line. A target without a grade counts 1.
func ReadQueries(r io.Reader) ([]Query, error) {
	var out []Query
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	for line := 1; scanner.Scan(); line++ {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		var q Query
		if err := json.Unmarshal(scanner.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if q.Query == "" || len(q.Relevant) == 0 {
			return nil, fmt.Errorf("line %d: a query needs \"query\" and at least one \"relevant\"", line)
		}
		for i := range q.Relevant {
			if q.Relevant[i].Grade == 0 {
				q.Relevant[i].Grade = 1
			}
		}
		out = append(out, q)
	}
	return out, scanner.Err()
}

func (t Target) file() string { return path.Join(t.ManualID, t.Path) }

func (t Target) section() string { return fmt.Sprintf("%s#L%d", t.file(), t.StartLine) }
