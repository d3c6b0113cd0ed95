package lexical

import (
	"cmp"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Weights are the weights of the token classes.
type Weights struct {
	Word, Exact, Whole, Unigram, Bigram float64
	// CommonKana is the largest share of sections in which a bigram of hiragana may occur. A more frequent one is
	// ignored: it is grammar, slow to score and has no meaning of its own.
	CommonKana float64
}

// DefaultWeights returns the tuned weights, which the bundled strategies use too.
func DefaultWeights() Weights {
	return Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.5, Bigram: 1, CommonKana: 0.05}
}

// Bag is a query as weighted dictionary terms.
type Bag struct {
	Query
	// Names holds the token of each slot as text, for explanations.
	Names []string
}

// slot is a token that counts for coverage.
type slot struct {
	term string
	name string
	idf  float64
}

// NewBag cuts the query's text into terms of the snapshot's dictionary. Words and bigrams count for
// coverage, but at most the [MaxSlots] rarest of them. A term without postings does not count,
// since it does not distinguish sections. The threshold is q.MatchThreshold, and Must has the slots of each term of
// kind must.
func NewBag(snap *snapshot.Snapshot, q *sdk.Query, w Weights) *Bag {
	b := &Bag{Query: Query{Threshold: q.MatchThreshold}}
	n := snap.Population()
	var slots []slot
	for _, tok := range wholeQuery(snap, q.Text) {
		df := snap.DocFreq(tok.Term)
		if df == 0 || tok.kana && float64(df) > w.CommonKana*float64(n) {
			continue
		}
		b.Terms = append(b.Terms, Term{Text: tok.Term, Weight: w.of(tok.Class), Slot: -1, df: df})
		if tok.counts {
			slots = append(slots, slot{term: tok.Term, name: tok.name, idf: IDF(n, df)})
		}
	}
	b.assign(slots)
	b.addMust(snap, q.Terms)
	return b
}

func (w Weights) of(c text.Class) float64 {
	switch c {
	case text.Word:
		return w.Word
	case text.Exact:
		return w.Exact
	case text.Whole:
		return w.Whole
	case text.Unigram:
		return w.Unigram
	}
	return w.Bigram
}

// assign numbers the slots and sets each slot's share of the coverage.
func (b *Bag) assign(slots []slot) {
	if len(slots) > MaxSlots {
		slices.SortStableFunc(slots, func(x, y slot) int { return cmp.Compare(y.idf, x.idf) })
		slots = slots[:MaxSlots]
	}
	var total float64
	number := make(map[string]int, len(slots))
	for i, s := range slots {
		total += s.idf
		number[s.term] = i
		b.Names = append(b.Names, s.name)
	}
	for _, s := range slots {
		b.Share = append(b.Share, s.idf/total)
	}
	for i := range b.Terms {
		if n, ok := number[b.Terms[i].Text]; ok {
			b.Terms[i].Slot = n
		}
	}
}

// addMust turns must terms into slot masks, which are verified on the text.
func (b *Bag) addMust(snap *snapshot.Snapshot, terms []sdk.Term) {
	slotOf := make(map[string]int, len(b.Terms))
	for _, t := range b.Terms {
		if t.Slot >= 0 {
			slotOf[t.Text] = t.Slot
		}
	}
	var must []string
	for _, t := range terms {
		if t.Kind != sdk.TermMust {
			continue
		}
		var mask uint64
		for _, tok := range content(snap, t.Text) {
			if n, ok := slotOf[tok.Term]; ok {
				mask |= 1 << n
			}
		}
		if mask != 0 {
			b.Must = append(b.Must, mask)
			must = append(must, t.Text)
		}
	}
	b.Verify = func(section uint32, i int) bool {
		return someField(snap, section, func(norm string) bool { return writes(norm, must[i]) })
	}
}

// SlotNames returns the names of a set of slots.
func (b *Bag) SlotNames(slots uint64) []string {
	out := slices.Grow([]string(nil), bits.OnesCount64(slots)) // nil for no slot
	for i, name := range b.Names {
		if slots&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// token is a token of the query with the data that NewBag needs.
type token struct {
	text.Token
	name   string // as in the query
	kana   bool   // a bigram or unigram of hiragana only
	counts bool   // counts for coverage
}

// mostTokens is the maximum number of distinct tokens of a query.
const mostTokens = 1024

// tokens returns the distinct tokens of a query in order. It drops English stop words unless the
// query has nothing else.
func tokens(query string) []token {
	t := text.Normalize(query)
	most := min(mostTokens, len(t.Norm)/2+1) // CJK characters and their pairs
	all, seen := make([]token, 0, most), make(map[string]bool, most)
	for tok := range text.Tokens(&t) {
		if len(seen) == mostTokens {
			break
		}
		if tok.Class >= text.Bridge || seen[tok.Term] {
			continue
		}
		seen[tok.Term] = true
		name := t.Norm[tok.Start:tok.End]
		counts := tok.Class == text.Word || tok.Class == text.Bigram || tok.Class == text.Unigram && alone(t.Norm, tok)
		all = append(all, token{Token: tok, name: name, kana: text.IsHiragana(name), counts: counts})
	}
	stops := func(x token) bool { return text.EnglishStop(x.name) }
	if !slices.ContainsFunc(all, func(x token) bool { return !stops(x) }) {
		return all
	}
	return slices.DeleteFunc(all, stops)
}

// alone reports whether a unigram has no CJK neighbour, and so is in no bigram.
func alone(norm string, tok text.Token) bool {
	before, _ := utf8.DecodeLastRuneInString(norm[:tok.Start])
	after, _ := utf8.DecodeRuneInString(norm[tok.End:])
	return !text.IsCJK(before) && !text.IsCJK(after)
}

// TokenNames returns the tokens of a term that count for coverage, as [Bag.SlotNames] names them.
func TokenNames(term string) []string {
	var out []string
	for _, tok := range content(nil, term) {
		if tok.counts {
			out = append(out, tok.name)
		}
	}
	return out
}
