// Order: where what was cut stands behind the candidates.

package search

import (
	"context"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// rankingTime is how long what was cut is ranked for, once the answer has gone out.
const rankingTime = 5 * time.Second

// ranks returns the rank of each section that was cut, from 1, in the order of their ids: first
// what was fused, in that order; then what no strategy listed, by the score of its words; then what
// only other words led to.
func (l leftOut) ranks(ctx context.Context, snap *snapshot.Snapshot) []uint32 {
	ids := l.cut.ToArray()
	out, rest, next := make([]uint32, len(ids)), l.cut.Clone(), uint32(1)
	place := func(id uint32) {
		if i, ok := slices.BinarySearch(ids, id); ok && rest.CheckedRemove(id) {
			out[i] = next
			next++
		}
	}
	for _, id := range l.fused {
		place(id)
	}
	for _, id := range l.byWords(ctx, snap, rest.Clone()) {
		place(id)
	}
	for _, id := range rest.ToArray() {
		place(id)
	}
	return out
}

// byWords returns the sections that hold a word of the query, best first.
func (l leftOut) byWords(ctx context.Context, snap *snapshot.Snapshot, sections *roaring.Bitmap) []uint32 {
	if sections.IsEmpty() {
		return nil
	}
	query := l.query
	query.MatchThreshold = 0
	bag := lexical.NewBag(snap, &query, wordWeights)
	params := lexical.DefaultParams(text.HasCJK(query.Text))
	found := lexical.Search(ctx, snap, sections, bag.Query, params, int(sections.GetCardinality()))
	out := make([]uint32, len(found.Hits))
	for i, h := range found.Hits {
		out[i] = h.Section
	}
	return out
}
