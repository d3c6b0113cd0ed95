// Feedback: strategies that know the best sections reorder those below them.

package search

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
)

// ordered is the number of sections of the fused order that carry contributions and may be reordered.
const ordered = 500

// feedback lets strategies reorder the sections below the best ones. It changes ranked in place and
// returns the results that changed it, and notes to report.
func feedback(ctx context.Context, r *run, pool []sdk.Candidate, ranked []scored) (moves []result, said notes) {
	if r.limit() <= len(pool) {
		return nil, notes{} // sections below the limit are not shown
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

// belowTop returns the part of an order that feedback may reorder.
func belowTop(ranked []scored, top, limit int) []scored {
	end := min(max(ordered, limit), len(ranked))
	return ranked[min(top, end):end]
}
