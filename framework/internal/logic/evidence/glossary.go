package evidence

import (
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// glossary maps a term to terms of the same or nearly the same meaning, in either language.
type glossary struct {
	others map[string][]other // by normalised term; English terms are stemmed
	terms  dict.Vocabulary    // the Japanese terms
}

var bundled = sync.OnceValue(func() *glossary {
	g := &glossary{others: map[string][]other{}}
	g.take(dict.Backend(), 1)
	g.take(dict.Related(), relatedShare)
	slices.Sort(g.terms)
	g.terms = slices.Compact(g.terms)
	return g
})

// take adds a list; share scales the weight of its words.
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
	start, end int // byte offsets in the normalised question
	others     []other
}

// other is another term for a piece of a question, and how certain it is.
type other struct {
	term   string
	weight float64
}

// spans returns the pieces of a normalised question that the glossary knows or that sound like words of the repository.
// They are in order and do not overlap.
func (r *reader) spans(norm string) []span {
	var all []span
	for _, p := range bundled().terms.Find(norm) {
		all = append(all, span{p.Start, p.End, bundled().others[p.Word]})
	}
	known := all // not passed yet
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

// loanwords cuts a run of katakana into the longest words that sound like words of the repository: ステータスコード is "status"
// and "code".
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

// maxLoanKana is the maximum length of a loanword in characters.
const maxLoanKana = 12

// mostLoans is the maximum number of words for one loanword.
const mostLoans = 6

// sounding returns the words of the repository that a loanword may be, compared by consonants.
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
