package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
)

// judgement is the report of eval --judge.
type judgement struct {
	File   string          `json:"cases_file"`
	Cases  int             `json:"cases"`
	Scores []judgementPart `json:"scores"`
}

// judgementPart is how the cases of a language or kind, or of both, were judged.
type judgementPart struct {
	Name      string          `json:"name"`
	Conflicts judgementRate   `json:"conflicts"`
	Tensions  tension.Figures `json:"tensions"`
	Gaps      judgementRate   `json:"gaps"`
}

type judgementRate struct {
	cases.Tally
	Precision *float64 `json:"precision"` // null when nothing was found
	Recall    *float64 `json:"recall"`    // null when there was nothing to find
}

// runEvalJudge judges the cases of a file as a search would and measures that.
func runEvalJudge(ctx context.Context, w io.Writer, o *evalOptions) error {
	threshold := search.DefaultSettings().MatchThreshold
	all, err := readRecords(o.Judge, "cases", "case", func(in io.Reader) ([]cases.Case, error) {
		return cases.Read(in, func(query string) sdk.Query { return search.Plan(query, threshold) })
	})
	if err != nil {
		return err
	}
	scores, err := judge.ScoreCases(ctx, all)
	if err != nil {
		return err
	}
	tensions, err := tension.Measure(ctx, all)
	if err != nil {
		return err
	}
	j := judgement{File: o.Judge, Cases: len(all)}
	for _, name := range slices.SortedStableFunc(slices.Values(sortedKeys(scores)), byGenerality) {
		t := tensions[name]
		j.Scores = append(j.Scores, judgementPart{name, rateOf(t.Tally), t.Figures(), rateOf(scores[name].Gaps)})
	}
	return printResult(w, o.JSON, &j, printJudgement)
}

// byGenerality orders the names of scores: all cases, then languages, kinds, and kinds of a language.
func byGenerality(a, b string) int {
	depth := func(name string) int { return 2*strings.Count(name, " ") + strings.Count(name, "/") }
	return depth(a) - depth(b)
}

func rateOf(t cases.Tally) judgementRate {
	r := judgementRate{Tally: t}
	if t.Right+t.Wrong > 0 {
		r.Precision = new(t.Precision())
	}
	if t.Right+t.Missed > 0 {
		r.Recall = new(t.Recall())
	}
	return r
}

func printJudgement(w io.Writer, j *judgement) error {
	t := table{w: w, style: styleFor(w)}
	for _, part := range [...]struct {
		title string
		of    func(judgementPart) judgementRate
	}{
		{"conflicts", func(p judgementPart) judgementRate { return p.Conflicts }},
		{"gaps", func(p judgementPart) judgementRate { return p.Gaps }},
	} {
		t.begin(fmt.Sprintf("%s in %d cases", part.title, j.Cases), "CASES", "PRECISION", "RECALL", "RIGHT", "WRONG",
			"MISSED")
		for _, p := range j.Scores {
			r := part.of(p)
			if r.Precision == nil && r.Recall == nil {
				continue // nothing of this was found, and rightly so
			}
			t.row(p.Name, rate(r.Precision), rate(r.Recall), strconv.Itoa(r.Right), strconv.Itoa(r.Wrong),
				strconv.Itoa(r.Missed))
		}
	}
	t.begin("tensions", "CONFLICTING", "FIRST", "THREE", "SHOWN CLEAN")
	for _, p := range j.Scores {
		f := p.Tensions
		if f.Cases > 0 || f.ShownClean != nil {
			t.row(p.Name, strconv.Itoa(f.Cases), rate(f.First), rate(f.Three), rate(f.ShownClean))
		}
	}
	return t.end()
}
