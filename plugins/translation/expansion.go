package translation

import (
	"cmp"
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
)

// mostExpanded is the number of translations of a word by which sections of a collection are gathered.
const mostExpanded = 6

// expansion returns the terms of translations of a query, where the sample of a collection has text in the other
// language. Which of them the collection holds is not known.
func (s *Strategy) expansion(ctx context.Context, req *sdk.Request) (out []sdk.GatherTerm) {
	known := s.corpora.of(req.Corpus)
	if known.other(req.Query.Text).IsEmpty() {
		return nil
	}
	t := translator{Strategy: s, snap: req.Corpus, corpus: known}
	concepts := t.read(ctx, req.Query.Text)
	t.unseen = true // of words that the sample lacks longer ones may be read
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
