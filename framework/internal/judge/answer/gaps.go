package answer

import (
	"math"
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

// Suggestion is a spelling of the corpus for a word of the query.
type Suggestion struct{ Word, Meant string }

// facetFeatures name what says that no text gives a facet.
var facetFeatures = []string{"own", "section", "sentence", "units", "counts", "counter", "person", "no counter"}

// facetOf returns the features of a facet: how much of the query the units hold that give it, beside the others.
func (r *reading) facetOf(f *facet, c *choice) []float64 {
	var own, all float64
	z, units := -mostMargin, 0
	for i := range r.units {
		u := &r.units[i]
		if asks(u.norm) {
			continue
		}
		if f.given(u.norm) {
			own = max(own, r.share(u.own, r.content))
			all = max(all, r.share(r.sections[u.section].all, r.content))
			z = max(z, c.z[i]-c.z[c.unit])
			units++
		}
	}
	return []float64{
		own, all, z, math.Log(float64(1 + units)), oneIf(f.counts()), oneIf(f.counter), oneIf(f.name == "person"),
		oneIf(f.counter && units == 0),
	}
}

// leastGiven is the share of the query that a unit with what is around it holds which surely gives a facet of it.
const leastGiven = 0.6

// givenOn is the largest share of the query that a unit which gives a facet holds with what is around it.
func (r *reading) givenOn(f *facet) (most float64) {
	for i := range r.units {
		if u := &r.units[i]; f.given(u.norm) && !asks(u.norm) {
			most = max(most, r.share(u.own|u.over|u.near|r.sections[u.section].title, r.content))
		}
	}
	return most
}

// missingFeatures name what says that a term which nothing holds is a gap.
var missingFeatures = []string{"katakana", "of few", "share"}

// missingOf returns the features of a term that nothing holds.
func (r *reading) missingOf(n int) []float64 {
	t := &r.asked[n]
	katakana := strings.ContainsFunc(t.Text, func(c rune) bool { return unicode.Is(unicode.Katakana, c) })
	return []float64{
		oneIf(katakana), 1 / float64(1+len(r.asked)), r.share(t.tokens, r.content),
	}
}

// thingsMissing is the share of the things that the query names which nothing holds.
func (r *reading) thingsMissing() float64 {
	things, missing := 0, 0
	for i := range r.asked {
		if r.thing(&r.asked[i]) {
			things++
			missing += int(oneIf(!r.asked[i].held))
		}
	}
	return float64(missing) / float64(max(1, things))
}

// missing returns the probability that a term is a gap. Texts paraphrase kanji and English words most: the former are
// none, the latter where most of the things that the query names are missing.
func (r *reading) missing(m *model, n int) float64 {
	t := &r.asked[n]
	code := t.Kind == sdk.TermMust && strings.ContainsAny(t.Text, "0123456789") && strings.ContainsFunc(t.Text, isLatin)
	switch {
	case t.held || !r.thing(t) && !code:
		return 0
	case code:
		return 1
	case strings.ContainsFunc(t.Text, isLatin) && !text.HasCJK(r.query) && r.thingsMissing() <= 0.5:
		return 0
	}
	return m.probability(r.missingOf(n))
}

// gaps adds what nothing gives: the terms in one gap, and each facet in one of its own.
func (r *reading) gaps(m *fitted, c *choice, out *Judgement) {
	terms := Gap{}
	for n := range r.asked {
		if word := r.asked[n].Text; !r.asked[n].held && r.in.Nearest != nil {
			if meant, ok := r.in.Nearest(word); ok {
				out.DidYouMean = append(out.DidYouMean, Suggestion{word, meant})
				continue
			}
		}
		if p := r.missing(&m.Missing, n); p >= leastMissing && !slices.Contains(terms.Terms, r.asked[n].Text) {
			terms.Terms, terms.Probability = append(terms.Terms, r.asked[n].Text), max(terms.Probability, p)
		}
	}
	if len(terms.Terms) > 0 {
		out.Gaps = append(out.Gaps, terms)
		return // what is asked of a thing that is missing is missing too
	}
	for _, f := range r.facets {
		least := leastFacet
		if !f.counts() {
			least = leastWorded
		}
		if r.givenOn(f) >= leastGiven || out.Answer != nil && out.Answer.Kind == f.name {
			continue
		}
		if p := m.Facet.probability(r.facetOf(f, c)); f.name != "date" && p >= least {
			out.Gaps = append(out.Gaps, Gap{Facet: f.name, Probability: p})
		}
	}
}
