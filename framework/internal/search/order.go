// Order: ranks the sections that were cut, after the candidates.

package search

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// numbers returns the numbers of sections among all that were cut, from 0.
func (l leftOut) numbers(sections []uint32) []uint32 {
	ids := l.cut.ToArray()
	out := make([]uint32, 0, len(sections))
	for _, id := range sections {
		if i, ok := slices.BinarySearch(ids, id); ok {
			out = append(out, uint32(i))
		}
	}
	return out
}

// ordered returns the trace with an order of the matched sections that no strategy listed, by the score of their
// words. This takes as long as a search and few clients need it, so it is computed on first use, in the newest
// snapshot, and kept with the trace in memory. If nothing can be read, the order ends with the fused sections.
func (e *Engine) ordered(ctx context.Context, t *Trace) *Trace {
	t.wait()
	if t.ordered {
		return t
	}
	out := *t
	if err := retryCorrupt(func() error {
		view, err := e.viewOf(ctx, t)
		if err != nil {
			return err
		}
		defer view.Release()
		return view.Snapshot.Guard(func() error {
			out.Order = slices.Concat(t.Order, e.byWords(ctx, t, view.Snapshot))
			return ctx.Err()
		})
	}); err != nil {
		return t
	}
	out.ordered = true
	e.traces.keep(&out)
	return &out
}

// byWords returns the numbers of the cut sections that have a word of the query and are not in the order of the trace
// yet, best first.
func (e *Engine) byWords(ctx context.Context, t *Trace, snap *snapshot.Snapshot) []uint32 {
	numbers, known := t.cutIn(snap), roaring.BitmapOf(t.Order...)
	sections := roaring.New()
	for id, number := range numbers {
		if !known.Contains(number) {
			sections.Add(id)
		}
	}
	if sections.IsEmpty() {
		return nil
	}
	r := run{plan: newPlan(t.Request, Settings{}), snap: snap, logger: e.Logger}
	r.correct(ctx)
	bag := lexical.NewBag(snap, &r.query, wordWeights)
	params := lexical.DefaultParams(text.HasCJK(r.query.Text))
	found := lexical.Search(ctx, snap, sections, bag.Query, params, int(sections.GetCardinality()))
	out := make([]uint32, len(found.Hits))
	for i, h := range found.Hits {
		out[i] = numbers[h.Section]
	}
	return out
}

// cutIn returns the sections that were cut, as ids of a snapshot, with their numbers; it leaves out sections that no
// longer exist.
func (t *Trace) cutIn(snap *snapshot.Snapshot) map[uint32]uint32 {
	out, next := map[uint32]uint32{}, uint32(0)
	for _, f := range t.refs() {
		if !f.cut() {
			continue
		}
		for id, i := range startingAt(snap, SectionsOf(snap, f.ManualID, f.Path), f.Lines) {
			out[id] = next + uint32(i)
		}
		next += uint32(len(f.Lines))
	}
	return out
}
