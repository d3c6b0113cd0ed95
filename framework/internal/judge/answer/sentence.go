package answer

import (
	"cmp"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// sentenceFeatures are the names of the features of a unit as the answer.
var sentenceFeatures = []string{
	"own", "own grammar", "context", "section", "of the best", "rank", "score", "number", "form",
	"length", "near", "first", "terms", "own terms",
}

// sentenceOf returns the features of a unit. best is the widest coverage of any unit.
func (r *reading) sentenceOf(u *unit, best float64) []float64 {
	s := &r.sections[u.section]
	own, all := r.share(u.own, r.content), u.own|u.over|s.title
	terms, ownTerms := r.termsIn(u)
	return []float64{
		own, r.share(u.own, r.grammar), r.share(all, r.content), r.share(s.all, r.content), own / cmp.Or(best, 1),
		math.Log(float64(1 + s.rank)), r.scoreShare(u.section), r.gives(u, true), r.gives(u, false),
		math.Log(float64(1 + utf8.RuneCountInString(u.norm))), r.share(u.near, r.content), oneIf(u.first),
		terms, ownTerms,
	}
}

// gives returns 1 if a unit has the form of a requested facet, -1 if it has the form of none, and 0 if none is
// requested. counts selects the facets that are given by a number, or the others.
func (r *reading) gives(u *unit, counts bool) float64 {
	given := 0.0
	for n, f := range r.facets {
		if f.counts() != counts {
			continue
		}
		if u.gives>>n&1 != 0 {
			return 1
		}
		given = -1
	}
	return given
}

// asks reports whether a text is a question.
func asks(norm string) bool {
	return strings.HasSuffix(norm, "?") || strings.HasSuffix(norm, "か。") || strings.HasSuffix(norm, "か")
}

// widest returns the widest coverage of any unit.
func (r *reading) widest() (best float64) {
	for i := range r.units {
		best = max(best, r.share(r.units[i].own, r.content))
	}
	return best
}

// termsIn returns the shares of the query's terms that occur whole in a unit with its context (lead or header),
// and in the unit alone.
func (r *reading) termsIn(u *unit) (context, own float64) {
	all := r.sections[u.section].title | u.own | u.over
	for i := range r.asked {
		t := &r.asked[i]
		in := func(held set, norm string) bool {
			return t.tokens != 0 && held&t.tokens == t.tokens || t.tokens == 0 && strings.Contains(norm, t.Text)
		}
		inUnit := in(u.own, u.norm)
		own += oneIf(inUnit)
		context += oneIf(inUnit || in(all, r.sections[u.section].heading))
	}
	n := float64(max(1, len(r.asked)))
	return context / n, own / n
}

// backward lists words at the start of a sentence that refer to the text before it.
var backward = []string{
	"これ", "この", "それ", "その", "ここ", "そこ", "こう", "そう", "同", "彼", "あの",
	"it ", "its ", "this ", "these ", "they ", "their ", "he ", "she ", "his ", "her ", "that ", "those ", "such ",
}

// pointsBack reports whether a sentence cannot be understood without the one before.
func pointsBack(norm string) bool { return startsWith(norm, backward) }

// longestAnswer is the maximum number of characters of an answer.
const longestAnswer = 200

// excerpt returns the text of a unit for an answer, with the unit before if it points back to that.
func (r *reading) excerpt(n int) string {
	u := &r.units[n]
	s := u.text
	if n > 0 && r.units[n-1].section == u.section && pointsBack(u.norm) {
		before := r.units[n-1].text
		if !text.HasCJK(before) {
			before += " "
		}
		if utf8.RuneCountInString(before)+utf8.RuneCountInString(s) <= longestAnswer {
			s = before + s
		}
	}
	return Cut(s)
}

// Cut shortens a text to the length of an answer.
func Cut(s string) string { return text.CutRunes(s, longestAnswer) }
