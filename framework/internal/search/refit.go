package search

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// RefitRequest requests the order of a stored search with other weights.
type RefitRequest struct {
	TraceID string
	// Weights replace the weights of strategies, rerankers and the bonuses coverage, heading and title, by name. A
	// weight of 0 leaves a source out. Sources that are not named keep their weights.
	Weights map[string]float64
	// Limit is the number of sections to list; 0 means all that were ranked.
	Limit int
}

// Refitted is a stored search in the order of other weights.
type Refitted struct {
	Sources []SourceWeight // in the order in which they contribute
	Items   []Refit
	// Unseen is the number of sections that are now among the best, but were too low in the stored search for the
	// rerankers to see. They are ranked by their fused score. If 0, the order is that of a new search with these
	// weights, except for feedback and answers, which depend on the order and are not computed again.
	Unseen int
}

// SourceWeight is the weight of a source now and in the stored search.
type SourceWeight struct {
	Source string
	Stage  string // of a strategy, or bonus
	Weight float64
	Was    float64
}

// Refit is a section in the new order, with its explanation.
type Refit struct {
	Row
	Rank int
	Was  int // its rank in the stored search; 0 if it had none
}

// Refit reorders a stored search with the data of its trace. It calls no strategy.
func (e *Engine) Refit(ctx context.Context, req RefitRequest) (*Refitted, error) {
	t, err := e.traces.get(ctx, req.TraceID)
	if err != nil {
		return nil, err
	}
	t.wait()
	b, err := unpackFusionRecord(t.Fusion)
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable,
			"the trace %q does not hold what ordered its search; call manual_find again: %w", req.TraceID, err).
			Argument("trace_id", req.TraceID, "the trace_id of a search of this version")
	}
	if err := b.checkWeights(req); err != nil {
		return nil, err
	}
	out := &Refitted{Sources: b.sources()}
	searched := b.fuse()
	before, _ := b.order(searched)
	was := make(map[uint32]int, len(before))
	for i, s := range before {
		was[s.Section] = i + 1
	}
	now := b.weighed(req.Weights)
	for i, s := range now.sources() {
		out.Sources[i].Weight = s.Weight
	}
	ranked, unseen := now.order(searched)
	out.Unseen = unseen
	if req.Limit > 0 {
		ranked = ranked[:min(req.Limit, len(ranked))]
	}
	h := &Hits{Items: make([]Row, len(ranked))}
	for i, s := range ranked {
		r, f := &h.Items[i], b.Files[b.File[s.Section]]
		ref := toolset.Ref{ManualID: f.manual, Path: f.path, StartLine: b.Line[s.Section]}
		*r = Row{Ref: &HitRef{Ref: ref}, Score: new(s.Score), Explain: s.Contributions}
		if rank := was[s.Section]; rank > 0 && rank <= len(t.Candidates) {
			c := &t.Candidates[rank-1]
			r.Ref.StartLine, r.Ref.Title, r.Ref.Signals, r.Terms = c.Line, c.Title, c.Signals, c.Terms
		}
	}
	err = e.describe(ctx, t, h, HitsRequest{})
	for i, row := range h.Items {
		out.Items = append(out.Items, Refit{row, i + 1, was[ranked[i].Section]})
	}
	return out, err
}

// checkWeights fails if the search has no such source, or if a weight or the limit is out of range.
func (b *fusionRecord) checkWeights(req RefitRequest) error {
	known := slices.Sorted(maps.Keys(b.weights()))
	for source, w := range req.Weights {
		name := fmt.Sprintf("weights[%q]", toolset.Shorten(source))
		switch {
		case !slices.Contains(known, source):
			return toolset.Invalid("weights", source, "a source of the search").
				With("expected", known).With("did_you_mean", toolset.DidYouMean(source, known, 3))
		case math.IsNaN(w) || w < 0 || w > MostWeight:
			return toolset.Invalid(name, fmt.Sprint(w), fmt.Sprintf("a number from 0 to %d", MostWeight))
		}
	}
	if req.Limit < 0 {
		return toolset.Invalid("limit", req.Limit, "0 or more")
	}
	return nil
}

// MostWeight is the maximum weight of a source, the same as for strategies in the settings.
const MostWeight = 100
