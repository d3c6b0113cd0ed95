package laterank

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// word is a word of the query.
type word struct {
	text   string
	weight float64
	// stem is set for a Latin word. Other words are searched as character pairs, because they may cross the boundary
	// between two runs, as in 払い戻し.
	stem    string
	letters letters
	whole   lexical.Finder
	cjk     []lexical.Finder // its pairs of two CJK characters, at most 64
}

// newWord returns a word of the query; sample is text similar to that of the sections.
func newWord(t string, weight float64, stems *text.Tokenizer, sample string) word {
	w := word{text: t, weight: weight, letters: spell(nil, t)}
	if oneWord(t) {
		w.stem = stem(stems, t)
	} else {
		w.whole = lexical.NewFinder(t, sample)
	}
	for _, p := range w.letters.pairs {
		if text.IsCJK(p[0]) && text.IsCJK(p[1]) && len(w.cjk) < 64 {
			w.cjk = append(w.cjk, lexical.NewFinder(string(p[:]), sample))
		}
	}
	return w
}

// mostWords is the maximum number of words in a query. A long pasted text has its subject in the heaviest ones.
const mostWords = 64

// query turns content terms into words, heaviest first, and sums their weights.
func query(content lexical.Terms, stems *text.Tokenizer, sample string) (words []word, total float64) {
	order := make([]int, len(content.Texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(content.Weights[b], content.Weights[a]) })
	for _, i := range order[:min(len(order), mostWords)] {
		words = append(words, newWord(content.Texts[i], content.Weights[i], stems, sample))
		total += content.Weights[i]
	}
	return words, total
}

// oneWord reports whether t is a single run of ASCII letters, digits and joints.
func oneWord(t string) bool {
	n := 0
	words(t, func(at int, word string) {
		if at == 0 && len(word) == len(t) && word[0] < utf8.RuneSelf {
			n++
		}
	})
	return n > 0
}

// stem returns the stem of a Latin word. A word of several parts has no stem.
func stem(stems *text.Tokenizer, w string) string {
	for t := range stems.Tokens(&text.Text{Norm: w}) {
		if t.Class == text.Word && t.End-t.Start == len(w) {
			return t.Term
		}
	}
	return w
}
