package search

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
)

// RefitRequest asks for the order of a stored search with other weights.
type RefitRequest struct {
	TraceID string `json:"trace_id"`
	// Weights replace those of strategies and rerankers by name, and of the bonuses coverage, heading and title;
	// 0 leaves a source out. What is not named keeps its weight.
	Weights map[string]float64 `json:"weights"`
	// Method replaces the fusion method, "" for none.
	Method string `json:"method,omitempty"`
	// Limit is how many sections are listed, 0 for all that are ranked.
	Limit int `json:"limit,omitempty"`
}

// Refitted is a stored search in the order of other weights.
type Refitted struct {
	TraceID string         `json:"trace_id"`
	Sources []SourceWeight `json:"sources"`
	Total   int            `json:"total"` // sections that are ranked
	Items   []Refit        `json:"items"`
	// Unseen counts sections that came among those reranked and that no reranker has seen: they stand by their
	// fused score. 0 says that the order is what a search with these weights would give.
	Unseen int `json:"unseen"`
}

// SourceWeight is the weight of a source, times its confidence for the query, now and in the stored search.
type SourceWeight struct {
	Source string  `json:"source"`
	Stage  string  `json:"stage"` // of a strategy, or bonus
	Weight float64 `json:"weight"`
	Was    float64 `json:"was"`
}

// Refit is a section in the new order.
type Refit struct {
	Rank int `json:"rank"`
	Was  int `json:"was"` // its rank in the stored search

	Ref        HitRef  `json:"ref"`
	Lines      string  `json:"lines,omitempty"`
	Breadcrumb string  `json:"breadcrumb,omitempty"`
	Changed    bool    `json:"changed,omitempty"` // its file is not what was searched
	Score      float64 `json:"score"`
	// Contributions sum to Score.
	Contributions []fusion.Contribution `json:"contributions"`
}

// Refit orders a stored search anew, from what its trace holds: no strategy is called.
func (e *Engine) Refit(ctx context.Context, req RefitRequest) (*Refitted, error) {
	return nil, nil
}
