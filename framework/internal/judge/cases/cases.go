package cases

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/sdk"
)

// Case is a query with sections and what a judgement of them must find.
type Case struct {
	ID        string
	Lang      string
	Kind      string // conflict/…, gap/… or clean/…
	Query     sdk.Query
	Evidences []section.Section
	Conflicts [][2]int // evidences that contradict each other on what the query asks, by index, ascending
	Gaps      []string // terms or needs
}

// record is a case in its file. The text of a section starts on the line after its heading.
type record struct {
	ID       string `json:"id"`
	Lang     string `json:"lang"`
	Kind     string `json:"kind"`
	Query    string `json:"query"`
	Sections []struct {
		ManualID string `json:"manual_id"`
		Path     string `json:"path"`
		Start    int    `json:"start_line"`
		Heading  string `json:"heading"`
		Text     string `json:"text"`
	} `json:"sections"`
	Expect struct {
		Conflicts [][2]int `json:"conflicts"`
		Gaps      []string `json:"gaps"`
	} `json:"expect"`
}

// longest is the maximum number of bytes of a line.
const longest = 1 << 20

// Read reads cases, one JSON object a line. plan turns a query into terms.
func Read(in io.Reader, plan func(string) sdk.Query) ([]Case, error) {
	var out []Case
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longest)
	for n := 1; lines.Scan(); n++ {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("case on line %d: %w", n, err)
		}
		c := Case{
			ID: r.ID, Lang: r.Lang, Kind: r.Kind, Query: plan(r.Query), Conflicts: r.Expect.Conflicts,
			Gaps: r.Expect.Gaps,
		}
		for _, s := range r.Sections {
			c.Evidences = append(c.Evidences, section.Section{
				ManualID: s.ManualID, Path: s.Path, StartLine: s.Start, TextLine: s.Start + 1, Heading: s.Heading,
				Text: s.Text,
			})
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	return out, nil
}

// Groups returns the names of the sums that the case counts in: all cases, its language, its kind, and its kind in its
// language ("ja conflict/number").
func (c *Case) Groups() [4]string { return [...]string{"all", c.Lang, c.Kind, c.Lang + " " + c.Kind} }

// Tally counts right, wrong and missed findings.
type Tally struct {
	Right  int `json:"right"`
	Wrong  int `json:"wrong"`
	Missed int `json:"missed"`
}

// Precision returns the share of findings that are right, or 1 without findings.
func (t Tally) Precision() float64 { return ratio(t.Right, t.Wrong) }

// Recall returns the share of expected findings that were made, or 1 if none were expected.
func (t Tally) Recall() float64 { return ratio(t.Right, t.Missed) }

func ratio(right, other int) float64 {
	if right+other == 0 {
		return 1
	}
	return float64(right) / float64(right+other)
}

// Add adds another tally.
func (t *Tally) Add(u Tally) {
	t.Right += u.Right
	t.Wrong += u.Wrong
	t.Missed += u.Missed
}
