package rule

import (
	"slices"
	"strings"
)

// need is what rules of a kind must share to be about the same subject: of the
// code's words those that the specification holds, and the reverse.
type need struct{ about, topic float64 }

var needs = map[Kind]need{
	Amount:   {.5, .25},
	Members:  {.5, .2},
	State:    {.5, .25},
	Status:   {.5, .2},
	Presence: {0, .25},
	Effect:   {.7, .4},
}

// sameAmount is what an equal number adds to a fit: where two rules name one,
// they rather speak of it than of other numbers.
const sameAmount = .5

// pairs are the rules of two sources that are about the same subject; near is how near
// their files are.
func (s scale) pairs(has, wants *Source, near float64) []pair {
	found := []pair{}
	for h := range has.Rules {
		for w := range wants.Rules {
			a, b := &has.Rules[h], &wants.Rules[w]
			if a.Kind != b.Kind {
				continue
			}
			p := pair{has: has, wants: wants, hasRule: a, wantsRule: b}
			if a.Kind == Order {
				p.judgement, p.fit = s.ordered(has, a, b)
			} else if fit, ok := s.fit(has, a, b, near); ok {
				p.judgement, p.fit = compare(*a, *b), fit
				if a.Kind == Amount && a.Amount.same(b.Amount) {
					p.fit += sameAmount
				}
			}
			if a.Kind == State && p.what != "" && mentions(has.text, b.Values[0]) {
				p.judgement = agreed
			}
			if p.agree || p.what != "" {
				found = append(found, p)
			}
		}
	}
	return found
}

// strange is how near files are at most that need more than one idea in common: a title
// is a title of something else there.
const strange = .2

// besideHome is what nearness adds to a fit.
const besideHome = .3

// partly is how much of a rule's own subject is enough where its unit holds all else that
// a statement speaks of.
const partly = .3

// wholly is how much of a statement a unit says that is surely about it.
const wholly = .75

// akin reports whether lists share so many values that they list the same.
func akin(has, wants []string) bool {
	common := 0
	for _, v := range wants {
		if slices.ContainsFunc(has, func(h string) bool { return strings.EqualFold(h, v) }) {
			common++
		}
	}
	return common >= 2 && 2*common >= max(len(has), len(wants))
}

// saysSo reports whether what a unit is there for tells that a rule is about a
// statement, though the words of its line do not: where it gives a state or draws the
// line at the same number, or is called as the state that it should give.
func (s scale) saysSo(has *Source, a, b *Rule) bool {
	switch {
	case a.Kind == State && len(shared(has.Names, b.goal)) > 0:
		return true
	case a.Kind == State && s.covered(has.Names, b.wanted) == 1:
		return true
	case a.Kind == State, a.Kind == Amount && a.Op != "" && b.Op != "" && a.Amount.same(b.Amount):
		return s.covered(b.wanted, has.said, a.About, a.around, a.field) >= wholly
	}
	return false
}

// fit tells how well two rules are about the same subject, from 0 to 2 and what nearness
// adds. The farther their files are, the more they need to share.
func (s scale) fit(has *Source, a, b *Rule, near float64) (float64, bool) {
	if near < strange && len(shared(a.About, b.wanted)) < 2 {
		return 0, false
	}
	about, topic := s.covered(a.About, b.wanted), s.covered(b.wanted, has.Topic, a.About, a.around, a.field)
	if a.Kind == Effect && a.Called {
		about = s.called(a, b.wanted)
	}
	n := needs[a.Kind]
	if s.saysSo(has, a, b) || a.Kind != Effect && about >= partly && topic >= wholly && near >= .5 {
		about = max(about, n.about)
	}
	fit := about + topic + besideHome*near
	switch {
	case a.Kind == Members && near >= .5 && akin(a.Values, b.Values), a.Kind == Presence && near >= .5 && compound(b.Values, a.Values[0]):
		return fit, true
	case about < n.about, about == 0 && a.Kind != Presence, a.field != nil && len(shared(a.field, b.wanted)) == 0:
		return 0, false
	case a.Kind == Status && a.Excess != b.Excess && topic < wholly: // one speaks of too much, the other does not
		return 0, false
	}
	return fit, topic >= n.topic*(1.5-near)
}

// called tells how well a call is what a statement speaks of: all that it does,
// and something of what it is done to.
func (s scale) called(a *Rule, wanted Words) float64 {
	if s.covered(a.Outcome, wanted) < 1 || len(shared(a.About.without(a.Outcome), wanted)) == 0 {
		return 0
	}
	return 1
}

// compound reports whether a field of several words is one that a statement names: no
// other word is needed to know it.
func compound(names []string, field string) bool {
	return len(strings.Fields(apartWords(field))) > 1 && slices.ContainsFunc(names, func(n string) bool { return fieldKey(n) == fieldKey(field) })
}

// mentions reports whether code holds a value as a string or a member.
func mentions(source, value string) bool {
	for _, open := range []string{`"`, "'", "."} {
		if strings.Contains(strings.ToLower(source), open+strings.ToLower(value)) {
			return true
		}
	}
	return false
}

// ordered judges whether the steps of a unit follow in the order that is wanted.
func (s scale) ordered(has *Source, a, b *Rule) (judgement, float64) {
	common := shared(b.First, b.Then)
	topic := s.covered(b.wanted, has.Topic)
	first, atFirst := s.step(a.steps, b.First.without(common))
	then, atThen := s.step(a.steps, b.Then.without(common))
	if atFirst < .5 || atThen < .5 || first == then || topic == 0 && min(atFirst, atThen) < .8 {
		return silent, 0
	}
	a.Line, a.Text = a.steps[then].line, a.steps[then].text
	return equal(first < then, Order), atFirst + atThen
}

// step is the first of the steps that holds the most of some words.
func (s scale) step(steps []step, words Words) (best int, covered float64) {
	for i, at := range steps {
		if c := s.covered(words, at.words); c > covered+1e-9 {
			best, covered = i, c
		}
	}
	return best, covered
}

func (w Words) without(others Words) Words {
	rest := Words{}
	for word := range w {
		if !others[word] {
			rest[word] = true
		}
	}
	return rest
}
