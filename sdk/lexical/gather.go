package lexical

import (
	"github.com/sagasu-search/sagasu/sdk"
)

// gatherWeights are those of the token classes by which sections of a collection are gathered.
var gatherWeights = Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.5, Bigram: 1}

// GatherTerms returns the dictionary terms by which the sections of a collection are gathered for queries: those
// that [NewBag] looks up, as far as that can be known without a snapshot.
func GatherTerms(queries ...sdk.Query) []sdk.GatherTerm {
	var out []sdk.GatherTerm
	seen, slots := map[string]bool{}, 0
	for _, q := range queries {
		for _, tok := range content(nil, q.Text) {
			if seen[tok.Term] {
				continue
			}
			seen[tok.Term] = true
			t := sdk.GatherTerm{Text: tok.Term, Weight: gatherWeights.of(tok.Class), Slot: -1}
			if tok.counts && slots < MaxSlots {
				t.Slot = slots
				slots++
			}
			out = append(out, t)
		}
	}
	return out
}
