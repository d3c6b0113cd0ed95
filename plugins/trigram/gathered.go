package trigram

import (
	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// gatheredIDFs returns the idf of each trigram where the sections of a snapshot were gathered for the query. They are
// no sample, for the trigrams of the query are common among them: the snapshot says what they stand for. The figures
// are those of a sample of the collection, so that a large one weighs as it would here.
func gatheredIDFs(snap *snapshot.Snapshot, grams []gram) []float64 {
	var asked set
	held := make([]*roaring.Bitmap, len(grams))
	for i, g := range grams {
		asked.add(g)
		held[i] = roaring.New()
	}
	for it := snap.Live().Iterator(); it.HasNext(); {
		id := it.Next()
		for _, s := range textOf(snap, id) {
			each(s, func(g gram) {
				if n := asked.number(g); n > 0 {
					held[n-1].Add(id)
				}
			})
		}
	}
	all := float64(max(1, snap.Population()))
	sections := min(all, sampled)
	out := make([]float64, len(grams))
	for i := range out {
		out[i] = idf(float64(snap.Estimate(held[i]))/all*sections, sections)
	}
	return out
}
