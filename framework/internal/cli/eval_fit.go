package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
)

// fitReport is the report of eval --judge --fit.
type fitReport struct {
	File       string             `json:"cases_file"`
	Out        string             `json:"weights_file"`
	Likelihood float64            `json:"log_likelihood"`  // a case, its domain left out
	Without    map[string]float64 `json:"gains,omitempty"` // by how much the likelihood falls without a feature
	Scores     []fitPart          `json:"scores"`
}

type fitPart struct {
	Name      string          `json:"name"`
	Conflicts judgementRate   `json:"conflicts"`
	Tensions  tension.Figures `json:"tensions"`
}

// runFit fits the weights of tensions and writes them to a file.
func runFit(ctx context.Context, w io.Writer, o *evalOptions, all []cases.Case) error {
	f, err := tension.Fit(ctx, all, o.Ablate)
	if err != nil {
		return err
	}
	f.Weights.Fitted = time.Now().UTC().Format(time.DateOnly)
	f.Weights.Sources = []string{fmt.Sprintf("%s: %d cases", filepath.Base(o.Judge), len(all))}
	r := fitReport{File: o.Judge, Out: o.Fit, Likelihood: f.Likelihood, Without: f.Without}
	for _, name := range general(f.Tallies) {
		t := f.Tallies[name]
		r.Scores = append(r.Scores, fitPart{name, rateOf(t.Tally), t.Figures()})
	}
	if err := writeFile(o.Fit, func(out io.Writer) error { return printJSON(out, f.Weights) }); err != nil {
		return err
	}
	return printResult(w, o.JSON, &r, printFit)
}

func printFit(w io.Writer, r *fitReport) error {
	t := table{w: w, style: styleFor(w)}
	t.begin("each domain left out in turn", "CONFLICTING", "FIRST", "THREE", "SHOWN CLEAN", "PRECISION", "RECALL")
	for _, p := range r.Scores {
		t.row(p.Name, fmt.Sprint(p.Tensions.Cases), rate(p.Tensions.First), rate(p.Tensions.Three),
			rate(p.Tensions.ShownClean), rate(p.Conflicts.Precision), rate(p.Conflicts.Recall))
	}
	if r.Without != nil {
		t.begin(fmt.Sprintf("log likelihood of a case %.3f, and what each feature adds", r.Likelihood), "GAIN")
		for _, name := range sortedKeys(r.Without) {
			t.row(name, fmt.Sprintf("%+.4f", r.Without[name]))
		}
	}
	return t.end()
}
