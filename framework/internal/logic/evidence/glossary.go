package evidence

import (
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// glossary leads from a term to those that mean the same, or nearly, in the other
// language or in its own.
type glossary struct {
	others map[string][]other // by normalised term, English ones stemmed
	terms  dict.Vocabulary    // the Japanese ones
}

var bundled = sync.OnceValue(func() *glossary {
	g := &glossary{others: map[string][]other{}}
	g.take(dict.Backend(), 1)
	g.take(dict.Related(), relatedShare)
	slices.Sort(g.terms)
	g.terms = slices.Compact(g.terms)
	return g
})

// take adds a list whose words count for a share of what they do otherwise.
func (g *glossary) take(entries []dict.Entry, share float64) {
	for _, entry := range entries {
		for _, term := range entry.To {
			key := term
			if text.HasCJK(term) {
				g.terms = append(g.terms, term)
			} else {
				key = text.Stem(term)
			}
			for _, o := range entry.To {
				likeness := otherLanguage
				if text.HasCJK(o) == text.HasCJK(term) {
					likeness = sameLanguage
				}
				if o != term && !slices.ContainsFunc(g.others[key], func(known other) bool { return known.term == o }) {
					g.others[key] = append(g.others[key], other{o, share * likeness})
				}
			}
		}
	}
}

// span is a piece of a question with other words for it.
type span struct {
	start, end int // bytes of the normalised question
	others     []other
}

// other is a term that may stand for a piece of a question, with how surely it does.
type other struct {
	term   string
	weight float64
}

// spans returns the pieces of a normalised question that the glossary knows, or that sound
// like words of the repository; they lie apart, in order.
func (r *reader) spans(norm string) []span {
	var all []span
	for _, p := range bundled().terms.Find(norm) {
		all = append(all, span{p.Start, p.End, bundled().others[p.Word]})
	}
	known := all // not yet passed
	for run := range text.Runs(&text.Text{Norm: norm}) {
		for len(known) > 0 && known[0].end <= run.Start {
			known = known[1:]
		}
		if run.Class == text.Katakana && (len(known) == 0 || known[0].start > run.Start) {
			for _, s := range r.loanwords(norm[run.Start:run.End]) {
				all = append(all, span{run.Start + s.start, run.Start + s.end, s.others})
			}
		}
	}
	slices.SortFunc(all, func(a, b span) int { return a.start - b.start })
	return all
}

// loanwords cuts a run of katakana into words that sound like those of the repository,
// as long ones as there are: ステータスコード is "status" and "code".
func (r *reader) loanwords(run string) []span {
	var all []span
	kana := []rune(run)
	for i := 0; i < len(kana); i++ {
		for j := min(len(kana), i+maxLoanKana); j >= i+2; j-- {
			if others := r.sounding(string(kana[i:j])); len(others) > 0 {
				all = append(all, span{len(string(kana[:i])), len(string(kana[:j])), others})
				i = j - 1
				break
			}
		}
	}
	return all
}

// maxLoanKana is the length of the longest loanword in characters.
const maxLoanKana = 12

// mostLoans is the maximum number of words that one loanword is led to.
const mostLoans = 6

// sounding returns the words of the repository that a loanword may be, by its consonants.
func (r *reader) sounding(kana string) []other {
	said := loanword.OfKana(kana)
	if len(said.Key) < 2 {
		return nil
	}
	var all []other
	seen := map[string]bool{}
	for _, word := range r.lexicon.sounding(r.snap, said.Key) {
		if term := text.Stem(word); !seen[term] {
			seen[term] = true
			all = append(all, other{word, otherLanguage})
		}
	}
	return all[:min(len(all), mostLoans)]
}
