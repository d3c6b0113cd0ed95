package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Ranking is a search that was planned, retrieved and fused, but not expanded, reranked or judged.
type Ranking struct {
	Candidates []Candidate
	run        *run
	judged     judged
}

// Hold calls do with the newest snapshot and a context that ends after timeMS milliseconds,
// including the wait for the index.
func (e *Engine) Hold(ctx context.Context, timeMS int, do func(context.Context, index.View) error) error {
	return retryCorrupt(func() error {
		view, end, err := e.viewWithin(ctx, timeMS)
		if err != nil {
			return err
		}
		defer view.Release()
		ctx, cancel := context.WithDeadline(ctx, end)
		defer cancel()
		return view.Snapshot.Guard(func() error { return do(ctx, view) })
	})
}

// Rank ranks the sections of a scope. Call it within [Engine.Hold].
func (e *Engine) Rank(ctx context.Context, view index.View, req Request, scope Scope) (*Ranking, error) {
	r, n := e.begin(ctx, newPlan(req, e.Settings), scope, view)
	found := retrieve(ctx, r, scope, n)
	if err := cmp.Or(r.snap.Err(), found.err()); err != nil {
		return nil, err
	}
	order := fuse(r, found)
	out := judged{reranked: newReranked(ctx, r, order, order.ranked, nil), graph: &judge.Graph{}}
	return &Ranking{out.candidates, r, out}, nil
}

// Share returns the share of the candidates that a strategy says matched, in [0, 1].
func (k *Ranking) Share(strategy string) float64 {
	n := 0
	for _, res := range k.judged.results {
		if res.description.Name != strategy {
			continue
		}
		matched := res.matched()
		for _, c := range k.Candidates {
			if matched.Contains(c.Section.ID) {
				n++
			}
		}
	}
	return float64(n) / float64(max(1, len(k.Candidates)))
}

// Keep stores the trace of a ranking, with lines of found files that no candidate contains (gaps).
// Call it within the same [Engine.Hold].
func (e *Engine) Keep(ctx context.Context, k *Ranking, gaps []toolset.Ref) *Trace {
	probed := e.traces.probe(ctx)
	t, left := e.newTrace(e.traces.newID(), k.run, k.judged)
	t.Gaps = gaps
	left.fill(t)
	lost := e.traces.put(ctx, t, probed, e.traces.patience(false), func() error { return nil })
	kept := *t // the store may still be writing t
	kept.Warnings = slices.Concat(t.Warnings, e.storeWarnings(lost))
	return &kept
}

// Trace returns a trace of any session.
func (e *Engine) Trace(ctx context.Context, id string) (*Trace, error) { return e.traces.get(ctx, id) }
