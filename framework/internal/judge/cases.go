package judge

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/sdk"
)

// Case is a query with texts and what a judgement of them must find.
type Case struct {
	ID       string        `json:"id"`
	Lang     string        `json:"lang"`
	Kind     string        `json:"kind"` // conflict/…, gap/… or clean/…
	Query    string        `json:"query"`
	Sections []CaseSection `json:"sections"`
	Expect   Expectation   `json:"expect"`
}

// CaseSection is a section of a case; its text starts on the line after the heading.
type CaseSection struct {
	ManualID string `json:"manual_id"`
	Path     string `json:"path"`
	Start    int    `json:"start_line"`
	Heading  string `json:"heading"`
	Text     string `json:"text"`
}

// Expectation is what holds of a case.
type Expectation struct {
	Conflicts [][2]int `json:"conflicts"` // sections by index, ascending
	Gaps      []string `json:"gaps"`      // terms or needs
}

// longestCase bounds the bytes of a line.
const longestCase = 1 << 20

// ReadCases reads cases, one JSON object a line.
func ReadCases(in io.Reader) ([]Case, error) {
	var out []Case
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestCase)
	for n := 1; lines.Scan(); n++ {
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("case on line %d: %w", n, err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read cases: %w", err)
	}
	return out, nil
}

// Input makes the case what Build reads. plan turns the query into terms.
func (c *Case) Input(plan func(string) sdk.Query) Input {
	in := Input{Query: plan(c.Query), Answers: new(answer.Judge)}
	for i, s := range c.Sections {
		in.Evidences = append(in.Evidences, Evidence{
			ManualID: s.ManualID, Path: s.Path, StartLine: s.Start, TextLine: s.Start + 1,
			EndLine: s.Start + strings.Count(s.Text, "\n"), Heading: s.Heading, Text: s.Text,
			Score: 1 / float64(i+1),
		})
	}
	return in
}

// Tally counts what was found rightly, wrongly and not at all.
type Tally struct {
	Right  int `json:"right"`
	Wrong  int `json:"wrong"`
	Missed int `json:"missed"`
}

// Precision is the share of what was found that is right, 1 when nothing was found.
func (t Tally) Precision() float64 { return ratio(t.Right, t.Wrong) }

// Recall is the share of what was to be found that was, 1 when there was nothing.
func (t Tally) Recall() float64 { return ratio(t.Right, t.Missed) }

func ratio(right, other int) float64 {
	if right+other == 0 {
		return 1
	}
	return float64(right) / float64(right+other)
}

func (t *Tally) add(u Tally) {
	t.Right += u.Right
	t.Wrong += u.Wrong
	t.Missed += u.Missed
}

// Score is how a judgement fared on one case.
type Score struct {
	Conflicts Tally `json:"conflicts"`
	Gaps      Tally `json:"gaps"`
}

func (s *Score) add(t Score) {
	s.Conflicts.add(t.Conflicts)
	s.Gaps.add(t.Gaps)
}

// Score compares a graph with what is expected. A row of gaps counts once.
func (c *Case) Score(g *Graph) Score {
	var s Score
	var found [][2]int
	for _, x := range g.Conflicts {
		pair := [2]int{index(x.A.EvidenceID), index(x.B.EvidenceID)}
		slices.Sort(pair[:])
		found = append(found, pair)
	}
	for _, pair := range found {
		if slices.Contains(c.Expect.Conflicts, pair) {
			s.Conflicts.Right++
		} else {
			s.Conflicts.Wrong++
		}
	}
	s.Conflicts.Missed = len(c.Expect.Conflicts) - s.Conflicts.Right
	met := make(map[string]bool)
	for _, gap := range g.Gaps {
		hit := false
		for _, want := range c.Expect.Gaps {
			if gap.names(want) {
				hit, met[want] = true, true
			}
		}
		if !hit {
			s.Gaps.Wrong++
		}
	}
	s.Gaps.Right, s.Gaps.Missed = len(met), len(c.Expect.Gaps)-len(met)
	return s
}

// index is the place of an evidence in its graph.
func index(id string) int {
	n := 0
	for _, c := range id[1:] {
		n = 10*n + int(c-'0')
	}
	return n - 1
}

// names reports whether a gap is of the term, need or facet that is meant.
func (g *Gap) names(want string) bool {
	if g.Need == want || g.Need == "" && string(g.Facet) == want {
		return true
	}
	return g.Need == "" && slices.ContainsFunc(g.Missing, func(term string) bool {
		return strings.Contains(term, want) || strings.Contains(want, term)
	})
}

// ScoreCases judges cases and sums the scores up: over all under "all", per
// language, per kind, and per language and kind ("ja conflict/number").
func ScoreCases(ctx context.Context, cases []Case, plan func(string) sdk.Query) (map[string]Score, error) {
	out := make(map[string]Score)
	for i := range cases {
		c := &cases[i]
		g, err := Build(ctx, c.Input(plan))
		if err != nil {
			return nil, err
		}
		one := c.Score(g)
		for _, key := range [...]string{"all", c.Lang, c.Kind, c.Lang + " " + c.Kind} {
			sum := out[key]
			sum.add(one)
			out[key] = sum
		}
	}
	return out, nil
}
