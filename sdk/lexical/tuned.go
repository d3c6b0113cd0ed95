package lexical

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Tuned gives the parameters that ship for a corpus with the fields heading and
// body. They differ by what a query is written in, since the tokens do. A word
// that comes again and again says what a section is about, and a heading names
// its subject, so words saturate late: that a section has all of them is the
// part of the coverage that fusion adds. Pairs of CJK characters saturate soon:
// those of one word repeat each other.
func Tuned(cjk bool) Params {
	if cjk {
		return Params{K1: 0.6, B: []float64{0.5, 0.5}, Weight: []float64{1, 1}}
	}
	return Params{K1: 10, B: []float64{0.5, 0.75}, Weight: []float64{4, 1}}
}

// HasCJK reports whether a normalised query has a CJK character. One makes it a
// CJK query: Latin words in a Japanese question are names.
func HasCJK(query string) bool { return strings.ContainsFunc(query, text.IsCJK) }
