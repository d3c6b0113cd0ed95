package answer

import "math"

// choice is the unit chosen as the answer.
type choice struct {
	unit         int // -1 for none
	z            []float64
	probability  float64 // among the units
	inSection    float64 // probability of all units of its section
	own, context float64 // share of the query that it covers, alone and with its context
}

// choose ranks the units that may answer.
func (r *reading) choose(m *model) choice {
	c := choice{unit: -1, z: make([]float64, len(r.units))}
	widest := r.widest()
	for i := range r.units {
		if r.units[i].mute {
			c.z[i] = math.Inf(-1)
			continue
		}
		x := r.sentenceOf(&r.units[i], widest)
		c.z[i] = dot(m.Weights, x)
		if c.unit < 0 || c.z[i] > c.z[c.unit] {
			c.unit, c.own, c.context = i, x[0], x[2]
		}
	}
	if c.unit < 0 {
		return c
	}
	sum, own := 0.0, 0.0
	for i, z := range c.z {
		e := math.Exp(z - c.z[c.unit])
		if sum += e; r.units[i].section == r.units[c.unit].section {
			own += e
		}
	}
	c.probability, c.inSection = 1/sum, own/sum
	return c
}

// mostMargin limits how far below the best unit a section's best unit counts.
const mostMargin = 5.0

// verdictFeatures are the names of the features of the answer as a whole.
var verdictFeatures = []string{
	"probability", "own", "context", "all held", "weight", "runner-up", "matched", "things",
	"uncovered", "section", "number",
}

// verdictOf returns the features of the answer as a whole.
func (r *reading) verdictOf(c *choice) []float64 {
	var together, second, things, uncovered, section, number float64
	for i := range r.sections {
		together = max(together, r.share(r.sections[i].all, r.content))
	}
	if len(r.evidences) > 1 {
		second = r.scoreShare(1)
	}
	if c.unit >= 0 {
		u := &r.units[c.unit]
		things, uncovered = r.thingsIn(u.section), math.Log(1+r.weigh(r.content&^u.own))
		section, number = c.inSection, r.gives(u, true)
	}
	return []float64{
		c.probability, c.own, c.context, together, math.Log(1 + r.weigh(r.content)), second,
		math.Log(float64(1 + r.in.Matched)), things, uncovered, section, number,
	}
}

// thingsIn returns the share of the query's specific terms that a section has.
func (r *reading) thingsIn(n int) float64 {
	things, held := 1, 1
	for i := range r.asked {
		if t := &r.asked[i]; t.specific {
			things++
			held += int(t.in >> n & 1)
		}
	}
	return float64(held) / float64(things)
}

// relevanceFeatures are the names of the features of a section's relevance.
var relevanceFeatures = []string{
	"lead", "coverage", "rank", "sentence", "things", "weight", "matched", "few terms", "lead of things", "gap",
}

// relevanceOf returns the features of a section. gap is the largest probability of any gap: if no section has a part
// of what is asked, a section with the other part may lead by far.
func (r *reading) relevanceOf(n int, c *choice, verdict []float64, gap float64) []float64 {
	s := &r.sections[n]
	lead := 0.0
	if n+1 < len(r.evidences) {
		lead = r.scoreShare(n) - r.scoreShare(n+1)
	}
	sentence := -mostMargin
	for i := s.from; i < s.to && c.unit >= 0; i++ {
		sentence = max(sentence, c.z[i]-c.z[c.unit])
	}
	things := r.thingsIn(n)
	return []float64{
		lead, r.share(s.all, r.content), math.Log(float64(1 + s.rank)), sentence, things, verdict[4], verdict[6],
		1 / float64(1+len(r.asked)), lead * things, gap,
	}
}
