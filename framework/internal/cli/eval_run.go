package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// evalTimeMS is the time a strategy gets per query: a busy machine must not
// change a figure.
const evalTimeMS = "60000"

func runEval(c *cobra.Command, prog *program, o *evalOptions) (err error) {
	queries, err := readQueries(o.queries)
	if err != nil {
		return err
	}
	before, err := readBaseline(o.baseline)
	if err != nil {
		return err
	}
	if prog.Values["STRATEGY_TIME_MS"] == "" {
		prog.Values["STRATEGY_TIME_MS"] = evalTimeMS
	}
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := openBench(c.Context(), a)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, b.Close()) }()
	progress, done := stepProgress(c.ErrOrStderr())
	defer done()
	e := evaluation{
		evalOptions: o, bench: b, queries: queries,
		run: eval.Options{K: o.k, Scope: o.scope, Text: b.text, Step: "queries", Progress: progress},
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
	bench   *bench
	queries []eval.Query
	run     eval.Options
}

// report does everything that was asked for.
func (e *evaluation) report(ctx context.Context, before *eval.Report) (*eval.Report, error) {
	base, err := e.bench.variant(e.strategies, e.fusion, e.set)
	if err != nil {
		return nil, err
	}
	search, err := e.bench.search(base)
	if err != nil {
		return nil, err
	}
	r, err := eval.Run(ctx, e.queries, search, e.run)
	if err != nil {
		return nil, err
	}
	r.Setup = eval.Setup{
		Queries: e.evalOptions.queries, Strategies: base.strategies, Fusion: string(base.fusion), Scope: e.scope,
		Values: base.values,
	}
	if before != nil {
		if r.Comparison, err = eval.Compare(r, before); err != nil {
			return nil, fmt.Errorf("%s cannot be compared: %w", e.baseline, err)
		}
		r.Comparison.Baseline = e.baseline
	}
	if e.ablate {
		if r.Ablation, err = e.ablation(ctx, base, r); err != nil {
			return nil, err
		}
	}
	if e.tune {
		r.Tuning, err = e.tuning(ctx, base)
	}
	return r, err
}

func (e *evaluation) ablation(ctx context.Context, base variant, r *eval.Report) ([]eval.Effect, error) {
	return eval.Ablate(ctx, e.queries, r, eval.Ablation{
		Strategies: base.strategies, Alone: e.bench.retrieving(base.strategies),
		With: func(strategies []string) eval.Search { return e.bench.remembering(base.only(strategies)) },
	}, e.run)
}

func (e *evaluation) tuning(ctx context.Context, base variant) (*eval.Tuning, error) {
	runs := 0
	return eval.Tune(ctx, len(e.queries), e.bench.parameters(base),
		func(ctx context.Context, s eval.Setting) ([]float64, error) {
			runs++
			opts := e.run
			opts.Text, opts.Step = nil, fmt.Sprintf("setting %d", runs)
			r, err := eval.Run(ctx, e.queries, e.bench.remembering(base.with(s)), opts)
			if err != nil {
				return nil, err
			}
			scores := make([]float64, len(r.PerQuery))
			for i, o := range r.PerQuery {
				scores[i] = o.NDCG
			}
			return scores, nil
		})
}

// write prints the report and leaves the files that were asked for.
func (o *evalOptions) write(out io.Writer, r *eval.Report) error {
	if o.html != "" {
		if err := writeFile(o.html, func(w io.Writer) error { return eval.WriteHTML(w, r) }); err != nil {
			return err
		}
	}
	if o.out != "" {
		if err := writeFile(o.out, func(w io.Writer) error { return writeSettings(w, r) }); err != nil {
			return err
		}
	}
	if o.json {
		return printJSON(out, r)
	}
	if err := eval.WriteText(out, r); err != nil || r.Tuning == nil || o.out != "" {
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

func readQueries(path string) ([]eval.Query, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("queries: %w", err)
	}
	defer f.Close()
	queries, err := eval.ReadQueries(f)
	if err == nil && len(queries) == 0 {
		err = errors.New("it holds no query")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return queries, nil
}

// readBaseline reads an earlier report; nil for no path.
func readBaseline(path string) (*eval.Report, error) {
	if path == "" {
		return nil, nil
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	r := new(eval.Report)
	if err := json.Unmarshal(src, r); err != nil {
		return nil, fmt.Errorf("%s is not a report of sagasu eval --json: %w", path, err)
	}
	if len(r.PerQuery) == 0 {
		return nil, fmt.Errorf("%s is not a report of sagasu eval --json: it holds no results per query", path)
	}
	return r, nil
}
