package translation

import (
	"cmp"
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
)

// mostExpanded is the maximum number of translations of a word that are used to gather sections of a collection.
const mostExpanded = 6

// expansion returns the terms of a query's translations, if the sample of a collection has text in the other language.
// It is unknown which of them the collection contains.
func (s *Strategy) expansion(ctx context.Context, req *sdk.Request) (out []sdk.GatherTerm) {
	known := s.corpora.of(req.Corpus)
	if known.other(req.Query.Text).IsEmpty() {
		return nil
	}
	t := translator{Strategy: s, snap: req.Corpus, corpus: known}
	concepts := t.read(ctx, req.Query.Text)
	t.unseen = true // without known words, longer ones may match
	for _, c := range append(concepts, t.read(ctx, req.Query.Text)...) {
		slices.SortStableFunc(c.alternatives, func(a, b alternative) int { return cmp.Compare(b.weight, a.weight) })
		for _, a := range c.alternatives[:min(len(c.alternatives), mostExpanded)] {
			for _, term := range a.terms {
				weight := c.weight * a.weight / float64(len(a.terms))
				at := slices.IndexFunc(out, func(t sdk.GatherTerm) bool { return t.Text == term })
				switch {
				case at >= 0:
					out[at].Weight = max(out[at].Weight, weight)
				case len(out) < sdk.MaxExpansion:
					out = append(out, sdk.GatherTerm{Text: term, Weight: weight, Slot: -1})
				}
			}
		}
	}
	return out
}
