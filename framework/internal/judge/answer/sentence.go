package answer

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
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

// longestAnswer is the maximum number of characters of an answer.
const longestAnswer = 200

// excerpt returns the text of a unit for an answer. If the unit refers to the one before, that precedes it, unless it
// is code.
func (r *reading) excerpt(n int) string {
	u := &r.units[n]
	if utf8.RuneCountInString(u.text) > longestAnswer {
		return r.window(u.text)
	}
	if n == 0 || r.units[n-1].section != u.section || r.units[n-1].code || !startsWith(u.norm, backward) {
		return u.text
	}
	before := r.units[n-1].text
	if !text.HasCJK(before) {
		before += " "
	}
	return after(before+u.text, utf8.RuneCountInString(before)+utf8.RuneCountInString(u.text)-longestAnswer)
}

// window returns the part of a long text that contains most of the query's weight. The answer is near these words, so
// the part extends equally to both sides of them.
func (r *reading) window(s string) string {
	type place struct {
		from, to int // in characters
		token    set
	}
	var places []place
	t := text.Normalize(s)
	for tok := range text.Tokens(&t) {
		if n, ok := r.number[tok.Term]; ok {
			from, to := t.Source(tok.Start, tok.End)
			places = append(places, place{utf8.RuneCountInString(s[:from]), utf8.RuneCountInString(s[:to]), 1 << n})
		}
	}
	heaviest, start, stop := 0.0, 0, 0
	for i, first := range places {
		held := set(0)
		for _, last := range places[i:] {
			if last.to-first.from > longestAnswer {
				break
			}
			held |= last.token
			if w := r.weigh(held); w > heaviest || w == heaviest && last.to-first.from < stop-start {
				heaviest, start, stop = w, first.from, last.to
			}
		}
	}
	start -= (longestAnswer - (stop - start)) / 2
	return after(s, min(start, utf8.RuneCountInString(s)-longestAnswer))
}

// longestWord is the maximum number of characters to leave out in order to begin or end with a whole word.
const longestWord = 20

// inWord reports whether a character may stand inside a word that spaces bound.
func inWord(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !text.IsCJK(r) }

// tag matches an HTML tag that is incomplete at the end of a text.
var tag = lazyregexp.New(`</?[a-zA-Z][^<>]*$`)

// after returns what follows the first n characters of a text, at most as long as an answer. It begins with a whole
// word, and not within a tag.
func after(s string, n int) string {
	if n <= 0 {
		return Cut(s)
	}
	runes := []rune(s)
	if tag().MatchString(string(runes[:n])) {
		n += 1 + slices.Index(runes[n:], '>')
	} else if i := slices.IndexFunc(runes[n:], unicode.IsSpace); i >= 0 && i < longestWord {
		n += i + 1
	}
	for n < len(runes) && inWord(runes[n-1]) && inWord(runes[n]) {
		n++
	}
	return Cut(string(runes[n:]))
}

// Cut shortens a text to the length of an answer. What is left ends with a whole word.
func Cut(s string) string {
	out := text.CutRunes(s, longestAnswer)
	next, _ := utf8.DecodeRuneInString(s[len(out):])
	if !inWord(next) {
		return out
	}
	whole := strings.TrimRightFunc(out, inWord)
	if whole == "" || utf8.RuneCountInString(out[len(whole):]) > longestWord {
		return out
	}
	return strings.TrimRightFunc(whole, unicode.IsSpace)
}
