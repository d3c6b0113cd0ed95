package tension

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// pair is two sentences of different sections, with values that several features need.
type pair struct {
	a, b *read
	like float64
	// differs says that two amounts of one dimension differ, agrees that two are equal, and dated that the
	// differing ones are calendar amounts.
	differs, dated, agrees bool
	whether                bool // the query is a yes-or-no question
}

func (r *reading) pair(a, b *read) pair {
	p := pair{a: a, b: b, like: likeness(a, b), whether: r.whether}
	p.differs, p.dated, p.agrees = compareAmounts(a.amounts, b.amounts)
	return p
}

// feature is a named measure of a pair. It is symmetric in the two sentences.
type feature struct {
	name string
	of   func(*pair) float64
}

// features are the features of the model; docs/reference/tensions.md says what each gains.
var features = [...]feature{
	{"cover_max", func(p *pair) float64 { return max(p.a.cover, p.b.cover) }},
	{"section_min", func(p *pair) float64 { return min(p.a.section, p.b.section) }},
	{"numbers_none", func(p *pair) float64 { return flag(p.numberless()) }},
	{"numbers_none_open", func(p *pair) float64 { return flag(p.numberless() && !p.whether) }},
	{"negation_both", func(p *pair) float64 { return flag(p.both(negation)) }},
	{"universal_both", func(p *pair) float64 { return flag(p.both(universal)) }},
	{"order_both", func(p *pair) float64 { return flag(p.both(order)) }},
	{"length_max", func(p *pair) float64 { return max(p.a.length, p.b.length) }},
	{"like_different", func(p *pair) float64 { return p.like * flag(p.turned()) }},
	{"titles_shared", func(p *pair) float64 { return titlesShared(p.a, p.b) }},
	{"answer_max", (*pair).answerMax},
	{"answer_min", (*pair).answerMin},
}

// sentenceFeatures are those by which the pair to show for two sections is chosen.
var sentenceFeatures = [...]feature{
	{"answer_max", (*pair).answerMax},
	{"answer_min", (*pair).answerMin},
	{"cover_min", func(p *pair) float64 { return min(p.a.cover, p.b.cover) }},
	{"length_min", func(p *pair) float64 { return min(p.a.length, p.b.length) }},
	{"negation_both", func(p *pair) float64 { return flag(p.both(negation)) }},
	{"negation_one", func(p *pair) float64 { return flag(p.one(negation)) }},
	{"numbers_both", func(p *pair) float64 { return flag(len(p.a.amounts) > 0 && len(p.b.amounts) > 0) }},
}

func (p *pair) answerMax() float64 { return max(p.a.answers, p.b.answers) }
func (p *pair) answerMin() float64 { return min(p.a.answers, p.b.answers) }

// vector holds a pair's value of each feature.
type vector [len(features)]float64

func (p *pair) measure() (v vector) {
	for i := range features {
		v[i] = features[i].of(p)
	}
	return v
}

// tells returns how well a pair shows what two sections contradict each other on.
func (p *pair) tells(weights map[string]float64) (sum float64) {
	for i := range sentenceFeatures {
		sum += weights[sentenceFeatures[i].name] * sentenceFeatures[i].of(p)
	}
	return sum
}

func (p *pair) one(c cues) bool    { return (p.a.cues&c != 0) != (p.b.cues&c != 0) }
func (p *pair) both(c cues) bool   { return p.a.cues&c != 0 && p.b.cues&c != 0 }
func (p *pair) either(c cues) bool { return (p.a.cues|p.b.cues)&c != 0 }

// opposed reports whether one sentence permits and the other forbids.
func (p *pair) opposed() bool { return p.a.stance()*p.b.stance() < 0 }

func (p *pair) numberless() bool { return len(p.a.amounts) == 0 && len(p.b.amounts) == 0 }

