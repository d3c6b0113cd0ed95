package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
)

// weights are the fusion weights that tuning tries.
var weights = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.6, 1}

// tunable are the figures that tuning tries, besides the weights: those of the
// search, and those of strategies whose configuration has them.
var tunable = []eval.Parameter{
	{Name: coverageWeight, Values: []float64{0, 0.15, 0.25, 0.5, 0.7, 1}},
	{Name: headingWeight, Values: []float64{0, 0.1, 0.2}},
	{Name: titleWeight, Values: []float64{0, 0.15, 0.6}},
	{Name: matchThreshold, Values: []float64{0.05, 0.08, 0.16, 0.2, 0.3}},
	{Name: "normalized.k1", Values: []float64{0.3, 0.45, 0.6, 0.9, 1.2}},
	{Name: "normalized.b_body", Values: []float64{0.25, 0.4, 0.5, 0.65, 0.8}},
	{Name: "normalized.b_heading", Values: []float64{0.25, 0.5, 0.75}},
	{Name: "normalized.heading_weight", Values: []float64{0.5, 1, 1.5, 2, 3}},
	{Name: "normalized.word_k1", Values: []float64{1.2, 3, 6, 10, 20}},
	{Name: "normalized.word_b_body", Values: []float64{0.4, 0.6, 0.75, 0.9}},
	{Name: "normalized.word_b_heading", Values: []float64{0.25, 0.5, 0.75}},
	{Name: "normalized.word_heading_weight", Values: []float64{1, 2, 3, 4, 6}},
	{Name: "normalized.unigram", Values: []float64{0, 0.25, 0.5, 0.75}},
	{Name: "normalized.exact", Values: []float64{0, 0.2, 0.4}},
	{Name: "normalized.whole", Values: []float64{0, 0.25, 0.5, 1}},
	{Name: "normalized.proximity", Values: []float64{0, 0.15, 0.3, 0.5}},
	{Name: "normalized.phrase", Values: []float64{0, 0.15, 0.3, 0.5}},
}

// parameters are what tuning may change in a variant. Multiplying all weights
// and bonuses by one number changes no order, so the first retrieving strategy
// keeps its weight as the measure of the others.
func (b *bench) parameters(v variant) []eval.Parameter {
	var out []eval.Parameter
	measure := ""
	for _, name := range v.strategies {
		d, _ := b.describe(name)
		if measure == "" && d.Stage == sdk.StageRetrieve {
			measure = name
			continue
		}
		out = append(out, eval.Parameter{Name: name + weightSuffix, Values: weights})
	}
	known := b.figures()
	for _, p := range tunable {
		if _, ok := known[p.Name]; ok && (v.fusion != fusion.RRF || p.Name != coverageWeight &&
			p.Name != headingWeight) {
			out = append(out, p)
		}
	}
	return out
}

// writeSettings writes what tuning chose as sagasu.toml takes it, with the
// figures as comments. What is no setting of a workspace is a comment too.
func writeSettings(w io.Writer, r *eval.Report) error {
	t := r.Tuning
	var b strings.Builder
	fmt.Fprintf(&b, "# Tuned on %d queries, %d settings measured. nDCG@%d: present settings %.4f,\n", t.Queries, t.Runs,
		r.K, t.Present)
	fmt.Fprintf(&b, "# found %.4f in training and %.4f held out, gain %s.\n", t.Training, t.HeldOut, t.Gain)
	fmt.Fprintf(&b, "# %s.\n", t.Verdict())
	if !t.Adopted {
		if len(t.Found) > 0 {
			fmt.Fprintf(&b, "# Found, not recommended: %s\n", t.Found)
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	for _, name := range sortedKeys(t.Found) {
		switch {
		case name == coverageWeight:
			fmt.Fprintf(&b, "sparse_query_coverage_weight = %v\n", t.Found[name])
		case !strings.HasSuffix(name, weightSuffix):
			fmt.Fprintf(&b, "# %s = %v (not a setting of a workspace)\n", name, t.Found[name])
		}
	}
	for _, name := range sortedKeys(t.Found) {
		if strategy, ok := strings.CutSuffix(name, weightSuffix); ok {
			fmt.Fprintf(&b, "\n[strategies.%s]\nweight = %v\n", strategy, t.Found[name])
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
