package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/eval/testbed"
)

// runEval measures rankings.
func runEval(c *cobra.Command, prog *program, o *evalOptions) (err error) {
	queries, err := eval.ReadQueryFile(o.Queries)
	if err != nil {
		return err
	}
	before, err := eval.ReadBaseline(o.Baseline)
	if err != nil {
		return err
	}
	if err := testbed.CheckTuned(o.Out); err != nil {
		return err
	}
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := testbed.Open(c.Context(), a)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, b.Close()) }()
	base, err := b.Variant(splitCommas(o.Strategies), o.Fusion, o.Set)
	if err != nil {
		return usageError{err}
	}
	progress, done := stepProgress(c.ErrOrStderr())
	options := eval.Options{K: o.K, Scope: o.Scope, Step: "queries", Progress: progress}
	report, err := o.report(c.Context(), b.Evaluation(base, queries, options), before)
	done()
	if err != nil {
		return err
	}
	return o.write(c.OutOrStdout(), report)
}

// report measures everything that was requested.
func (o *evalOptions) report(ctx context.Context, e *testbed.Evaluation, before *eval.Report) (*eval.Report, error) {
	r, err := e.Run(ctx)
	if err != nil {
		return nil, err
	}
	r.Setup.Queries = o.Queries
	if before != nil {
		if r.Comparison, err = eval.Compare(r, before); err != nil {
			return nil, fmt.Errorf("%s cannot be compared: %w", o.Baseline, err)
		}
		r.Comparison.Baseline = o.Baseline
	}
	err = writeFile(o.DumpPool, func(w io.Writer) error { return e.WritePool(ctx, w) })
	if err == nil && o.Ablate {
		r.Ablation, err = e.Ablate(ctx, r)
	}
	if err == nil && o.Tune {
		r.Tuning, err = e.Tune(ctx)
	}
	return r, err
}

// write prints the report and writes the requested files.
func (o *evalOptions) write(out io.Writer, r *eval.Report) error {
	if err := writeFile(o.HTML, func(w io.Writer) error { return eval.WriteHTML(w, r) }); err != nil {
		return err
	}
	if err := writeFile(o.Out, func(w io.Writer) error { return testbed.WriteSettings(w, r) }); err != nil {
		return err
	}
	if o.JSON {
		return printJSON(out, r)
	}
	if err := eval.WriteText(out, r); err != nil || r.Tuning == nil || o.Out != "" {
		return err
	}
	fmt.Fprintln(out)
	return testbed.WriteSettings(out, r)
}

// writeFile writes a file that was requested; "" is none.
func writeFile(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// runEvalAgent measures what agents need for a task.
func runEvalAgent(c *cobra.Command, prog *program, o *evalOptions) error {
	queries, err := eval.ReadQueryFile(o.Queries)
	if err != nil {
		return err
	}
	prog.Values["READ_ONLY"], prog.Values["TOOLSETS"] = "true", "manual" // without cache and statistics
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	progress, done := stepProgress(c.ErrOrStderr())
	r, err := testbed.RunAgents(c.Context(), a, queries, o.Scope, progress)
	done()
	if err != nil {
		return err
	}
	r.Setup = eval.Setup{Queries: o.Queries, Scope: o.Scope}
	return printResult(c, r, printAgents)
}