// turned reports whether the sentences differ in a number or, if the query asks whether something is so, in a negation,
// a permission or their scope.
func (p *pair) turned() bool {
	return p.differs || p.whether && (p.one(negation) || p.one(universal) || p.opposed())
}

func (s *read) stance() int {
	switch {
	case s.cues&forbid != 0:
		return -1
	case s.cues&permit != 0:
		return 1
	}
	return 0
}

// kind returns what the sentences differ in. If in several ways, it returns the most significant.
func (p *pair) kind() Kind {
	switch {
	case p.dated:
		return Date
	case p.differs:
		return Number
	case p.both(order):
		return Procedure
	case p.either(define):
		return Definition
	case p.one(universal):
		return Exception
	case p.opposed() || p.one(negation):
		return Polarity
	}
	return Scope
}

// titlesShared returns the share of titles at the same position in two heading paths. The file of a section without
// a title over all its sections counts as a title.
func titlesShared(a, b *read) float64 {
	n := 0
	for i := range min(len(a.titles), len(b.titles)) {
		n += count(a.titles[i] == b.titles[i])
	}
	of := max(len(a.titles), len(b.titles), 1)
	if a.file == b.file && a.titles[0] != b.titles[0] {
		n, of = n+1, of+1
	}
	return float64(n) / float64(of)
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// nameable reports whether the sentences differ in something that can be named, without which no conflict is asserted:
// different numbers or, if the query asks whether something is so, what only one of them negates, permits or says of
// all. With other queries it is open whether the sentences disagree on anything else.
func (g *candidates) nameable(p *pair) bool {
	switch {
	case p.a.quotes() || p.b.quotes() || g.editions(p):
		return false
	case p.differs:
		return true
	case p.like >= same: // otherwise equal: only what one sentence negates or forbids
		return p.whether && !p.agrees && (p.one(negation) || p.opposed())
	}
	return p.whether && (!p.agrees && p.turned() || p.both(order) || p.both(universal))
}

// quotes reports whether the sentence begins with a quotation: what somebody said is not what the text says.
func (s *read) quotes() bool { return strings.IndexAny(s.source, "\"“「") == 0 }

// editions reports whether the sections apply to different years, so that they do not contradict each other: their
// titles differ only in years, or have another year than the query.
func (g *candidates) editions(p *pair) bool {
	a, b := strings.Join(p.a.titles, " > "), strings.Join(p.b.titles, " > ")
	other := func(titles string) bool {
		y := year().FindString(titles)
		return y != "" && g.year != "" && y != g.year
	}
	return other(a) || other(b) || a != b && year().ReplaceAllString(a, "") == year().ReplaceAllString(b, "")
}

var year = lazyregexp.New(`(?:19|20)\d\d`)

// same is the minimum likeness of two sentences that say the same in the same words, apart from numbers.
const same = 0.8

const mostAmounts = 12 // of one sentence

// amounts returns the amounts in a folded sentence.
func amounts(s string) []quantity.Amount {
	all := slices.DeleteFunc(quantity.Read(s), func(a quantity.Amount) bool { return a.Dimension == "" })
	return all[:min(len(all), mostAmounts)]
}

// compareAmounts reports whether two sentences have a common dimension without a common value (differs), whether
// that is a calendar dimension (dated), and whether they have a common value (agrees).
func compareAmounts(a, b []quantity.Amount) (differs, dated, agrees bool) {
	for i := range a {
		switch shared, same := meet(a, b, a[i].Dimension); {
		case same:
			agrees = true
		case shared && !differs:
			differs, dated = true, a[i].Dated()
		}
	}
	return differs, dated, agrees
}

// meet reports whether two sentences share a dimension, and a value of it.
func meet(a, b []quantity.Amount, dimension string) (shared, same bool) {
	for i := range a {
		for j := range b {
			if a[i].Dimension == dimension && b[j].Dimension == dimension {
				shared, same = true, same || a[i].HeldBy(&b[j]) || b[j].HeldBy(&a[i])
			}
		}
	}
	return shared, same
}
