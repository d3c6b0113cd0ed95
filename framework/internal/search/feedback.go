// Feedback: strategies that have seen the best sections order those below them.

package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
)

// ordered is how many sections of the fused order carry their contributions and may change their place.
const ordered = 500

// feedback lets strategies order anew what of the order lies below the best n sections. It
// changes ranked, in place, and returns what there is to report.
func feedback(ctx context.Context, r *run, pool []sdk.Candidate, ranked []scored) notes {
	if r.limit() <= len(pool) {
		return notes{} // nobody sees what lies below
	}
	below := ranked[len(pool):min(max(ordered, r.limit()), len(ranked))]
	if len(below) == 0 {
		return notes{}
	}
	scope := roaring.New()
	for _, s := range below {
		scope.Add(s.Section)
	}
	results, said := call(ctx, r, sdk.StageFeedback, sdk.Request{Query: r.query, Scope: scope, Pool: pool})
	order := compareSections(r.snap)
	for _, res := range results {
		if !res.Finished || !blend(below, 0, res.description.Name, r.settings.weight(res), res.Candidates) {
			continue
		}
		slices.SortFunc(below, func(a, b scored) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), order(a.Section, b.Section))
		})
	}
	return said
}
