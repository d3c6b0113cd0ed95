package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
)

// evalTimeMS is the time a strategy gets per query: a busy machine must not
// change a figure.
const evalTimeMS = "60000"

func runEval(c *cobra.Command, prog *program, o *evalOptions) (err error) {
	queries, err := eval.ReadQueryFile(o.Queries)
	if err != nil {
		return err
	}
	before, err := eval.ReadBaseline(o.Baseline)
	if err != nil {
		return err
	}
	if err := checkTuned(o.Out); err != nil {
		return err
	}
	prog.Values["STRATEGY_TIME_MS"] = cmp.Or(prog.Values["STRATEGY_TIME_MS"], evalTimeMS)
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := openTestbed(c.Context(), a)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, b.Close()) }()
	progress, done := stepProgress(c.ErrOrStderr())
	defer done()
	queries, gone := b.present(queries)
	e := evaluation{
		evalOptions: o, testbed: b, queries: queries,
		run: eval.Options{K: o.K, Scope: o.Scope, Text: b.text, Step: "queries", Progress: progress, Gone: gone},
	}
	report, err := e.report(c.Context(), before)
	if err != nil {
		return err
	}
	done()
	return o.write(c.OutOrStdout(), report)
}

// evaluation is one run of the command.
type evaluation struct {
	*evalOptions
	testbed *testbed
	queries []eval.Query
	run     eval.Options
}

// report does everything that was asked for.
func (e *evaluation) report(ctx context.Context, before *eval.Report) (*eval.Report, error) {
	base, err := e.testbed.variant(splitCommas(e.Strategies), e.Fusion, e.Set)
	if err != nil {
		return nil, err
	}
	search, err := e.testbed.search(base)
	if err != nil {
		return nil, err
	}
	r, err := eval.Run(ctx, e.queries, search, e.run)
	if err != nil {
		return nil, err
	}
	r.Setup = eval.Setup{
		Queries: e.evalOptions.Queries, Strategies: base.strategies, Fusion: string(base.fusion), Scope: e.Scope,
		Values: base.values,
	}
	if before != nil {
		if r.Comparison, err = eval.Compare(r, before); err != nil {
			return nil, fmt.Errorf("%s cannot be compared: %w", e.Baseline, err)
		}
		r.Comparison.Baseline = e.Baseline
	}
	if e.DumpPool != "" {
		if err := e.dumpPool(ctx, base); err != nil {
			return nil, err
		}
	}
	if e.Ablate {
		r.Ablation, err = eval.Ablate(ctx, r, eval.Ablation{
			Strategies: base.strategies, Alone: e.testbed.retrieving(base.strategies),
			Run: func(ctx context.Context, strategies []string, step string) (*eval.Report, error) {
				opts := e.run
				opts.Step = step
				return eval.Run(ctx, e.queries, e.testbed.remembering(base.only(strategies)), opts)
			},
		})
		if err != nil {
			return nil, err
		}
	}
	if e.Tune {
		r.Tuning, err = e.tuning(ctx, base)
	}
	return r, err
}

func (e *evaluation) tuning(ctx context.Context, base variant) (*eval.Tuning, error) {
	runs := 0
	return eval.Tune(ctx, len(e.queries), e.testbed.parameters(base),
		func(ctx context.Context, s eval.Setting) ([]float64, error) {
			runs++
			opts := e.run
			opts.Text, opts.Step = nil, fmt.Sprintf("setting %d", runs)
			r, err := eval.Run(ctx, e.queries, e.testbed.remembering(base.with(s)), opts)
			if err != nil {
				return nil, err
			}
			return r.NDCGByQuery(), nil
		})
}

// write prints the report and leaves the files that were asked for.
func (o *evalOptions) write(out io.Writer, r *eval.Report) error {
	if o.HTML != "" {
		if err := writeFile(o.HTML, func(w io.Writer) error { return eval.WriteHTML(w, r) }); err != nil {
			return err
		}
	}
	if o.Out != "" {
		if err := writeFile(o.Out, func(w io.Writer) error { return writeSettings(w, r) }); err != nil {
			return err
		}
	}
	if o.JSON {
		return printJSON(out, r)
	}
	if err := eval.WriteText(out, r); err != nil || r.Tuning == nil || o.Out != "" {
		return err
	}
	fmt.Fprintln(out)
	return writeSettings(out, r)
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// tunedStart begins a file of settings that tuning chose.
const tunedStart = "# Tuned on "

// checkTuned refuses to write over a file that no tuning wrote, such as the settings of a workspace.
func checkTuned(file string) error {
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

// weights are the fusion weights that tuning tries.
var weights = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.6, 1}

// tunable are the figures that tuning tries, besides the weights: those of the
// search, and those of strategies whose configuration has them.
var tunable = []eval.Parameter{
	{Name: coverageWeight, Values: []float64{0, 0.15, 0.25, 0.5, 0.7, 1}},
	{Name: headingWeight, Values: []float64{0, 0.1, 0.2}},
	{Name: titleWeight, Values: []float64{0, 0.15, 0.6}},
	{Name: answerWeight, Values: []float64{0, 0.15, 0.45, 0.6}},
	{Name: matchThreshold, Values: []float64{0.05, 0.08, 0.16, 0.2, 0.3}},
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

// parameters returns what tuning may change in a variant. Multiplying all weights
// and bonuses by one number changes no order, so the first retrieving strategy
// keeps its weight as the measure of the others.
func (b *testbed) parameters(v variant) []eval.Parameter {
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
	for _, name := range v.strategies { // guests, of which nobody here knows what to try
		if _, bundled := b.entries.Named(name); bundled {
			continue
		}
		for _, figure := range sortedKeys(known) {
			if strategy, parameter, _ := strings.Cut(figure, "."); strategy == name && "."+parameter != weightSuffix {
				if values := known[figure].values(); len(values) > 0 {
					out = append(out, eval.Parameter{Name: figure, Values: values})
				}
			}
		}
	}
	return out
}

// writeSettings writes what tuning chose as sagasu.toml takes it, with the
// figures as comments. What is no setting of a workspace is a comment too.
func writeSettings(w io.Writer, r *eval.Report) error {
	t := r.Tuning
	var b strings.Builder
	fmt.Fprintf(&b, tunedStart+"%d queries, %d settings measured. nDCG@%d: present settings %.4f,\n", t.Queries,
		t.Runs, r.K, t.Present)
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
		case !strings.Contains(name, "."):
			fmt.Fprintf(&b, "# %s = %v (not a setting of a workspace)\n", name, t.Found[name])
		}
	}
	for _, name := range sortedKeys(t.Found) {
		if strategy, ok := strings.CutSuffix(name, weightSuffix); ok {
			fmt.Fprintf(&b, "\n[strategies.%s]\nweight = %v\n", strategy, t.Found[name])
		}
	}
	last := ""
	for _, name := range sortedKeys(t.Found) {
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
