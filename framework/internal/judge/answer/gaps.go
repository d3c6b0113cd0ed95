package answer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Gap is what a query asks for and no section holds.
type Gap struct {
	// Facet names the form of answer that is missing: period, amount, limit, weight, size, contact, place, person,
	// reason, procedure, exceptions or eligibility; "" where terms are missing.
	Facet string
	// Terms are the missing terms; none of a facet.
	Terms []string
	// Probability that it is a gap.
	Probability float64
}

// mayBeGap reports whether texts that give the facet are known by their form: a date is told in too many ways, and
// after 何 a noun that is no known counter asks which one, not how many.
func (f *facet) mayBeGap() bool { return f.name != "date" && !f.counter }

// facetFeatures name what says that no text gives a facet.
var facetFeatures = []string{"context", "given", "counts", "no number", "person"}

// facetOf returns the features of a facet: the largest share of the query that a unit which gives it holds with what is
// around it, and the share of the units that do.
func (r *reading) facetOf(f *facet) []float64 {
	context, given, all := 0.0, 0, 0
	for i := range r.units {
		u := &r.units[i]
		if u.mute {
			continue
		}
		all++
		if f.given(u.norm) {
			given++
			context = max(context, r.share(u.own|u.over|u.near|r.sections[u.section].title, r.content))
		}
	}
	return []float64{
		context, float64(given) / float64(max(1, all)), oneIf(f.counts()), oneIf(f.counts() && given == 0),
		oneIf(f.name == "person"),
	}
}

// missingFeatures name what says that a term which nothing holds is a gap, and no other word for what the texts say.
var missingFeatures = []string{"english", "share", "part", "rest", "right", "compound", "verb", "kanji"}

// missingOf returns the features of a term that nothing holds. right is the probability that the best unit answers.
func (r *reading) missingOf(n int, right float64) []float64 {
	t := &r.asked[n]
	var missing set
	thing, compound, rest := t.tokens, false, 0.0
	for i := range r.asked {
		o := &r.asked[i]
		compound = compound || o.held && strings.Contains(r.query, t.Text+o.Text)
		if o.held || !r.telling(o) {
			continue
		}
		missing |= o.tokens
		if r.beside(t, o) || r.beside(o, t) {
			thing |= o.tokens
		}
	}
	for i := range r.sections {
		rest = max(rest, r.share(r.sections[i].all, r.content&^missing))
	}
	return []float64{
		oneIf(!text.HasCJK(r.query)), r.share(thing, r.content), r.part(t),
		rest, right, oneIf(compound), oneIf(r.verb(t)), r.kanji(t),
	}
}

// part is the share of a term's tokens that the sections hold, 1 where they write a part of one with a hyphen.
func (r *reading) part(t *term) float64 {
	var all set
	for i := range r.sections {
		all |= r.sections[i].all
		for w := range strings.SplitSeq(t.Text, "-") {
			if x := (term{Term: sdk.Term{Text: w}}); len(w) >= shortWord && len(w) < len(t.Text) && r.writes(i, &x) {
				return 1
			}
		}
	}
	return r.share(t.tokens&all, t.tokens)
}

// beside reports whether a term of the query follows another.
func (r *reading) beside(a, b *term) bool {
	return strings.Contains(r.query, a.Text+" "+b.Text) || strings.Contains(r.query, a.Text+b.Text)
}

// subjects are the words that an English verb follows.
var subjects = []string{
	" i ", " you ", " we ", " they ", " it ", " to ", " can ", " must ", " should ", " not ", " is ", " are ", " be ",
	" being ", " been ", " was ",
}

// verb reports whether a term is an English verb, by its ending or the word before it. Texts put verbs in other words.
func (r *reading) verb(t *term) bool {
	before, _, _ := strings.Cut(r.query, t.Text)
	after := func(s string) bool { return strings.HasSuffix(" "+before, s) }
	return isLatin(rune(t.Text[0])) && (strings.HasSuffix(t.Text, "ed") || slices.ContainsFunc(subjects, after))
}

// kanji is the share of a term's kanji that the sections hold, 0 without any: two words for one thing share some.
func (r *reading) kanji(t *term) float64 {
	held, all := 0, 0
	for _, c := range t.Text {
		if !unicode.Is(unicode.Han, c) {
			continue
		}
		all++
		held += int(oneIf(r.writesRune(c)))
	}
	return float64(held) / float64(max(1, all))
}

// writesRune reports whether a section holds a character.
func (r *reading) writesRune(c rune) bool {
	for i := range r.sections {
		if strings.ContainsRune(r.sections[i].heading, c) {
			return true
		}
	}
	for i := range r.units {
		if strings.ContainsRune(r.units[i].norm, c) {
			return true
		}
	}
	return false
}

// missing returns the probability that a term is a gap: 0 where it is held or tells nothing, 1 for a code.
func (r *reading) missing(m *model, n int, right float64) float64 {
	t := &r.asked[n]
	code := t.Kind == sdk.TermMust && strings.ContainsAny(t.Text, "0123456789") && strings.ContainsFunc(t.Text, isLatin)
	switch {
	case t.held || !r.telling(t) && !code:
		return 0
	case code:
		return 1
	}
	return m.probability(r.missingOf(n, right))
}

// gaps adds what nothing gives: the terms in one gap, and each facet in one of its own. right is the probability that
// the best unit answers.
func (r *reading) gaps(m *fitted, right float64, out *Judgement) {
	terms := Gap{}
	for n := range r.asked {
		if word := r.asked[n].Text; !r.asked[n].held && r.in.Nearest != nil {
			if meant, ok := r.in.Nearest(word); ok {
				out.DidYouMean = append(out.DidYouMean, meant)
				continue
			}
		}
		if p := r.missing(&m.Missing, n, right); p >= leastMissing && !slices.Contains(terms.Terms, r.asked[n].Text) {
			terms.Terms, terms.Probability = append(terms.Terms, r.asked[n].Text), max(terms.Probability, p)
		}
	}
	if len(r.sections) == 0 {
		return // where nothing was found, nothing says what is missing
	}
	if len(terms.Terms) > 0 {
		out.Gaps = append(out.Gaps, terms)
		return // what is asked of a thing that is missing is missing too
	}
	for _, f := range r.facets {
		if !f.mayBeGap() || out.Answer != nil && out.Answer.Kind == f.name {
			continue
		}
		if p := m.Facet.probability(r.facetOf(f)); p >= leastFacet {
			out.Gaps = append(out.Gaps, Gap{Facet: f.name, Probability: p})
		}
	}
}
