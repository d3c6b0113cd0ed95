package lexical

import "github.com/sagasu-search/sagasu/sdk"

// gatherWeights are the weights of the token classes when sections are gathered from a collection.
var gatherWeights = Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.5, Bigram: 1}

// The weight that a term of the plan adds to its tokens, divided among them, because strategies also look for the
// term as a whole: of a soft term, and of a must term.
const (
	wholeWord = 1.5
	mustWord  = 3
)

// GatherTerms returns the dictionary terms with which to gather the sections of a collection for a query: those
// that [NewBag] would look up, as far as they can be determined without a snapshot.
func GatherTerms(q *sdk.Query) []sdk.GatherTerm {
	extra := map[string]float64{}
	for _, t := range q.Terms {
		more := wholeWord
		switch t.Kind {
		case sdk.TermNegative:
			continue
		case sdk.TermMust:
			more = mustWord
		}
		var counting []string
		for _, tok := range content(nil, t.Text) {
			if tok.counts {
				counting = append(counting, tok.Term)
			}
		}
		for _, term := range counting {
			extra[term] += t.Weight * more / float64(len(counting))
		}
	}
	var out []sdk.GatherTerm
	slots := 0
	for _, tok := range content(nil, q.Text) {
		t := sdk.GatherTerm{Text: tok.Term, Weight: gatherWeights.of(tok.Class) + extra[tok.Term], Slot: -1}
		if tok.counts && slots < MaxSlots {
			t.Slot = slots
			slots++
		}
		out = append(out, t)
	}
	return out
}
