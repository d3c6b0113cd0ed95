package judge

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// twins reports whether two heading paths name two of a kind by a number, a letter or
// a code: model x1 and model x2, room 1 and room 2, 会議室1 and 会議室2.
func twins(x, y string) bool {
	if x == y {
		return false
	}
	for p := range strings.SplitSeq(x, " > ") {
		for q := range strings.SplitSeq(y, " > ") {
			if p != q && named(p, q) {
				return true
			}
		}
	}
	return false
}

// numbering counts the parts of a text; it names nothing that they are about.
var numbering = lazyregexp.New(`^\d+(?:\.\d+)*[.)、:]? |^第?\d+(?:条|章|節|項|部|編|版)|\b(?:chapter|section|part|article|step|appendix|annex|table|figure|question|version|volume|page|lesson|faq|v)\.? ?\d+(?:\.\d+)*|\b(?:part|appendix|annex) [a-z]\b|(?:別表|別紙|様式|付録|手順|質問|図|表|ステップ)第?\d+|\b(?:19|20)\d\d\b|令和\d+|平成\d+`)

// marks tell one of a kind from another.
var marks = lazyregexp.New(`[a-z]*\d[a-z0-9]*|\b[a-z]\b|[甲乙丙丁]`)

// named reports whether two titles have the same words and different marks.
func named(p, q string) bool {
	p, q = numbering().ReplaceAllString(p, ""), numbering().ReplaceAllString(q, "")
	a, b := marks().FindAllString(p, -1), marks().FindAllString(q, -1)
	if len(a) == 0 || len(b) == 0 || slices.Equal(a, b) {
		return false
	}
	rest := strings.TrimSpace(marks().ReplaceAllString(p, ""))
	return rest != "" && rest == strings.TrimSpace(marks().ReplaceAllString(q, ""))
}
