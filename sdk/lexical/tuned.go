package lexical

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Tuned gives the parameters that ship for a corpus with the fields heading and
// body. They differ by what a query is written in, since the tokens do: a word
// that comes again and again says what a section is about, so words saturate
// late, and a heading names its subject; of the pairs of characters of one CJK
// word each repeats what the others say.
func Tuned(cjk bool) Params {
	if cjk {
		return Params{K1: 0.6, B: []float64{0.5, 0.5}, Weight: []float64{1, 1}}
	}
	return Params{K1: 3, B: []float64{0.5, 0.75}, Weight: []float64{3, 1}}
}

// HasCJK reports whether a normalised query has a CJK character. One makes it a
// CJK query: Latin words in a Japanese question are names.
func HasCJK(query string) bool { return strings.ContainsFunc(query, text.IsCJK) }
