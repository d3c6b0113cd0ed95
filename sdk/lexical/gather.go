package lexical

import "github.com/sagasu-search/sagasu/sdk"

// gatherWeights are those of the token classes by which sections of a collection are gathered.
var gatherWeights = Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.5, Bigram: 1}

// What a word of the plan adds to the weights of its tokens, shared among them, as it is looked for whole too; and what
// one does that must be there.
const (
	wholeWord = 1.5
	mustWord  = 3
)

// GatherTerms returns the dictionary terms by which the sections of a collection are gathered for a query: those
// that [NewBag] looks up, as far as that can be known without a snapshot.
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
