// Feedback: strategies that have seen the best sections order those below them.

package search

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
)

// ordered is how many sections of the fused order carry their contributions and may change their place.
const ordered = 500

// feedback lets strategies order anew what of the order lies below the best n sections. It
// changes ranked, in place, and returns what changed it and what there is to report.
func feedback(ctx context.Context, r *run, pool []sdk.Candidate, ranked []scored) (moves []result, said notes) {
	if r.limit() <= len(pool) {
		return nil, notes{} // nobody sees what lies below
	}
	below := belowTop(ranked, len(pool), r.limit())
	if len(below) == 0 {
		return nil, notes{}
	}
	scope := roaring.New()
	for _, s := range below {
		scope.Add(s.Section)
	}
	results, said := call(ctx, r, sdk.StageFeedback, sdk.Request{Query: r.query, Scope: scope, Pool: pool})
	order := bySection(compareSections(r.snap))
	for _, res := range results {
		if res.Finished && move(below, 0, r.settings.mover(res), res.Candidates, order) {
			moves = append(moves, res)
		}
	}
	return moves, said
}

// belowTop returns the part of an order that feedback may change.
func belowTop(ranked []scored, top, limit int) []scored {
	end := min(max(ordered, limit), len(ranked))
	return ranked[min(top, end):end]
}
