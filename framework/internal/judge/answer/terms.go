package answer

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// term is a content term of the query.
type term struct {
	sdk.Term
	tokens set    // the query's tokens in it
	in     uint16 // the sections that hold it, by number
	found  bool   // retrieval found it, or a section has its tokens
	held   bool   // it was found, or a section holds it in any other form
	// specific: it says what the query is about, and is neither a common word nor one that asks for a facet.
	specific bool
}

// mostTerms is the maximum number of terms that are looked for.
const mostTerms = 32

// terms returns the terms of the query, with the sections that have each.
func (r *reading) terms() (out []term) {
	for _, t := range r.in.Query.Terms {
		if t.Kind == sdk.TermNegative || t.Text == "" || len(out) == mostTerms {
			continue
		}
		x := term{Term: t, tokens: r.held(t.Text), specific: r.isSpecific(t.Text)}
		x.found = slices.Contains(r.in.Held, t.Text)
		for i := range r.sections {
			if r.holds(i, &x) {
				x.in |= 1 << i
			}
		}
		x.found = x.found || x.in != 0
		// Matching forms is slow, so the first section that has one is enough.
		for i := 0; !x.found && x.in == 0 && i < len(r.sections); i++ {
			if r.writes(i, &x) {
				x.in |= 1 << i
			}
		}
		x.held = x.found || x.in != 0
		out = append(out, x)
	}
	return out
}

// holds reports whether a section has the tokens of a term, or tokens that cover it.
func (r *reading) holds(n int, t *term) bool {
	all := r.sections[n].all
	return t.tokens != 0 && all&t.tokens == t.tokens || r.covers(all, t.Text)
}

// writes reports whether a section has a term in another form: as a part of words, with other separators, or as a
// word that begins alike.
func (r *reading) writes(n int, t *term) bool {
	s := &r.sections[n]
	loose := text.Loose(t.Text)
	in := func(norm string) bool {
		if loose == "" || text.HasCJK(t.Text) {
			return strings.Contains(norm, t.Text)
		}
		if at, _ := text.IndexLoose(norm, loose); at >= 0 && len(loose) >= shortWord {
			return true
		}
		for w := range strings.FieldsFuncSeq(norm, between) {
			if sameStart(t.Text, w) {
				return true
			}
		}
		return false
	}
	if in(s.heading) || in(s.path) {
		return true
	}
	for i := s.from; i < s.to; i++ {
		if in(r.units[i].norm) {
			return true
		}
	}
	return false
}

// between reports whether a character separates words.
func between(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) }

// leastPiece is the minimum length in characters of the pieces in which a section may have a katakana term: パス and
// ポート do not make パスポート.
const leastPiece = 3

// covers reports whether the pairs of characters that a section has cover a Japanese term, as 有給 and 休暇 cover 有給休暇.
func (r *reading) covers(held set, t string) bool {
	runes := []rune(t)
	if len(runes) < 3 || !text.HasCJK(t) {
		return false
	}
	short := func(piece []rune) bool {
		return len(piece) < leastPiece && !slices.ContainsFunc(piece, func(c rune) bool { return !isKatakana(c) })
	}
	from, covered := 0, 0 // the current piece
	for i := 0; i+1 < len(runes); i++ {
		if n, ok := r.number[string(runes[i:i+2])]; ok && held&(1<<n) != 0 {
			covered = i + 2
		} else if covered <= i {
			return false
		} else if covered == i+1 {
			if short(runes[from:covered]) {
				return false
			}
			from = covered
		}
	}
	return covered == len(runes) && !short(runes[from:])
}

func isKatakana(c rune) bool { return c == 'ー' || unicode.Is(unicode.Katakana, c) }

// Minimum lengths for two words that begin alike to count as the same.
const (
	shortWord   = 5
	sharedStart = 4 // and three quarters of the shorter word
)

// sameStart reports whether two words begin alike: submit and submission.
func sameStart(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a == b || n >= sharedStart && 4*n >= 3*min(len(a), len(b)) && !strings.ContainsAny(a, "0123456789")
}

//go:embed data/common.txt
var commonData string

// common holds the words that name nothing specific.
var common = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	for line := range strings.Lines(commonData) {
		if !strings.HasPrefix(line, "#") {
			for _, w := range strings.Fields(line) {
				out[text.Skeleton(w)] = true
			}
		}
	}
	return out
})

// isSpecific reports whether a word is specific, as defined at [term].
func (r *reading) isSpecific(s string) bool {
	return utf8.RuneCountInString(s) > 1 && !common()[s] && !common()[strings.TrimSuffix(s, "s")] &&
		!strings.Contains(s, "何") && !r.asksBy(s)
}

// asksBy reports whether a term is a word that asks for a facet.
func (r *reading) asksBy(s string) bool {
	for _, f := range facets() {
		if !slices.ContainsFunc(r.facets, func(o *facet) bool { return o.name == f.name }) {
			continue
		}
		for _, a := range slices.Concat(f.asks, f.names) {
			if a = text.Skeleton(strings.TrimSpace(a)); strings.Contains(a, s) || strings.Contains(s, a) {
				return true
			}
		}
	}
	return false
}

func startsWith(s string, starts []string) bool {
	return slices.ContainsFunc(starts, func(p string) bool { return strings.HasPrefix(s, p) })
}

func isLatin(c rune) bool { return c < utf8.RuneSelf && unicode.IsLetter(c) }
