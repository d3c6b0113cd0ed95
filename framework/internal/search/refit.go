package search

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// RefitRequest asks for the order of a stored search with other weights.
type RefitRequest struct {
	TraceID string `json:"trace_id"`
	// Weights replace the weights of strategies, rerankers and the bonuses coverage, heading and title, by name.
	// 0 leaves a source out. Sources that are not named keep their weights.
	Weights map[string]float64 `json:"weights"`
	// Limit is the number of sections to list; 0 means all that were ranked.
	Limit int `json:"limit,omitempty"`
}

// Refitted is a stored search in the order of other weights.
type Refitted struct {
	TraceID string         `json:"trace_id"`
	Sources []SourceWeight `json:"sources"` // in the order in which they contribute
	Total   int            `json:"total"`   // number of ranked sections
	Items   []Refit        `json:"items"`
	// Unseen is the number of sections that are now among the best, but were too low in the stored search for the
	// rerankers to see. They are ranked by their fused score. If 0, the order is the same as that of a new search
	// with these weights.
	Unseen int `json:"unseen"`
}

// SourceWeight is the weight of a source now and in the stored search.
type SourceWeight struct {
	Source string  `json:"source"`
	Stage  string  `json:"stage"` // of a strategy, or bonus
	Weight float64 `json:"weight"`
	Was    float64 `json:"was"`
	// Confidence is the strategy's factor for its weight in this query.
	Confidence float64 `json:"confidence"`
}

// Refit is a section in the new order.
type Refit struct {
	Rank       int     `json:"rank"`
	Was        int     `json:"was"` // its rank in the stored search; 0 for none
	Ref        HitRef  `json:"ref"`
	Lines      string  `json:"lines,omitempty"`
	Breadcrumb string  `json:"breadcrumb,omitempty"`
	Changed    bool    `json:"changed,omitempty"` // its file has changed since the search
	Score      float64 `json:"score"`
	// Contributions sum to Score; they name no terms.
	Contributions []fusion.Contribution `json:"contributions"`
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
	out := &Refitted{TraceID: t.ID, Sources: b.sources(), Items: []Refit{}}
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
	out.Total, out.Unseen = len(ranked), unseen
	if req.Limit > 0 {
		ranked = ranked[:min(req.Limit, len(ranked))]
	}
	for i, s := range ranked {
		item := Refit{
			Rank: i + 1, Was: was[s.Section], Ref: b.ref(s.Section), Score: s.Score, Contributions: s.Contributions,
		}
		if item.Was > 0 && item.Was <= len(t.Candidates) {
			c := t.Candidates[item.Was-1]
			item.Ref.StartLine, item.Ref.Title, item.Ref.Signals = c.Line, c.Title, c.Signals
		}
		out.Items = append(out.Items, item)
	}
	return out, e.place(ctx, t, out.Items)
}

// place adds the current places of sections in the files.
func (e *Engine) place(ctx context.Context, t *Trace, items []Refit) error {
	h := &Hits{Items: make([]Row, len(items))}
	for i := range items {
		h.Items[i].Ref = &items[i].Ref
	}
	err := e.describe(ctx, t, h, HitsRequest{})
	for i, row := range h.Items {
		items[i].Lines, items[i].Breadcrumb, items[i].Changed = row.Lines, row.Breadcrumb, row.Changed
	}
	return err
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
