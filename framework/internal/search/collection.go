// Part: the part of an external collection that a search sees.

package search

import (
	"context"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// viewFor returns the view for a search, and the deadline of the search.
func (e *Engine) viewFor(ctx context.Context, req Request, p plan) (collection.View, time.Time, error) {
	if e.Collection == nil {
		view, end, err := e.viewWithin(ctx, req.TimeMS)
		return collection.View{View: view}, end, err
	}
	ask, err := e.ask(ctx, req, p)
	if err != nil {
		return collection.View{}, time.Time{}, err
	}
	budget := time.Duration(req.TimeMS) * time.Millisecond
	wait, began := budget-min(budget/2, viewReserve), time.Now()
	view, err := e.Collection.View(ctx, ask, wait)
	if err == nil && req.OnlyUnscanned == "" {
		r := run{plan: p, snap: view.Snapshot, logger: e.Logger}
		err = view.Snapshot.Guard(func() error { r.correct(ctx, nil); return nil })
		if err != nil || len(r.corrections) > 0 {
			view.Release()
		}
		if err == nil && len(r.corrections) > 0 { // also gather sections with the corrected words
			ask.Query = r.query
			view, err = e.Collection.View(ctx, ask, wait-time.Since(began))
		}
	}
	return view, began.Add(budget), err
}

// ask returns the request to a collection for the sections that a search needs.
func (e *Engine) ask(ctx context.Context, req Request, p plan) (collection.Ask, error) {
	if req.OnlyUnscanned != "" {
		t, err := e.traces.get(ctx, req.OnlyUnscanned)
		if err != nil {
			return collection.Ask{}, withParameter(err, "only_unscanned_from_trace_id")
		}
		return t.rest(), nil
	}
	ask := collection.Ask{Query: p.query}
	if req.ManualID != "" {
		id, bad := rootfs.Clean("manual_id", req.ManualID)
		if bad != nil {
			return ask, bad
		}
		ask.Group = id
	}
	return ask, nil
}

// rest asks for the sections that the trace did not scan: first those of the part that was
// searched, then those beyond it.
func (t *Trace) rest() collection.Ask {
	switch {
	case t.Part == nil:
		return collection.Ask{}
	case t.Part.Next != nil && len(t.unscannedFiles()) == 0:
		return *t.Part.Next
	}
	return t.Part.Ask
}

// againTime limits the time to gather a searched part again.
const againTime = 10 * time.Second

// viewOf returns the view in which to read a trace.
func (e *Engine) viewOf(ctx context.Context, t *Trace) (index.View, error) {
	if t.Part == nil || e.Collection == nil {
		return e.View(ctx, 0)
	}
	view, err := e.Collection.View(ctx, t.Part.Ask, againTime)
	return view.View, err
}

// withView calls do with the view in which to read a trace, once more if the index was damaged.
func (e *Engine) withView(ctx context.Context, t *Trace, do func(index.View) error) error {
	return retryCorrupt(func() error {
		view, err := e.viewOf(ctx, t)
		if err != nil {
			return err
		}
		defer view.Release()
		return view.Snapshot.Guard(func() error { return do(view) })
	})
}

// atLeast reports whether the number of matched sections is a lower bound.
func (t *Trace) atLeast() bool { return t.beyond() || t.Part != nil && t.Part.Others }

// beyond reports whether the engine has, or may have, listed more for the query than was searched.
func (t *Trace) beyond() bool { return t.Part != nil && (t.Part.Beyond > 0 || t.Part.Least) }
