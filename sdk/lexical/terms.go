package lexical

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Terms are the content terms of a query, whole words rather than tokens, with their weights.
type Terms struct {
	Texts   []string
	Weights []float64 // > 0
}

// ContentTerms returns the skeletons (see [text.Skeleton]) of the must and soft terms of a query,
// weighted by idf. The document frequency of a term of several tokens is that of its rarest token.
func ContentTerms(snap *snapshot.Snapshot, terms []sdk.Term) Terms {
	var out Terms
	n := snap.Population()
	for _, t := range terms {
		if t.Kind == sdk.TermNegative || t.Text == "" {
			continue
		}
		df := n
		for _, tok := range content(snap, t.Text) {
			if tok.counts {
				df = min(df, snap.DocFreq(tok.Term))
			}
		}
		out.Texts = append(out.Texts, text.Skeleton(t.Text))
		out.Weights = append(out.Weights, t.Weight*IDF(n, df))
	}
	return out
}

// Share returns the weighted share of the terms for which held is true, in [0, 1].
func (t Terms) Share(held func(term string) bool) float64 {
	var sum, total float64
	for i, text := range t.Texts {
		total += t.Weights[i]
		if held(text) {
			sum += t.Weights[i]
		}
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

// ExcludeNegative returns scope without the sections that contain a negative term of weight 1 or
// more. A nil scope means every live section and stays nil if there is no such term.
func ExcludeNegative(
	ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, terms []sdk.Term,
) *roaring.Bitmap {
	out := scope
	for _, t := range terms {
		if t.Kind != sdk.TermNegative || t.Weight < 1 {
			continue
		}
		if out == nil {
			out = snap.Live()
		}
		out = roaring.AndNot(out, Containing(ctx, snap, t.Text))
	}
	return out
}
