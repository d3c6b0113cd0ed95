package testbed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
)

// weights are the fusion weights that tuning tries.
var weights = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.6, 1}

// tunable are the figures that tuning tries besides the weights: those of the search, and those of strategies whose
// configuration has them.
var tunable = []eval.Parameter{
	{Name: coverageWeight, Values: []float64{0, 0.15, 0.25, 0.5, 0.7, 1}},
	{Name: headingWeight, Values: []float64{0, 0.1, 0.2}},
	{Name: "title_weight", Values: []float64{0, 0.15, 0.6}},
	{Name: "answer_weight", Values: []float64{0, 0.15, 0.45, 0.6}},
	{Name: "match_threshold", Values: []float64{0.05, 0.08, 0.16, 0.2, 0.3}},
	{Name: "normalized.k1", Values: []float64{0.3, 0.45, 0.6, 0.9, 1.2}},
	{Name: "normalized.b_body", Values: []float64{0.25, 0.4, 0.5, 0.65, 0.8}},
	{Name: "normalized.b_heading", Values: []float64{0.25, 0.5, 0.75}},
	{Name: "normalized.heading_weight", Values: []float64{0.5, 1, 1.5, 2, 3}},
	{Name: "normalized.path_weight", Values: []float64{0, 0.5, 1, 2}},
	{Name: "normalized.word_k1", Values: []float64{1.2, 3, 6, 10, 20}},
	{Name: "normalized.word_b_body", Values: []float64{0.4, 0.6, 0.75, 0.9}},
	{Name: "normalized.word_b_heading", Values: []float64{0.25, 0.5, 0.75}},
	{Name: "normalized.word_heading_weight", Values: []float64{1, 2, 3, 4, 6}},
	{Name: "normalized.word_path_weight", Values: []float64{0, 1, 2, 4, 6}},
	{Name: "normalized.unigram", Values: []float64{0, 0.25, 0.5, 0.75}},
	{Name: "normalized.exact", Values: []float64{0, 0.2, 0.4}},
	{Name: "normalized.whole", Values: []float64{0, 0.25, 0.5, 1}},
	{Name: "normalized.proximity", Values: []float64{0, 0.15, 0.3, 0.5}},
	{Name: "normalized.phrase", Values: []float64{0, 0.15, 0.3, 0.5}},
}

// parameters returns what tuning may change in a variant. Multiplying all weights and bonuses by one number does not
// change the order, so the first retrieving strategy keeps its weight as a reference.
func (b *Testbed) parameters(v Variant) []eval.Parameter {
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
	for _, name := range v.strategies { // installed ones, for which no values to try are known
		if _, bundled := b.entries.Named(name); bundled {
			continue
		}
		for _, figure := range slices.Sorted(maps.Keys(known)) {
			values := known[figure].values()
			if strings.HasPrefix(figure, name+".") && figure != name+weightSuffix && len(values) > 0 {
				out = append(out, eval.Parameter{Name: figure, Values: values})
			}
		}
	}
	return out
}

// values returns the values that tuning tries: five from the minimum to the maximum or, if one of them is missing,
// none, half and twice the default.
func (b bounds) values() (out []float64) {
	add := func(x float64) {
		if b.Type == "integer" {
			x = math.Round(x)
		}
		if b.allow(x) && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	switch {
	case b.Minimum != nil && b.Maximum != nil:
		for i := range 5 {
			add(*b.Minimum + (*b.Maximum-*b.Minimum)*float64(i)/4)
		}
	case b.Default != nil:
		add(0)
		add(*b.Default / 2)
		add(*b.Default * 2)
	}
	return out
}

// tunedStart begins a file of tuned settings.
const tunedStart = "# Tuned on "

// CheckTuned fails if a file would be overwritten that tuning did not write, such as the settings of a workspace.
func CheckTuned(file string) error {
	if file == "" {
		return nil
	}
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(src) > 0 && !bytes.HasPrefix(src, []byte(tunedStart)) {
		err = fmt.Errorf("%s holds something else than what --tune writes; name another file, and copy the lines", file)
	}
	return err
}

// WriteSettings writes the tuned settings in the form of sagasu.toml, with the figures as comments. Settings that a
// workspace does not have are comments too.
func WriteSettings(w io.Writer, r *eval.Report) error {
	t, names := r.Tuning, slices.Sorted(maps.Keys(r.Tuning.Found))
	var b strings.Builder
	fmt.Fprintf(&b, tunedStart+"%d queries, %d settings measured. nDCG@%d: present settings %.4f,\n", t.Queries,
		t.Runs, r.K, t.Present)
	fmt.Fprintf(&b, "# found %.4f in training and %.4f held out, gain %s.\n", t.Training, t.HeldOut, t.Gain)
	fmt.Fprintf(&b, "# %s.\n", t.Verdict())
	if !t.Adopted {
		if len(names) > 0 {
			fmt.Fprintf(&b, "# Found, not recommended: %s\n", t.Found)
		}
		names = nil
	}
	for _, name := range names {
		switch {
		case name == coverageWeight:
			fmt.Fprintf(&b, "sparse_query_coverage_weight = %v\n", t.Found[name])
		case !strings.Contains(name, "."):
			fmt.Fprintf(&b, "# %s = %v (not a setting of a workspace)\n", name, t.Found[name])
		}
	}
	for _, name := range names {
		if strategy, ok := strings.CutSuffix(name, weightSuffix); ok {
			fmt.Fprintf(&b, "\n[strategies.%s]\nweight = %v\n", strategy, t.Found[name])
		}
	}
	last := ""
	for _, name := range names {
		strategy, parameter, ok := strings.Cut(name, ".")
		if !ok || "."+parameter == weightSuffix {
			continue
		}
		if strategy != last {
			fmt.Fprintf(&b, "\n[strategies.%s.config]\n", strategy)
			last = strategy
		}
		fmt.Fprintf(&b, "%s = %v\n", parameter, t.Found[name])
	}
	_, err := io.WriteString(w, b.String())
	return err
}
