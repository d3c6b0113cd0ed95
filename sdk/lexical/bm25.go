package lexical

import (
	"context"
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// MaxSlots is the maximum number of distinct slots of a query.
const MaxSlots = 64

// Params are the free parameters of BM25F. The slices have one value per field, except that stored fields at the end
// may be left out.
type Params struct {
	K1     float64   // saturation, > 0
	B      []float64 // length normalisation per field, in [0, 1]
	Weight []float64 // weight per field, ≥ 0
}

// Term is a dictionary term of a query.
type Term struct {
	Text string
	// Weight multiplies the term's idf.
	Weight float64
	// Slot is the index of the query term that this term represents, in [0, MaxSlots), or -1
	// for a term that scores but does not count for coverage. Variants of a word share a slot.
	Slot int

	df int // number of sections that hold it, 0 if unknown
}

func (t *Term) docFreq(snap *snapshot.Snapshot) int {
	if t.df > 0 {
		return t.df
	}
	return snap.DocFreq(t.Text)
}

// Query is a weighted bag of terms.
type Query struct {
	Terms []Term
	// Share is the share of each slot in the coverage. The shares sum to 1.
	Share []float64
	// Threshold is the minimum coverage of a matched section, in [0, 1].
	Threshold float64
	// Must holds slot masks. A section that has every slot of mask i, and that Verify confirms,
	// matches regardless of its coverage.
	Must   []uint64
	Verify func(section uint32, i int) bool
}

// Hit is a matched section.
type Hit struct {
	Section  uint32
	Score    float64 // > 0
	Coverage float64 // in [0, 1]
	Slots    uint64  // the slots that the section holds
}

// Result is the result of a search.
type Result struct {
	// Hits are the best matched sections, best first, ties by section id.
	Hits []Hit
	// Matched holds all matched sections of the scope.
	Matched *roaring.Bitmap
	// Examined is the number of sections of the scope that were examined.
	Examined int
	// Finished is false when the context ended first.
	Finished bool
}

// IDF returns the inverse document frequency of a term that occurs in df of n sections: ln(1 + (n −
// df + ½)/(df + ½)), Robertson and Spärck Jones with the +1 that keeps it positive.
func IDF(n, df int) float64 {
	df = min(df, n)
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// window is the number of sections that are scored at a time. The accumulators of a window fit into
// the second-level cache, and the context is checked between windows.
const window = 1 << 13

// Search scores the sections of scope (nil for all) and keeps the best limit.
//
// The score of a section d is Σ_t weight_t · idf_t · x/(k1 + x) with x = Σ_f weight_f · tf_{t,f} /
// (1 − b_f + b_f · len_f(d)/avglen_f): BM25F of Robertson, Zaragoza and Taylor (CIKM 2004). In tf,
// all table rows of a text together count once.
func Search(ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, q Query, p Params, limit int) Result {
	s := newScorer(snap, scope, q, p, limit)
	return s.result(s.windows(ctx, func() bool { return true }))
}

// Any reports whether [Search] would match a section of scope (nil for all). It ends at the first one, or with ctx.
func Any(ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, q Query, p Params) bool {
	s := newScorer(snap, scope, q, p, 0)
	return !s.result(s.windows(ctx, func() bool { return len(s.found) == 0 })).Matched.IsEmpty()
}

// DefaultParams returns the tuned parameters for a corpus with the fields heading, body and path. They
// depend on the script of the query, since the tokens do. Words saturate late: a section is about the
// words that it repeats, and coverage rewards sections that have all words. Pairs of CJK characters
// saturate early, since the pairs of one word come together. The path weighs as much as the heading;
// its length is ignored, since most sections have no path.
func DefaultParams(cjk bool) Params {
	if cjk {
		return Params{K1: 0.6, B: []float64{0.5, 0.5, 0}, Weight: []float64{1, 1, 1}}
	}
	return Params{K1: 10, B: []float64{0.5, 0.75, 0}, Weight: []float64{4, 1, 4}}
}
