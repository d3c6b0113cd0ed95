package testbed

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Evaluation measures one variant, and others that differ from it, on the same queries.
type Evaluation struct {
	testbed *Testbed
	base    Variant
	queries []eval.Query
	options eval.Options
}

// Evaluation returns the evaluation of a variant. It finds the current places of judged sections.
func (b *Testbed) Evaluation(base Variant, queries []eval.Query, options eval.Options) *Evaluation {
	if snap := b.view.Snapshot; snap != nil { // nil for a collection
		queries, options.Gone = eval.Present(snap, queries)
		options.Text = func(t eval.Target) string {
			id, ok := search.Locate(snap, t.ManualID, t.Path, t.StartLine)
			if !ok {
				return ""
			}
			return t.Heading + "\n" + snap.Source(id, snapshot.FieldBody)
		}
	}
	return &Evaluation{b, base, queries, options}
}

// Run measures the variant.
func (e *Evaluation) Run(ctx context.Context) (*eval.Report, error) {
	r, err := e.run(ctx, e.base, false, e.options)
	if err != nil {
		return nil, err
	}
	r.Setup = eval.Setup{Strategies: e.base.strategies, Fusion: string(e.base.fusion), Scope: e.options.Scope,
		Values: e.base.values}
	return r, nil
}

// run measures any variant. With remember, it shares lists with other variants.
func (e *Evaluation) run(ctx context.Context, v Variant, remember bool, options eval.Options) (*eval.Report, error) {
	engine, err := e.testbed.engine(ctx, v, remember)
	if err != nil {
		return nil, err
	}
	return eval.Run(ctx, e.queries, ranking(engine), options)
}

// Ablate switches strategies off and on, and compares with r, the result of Run.
func (e *Evaluation) Ablate(ctx context.Context, r *eval.Report) ([]eval.Effect, error) {
	return eval.Ablate(ctx, r, eval.Ablation{
		Strategies: e.base.strategies, Alone: e.testbed.retrieving(e.base.strategies),
		Run: func(ctx context.Context, strategies []string, step string) (*eval.Report, error) {
			options, v := e.options, e.base
			options.Step, v.strategies = step, strategies
			return e.run(ctx, v, true, options)
		},
	})
}

// Tune searches for better figures.
func (e *Evaluation) Tune(ctx context.Context) (*eval.Tuning, error) {
	parts, err := eval.Folds(len(e.queries))
	if err != nil {
		return nil, err
	}
	options, runs := e.options, 0
	options.Text = nil
	return eval.Tune(ctx, parts, e.testbed.parameters(e.base),
		func(ctx context.Context, s eval.Setting) ([]float64, error) {
			runs++
			options.Step = fmt.Sprintf("setting %d", runs)
			r, err := e.run(ctx, e.base.with(s), true, options)
			if err != nil {
				return nil, err
			}
			return r.NDCGByQuery(), nil
		})
}

// Measure evaluates queries, each in the manual that it names, with other weights of strategies or of the coverage
// bonus.
func Measure(ctx context.Context, a *app.App, queries []eval.Query, weights map[string]float64) (
	report *eval.Report, err error,
) {
	b, err := Open(ctx, a)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, b.Close()) }()
	var set []string
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		figure := name + weightSuffix
		if name == "coverage" {
			figure = coverageWeight
		}
		set = append(set, fmt.Sprintf("%s=%v", figure, weights[name]))
	}
	v, err := b.Variant(nil, "", set)
	if err != nil {
		return nil, err
	}
	return b.Evaluation(v, queries, eval.Options{Scope: true}).Run(ctx)
}
