package eval

import (
	"cmp"
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
)

// JudgementReport is the quality of judgements on cases.
type JudgementReport struct {
	File   string           `json:"cases_file"`
	Cases  int              `json:"cases"`
	Scores []JudgementScore `json:"scores"`
}

// JudgementScore is the result for the cases of a language or kind, or of both.
type JudgementScore struct {
	Name      string          `json:"name"`
	Conflicts Rate            `json:"conflicts"`
	Tensions  tension.Figures `json:"tensions"`
	Gaps      Rate            `json:"gaps"`
}

// Rate is a tally with its precision and recall.
type Rate struct {
	cases.Tally
	Precision *float64 `json:"precision"` // null if nothing was found
	Recall    *float64 `json:"recall"`    // null if there was nothing to find
}

func rateOf(t cases.Tally) Rate {
	r := Rate{Tally: t}
	if t.Right+t.Wrong > 0 {
		r.Precision = new(t.Precision())
	}
	if t.Right+t.Missed > 0 {
		r.Recall = new(t.Recall())
	}
	return r
}

// ReadCaseFile reads the judged cases of a file, at least one, with queries planned as in a search.
func ReadCaseFile(path string) ([]cases.Case, error) {
	threshold := search.DefaultSettings().MatchThreshold
	plan := func(query string) sdk.Query { return search.Plan(query, threshold) }
	return records(path, "cases", "case", func(in io.Reader) ([]cases.Case, error) { return cases.Read(in, plan) })
}

// RunJudgement judges the cases of a file as a search would, and measures the results.
func RunJudgement(ctx context.Context, file string) (*JudgementReport, error) {
	all, err := ReadCaseFile(file)
	if err != nil {
		return nil, err
	}
	scores, err := judge.ScoreCases(ctx, all)
	if err != nil {
		return nil, err
	}
	tensions, err := tension.Measure(ctx, all)
	if err != nil {
		return nil, err
	}
	r := &JudgementReport{File: file, Cases: len(all)}
	for _, name := range slices.SortedFunc(maps.Keys(scores), byGenerality) {
		t := tensions[name]
		r.Scores = append(r.Scores, JudgementScore{name, rateOf(t.Tally), t.Figures(), rateOf(scores[name].Gaps)})
	}
	return r, nil
}

// byGenerality orders the names of scores: all cases, then languages, kinds, and kinds of a language.
func byGenerality(a, b string) int {
	depth := func(name string) int { return 2*strings.Count(name, " ") + strings.Count(name, "/") }
	return cmp.Or(depth(a)-depth(b), strings.Compare(a, b))
}
