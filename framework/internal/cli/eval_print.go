package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

func printAgents(w io.Writer, r *eval.AgentReport) error {
	t := table{w: w}
	t.begin(fmt.Sprintf("%d queries, at most %d calls each", r.Queries, r.MostCalls),
		"AGENT", "SOLVED", "FIRST", "CALLS", "EST_TOKENS", "MEDIAN", "P95", "TOKENS", "MEDIAN", "P95", "REFUSED")
	for _, a := range r.Agents {
		cells := []string{a.Name, percent(a.Solved), percent(a.First), fmt.Sprintf("%.2f", a.Calls.Mean)}
		for _, s := range [...]eval.Spread{a.EstTokens, a.Tokens} {
			cells = append(cells, fmt.Sprintf("%.0f", s.Mean), fmt.Sprintf("%.0f", s.Median),
				fmt.Sprintf("%.0f", s.P95))
		}
		t.row(append(cells, fmt.Sprint(a.Refused))...)
	}
	return t.end()
}

func printJudgement(w io.Writer, j *eval.JudgementReport) error {
	t := table{w: w}
	for _, part := range [...]struct {
		title string
		of    func(eval.JudgementScore) eval.Rate
	}{
		{"conflicts", func(s eval.JudgementScore) eval.Rate { return s.Conflicts }},
		{"gaps", func(s eval.JudgementScore) eval.Rate { return s.Gaps }},
	} {
		t.begin(fmt.Sprintf("%s in %d cases", part.title, j.Cases), "CASES", "PRECISION", "RECALL", "RIGHT", "WRONG",
			"MISSED")
		for i, p := range j.Scores {
			r := part.of(p)
			if i > 0 && r.Precision == nil && r.Recall == nil {
				continue // none of these was found, which is correct; the row of all cases says so
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
