package adapt

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// base are the default thresholds.
var base = Thresholds{CandidateLow: 3, FileBias: 0.80}

var policy = Policy{Base: base, MinRecall: 0.90}

// load generates searches. A load is poor if searches do not find what they need without widening.
type load struct {
	few      float64 // share of searches with 1 or 2 candidates
	thin     float64 // share with 3 to 5, which lack half of what is needed
	lopsided float64 // share with a bias of 0.70 to 0.79, which lack it too
	lost     float64 // share that no widening helps
	cutoffs  float64
}

var (
	healthy = load{few: 0.10, cutoffs: 0.05}
	poor    = load{few: 0.10, thin: 0.35, lopsided: 0.15, cutoffs: 0.05}
	blind   = load{few: 0.10, lost: 0.6, cutoffs: 0.05}
)

// row returns the result of a search with thresholds t.
func (l load) row(r *rand.Rand, t Thresholds) Row {
	row := Row{Tool: Tool, Candidates: 6 + r.IntN(100), FileBias: 0.2 + 0.4*r.Float64()}
	lacks := false
	switch x := r.Float64(); {
	case x < l.few:
		row.Candidates = 1 + r.IntN(2)
	case x < l.few+l.thin:
		row.Candidates, lacks = 3+r.IntN(3), true
	case x < l.few+l.thin+l.lopsided:
		row.FileBias, lacks = 0.70+0.09*r.Float64(), true
	case x < l.few+l.thin+l.lopsided+l.lost:
		lacks = true
	}
	if row.Candidates < t.CandidateLow {
		row.Escalation = append(row.Escalation, ReasonFew)
	}
	if row.Candidates >= biasFrom && row.FileBias >= t.FileBias {
		row.Escalation = append(row.Escalation, ReasonBias)
	}
	row.Expanded = len(row.Escalation) > 0
	if r.Float64() < 0.7 { // otherwise nothing is used
		row.Used = 1 + r.IntN(4)
		for range row.Used {
			found := 0.99
			if lacks && !row.Expanded {
				found = 0.5
			}
			if r.Float64() < found {
				row.Recalled++
			}
		}
	}
	if r.Float64() < l.cutoffs {
		row.CutoffReason = "candidate_cap"
	}
	return row
}

// course runs searches through a tuner, 200 a day, and checks the invariants on the way.
type course struct {
	t         *testing.T
	tuner     *tuner
	random    *rand.Rand
	now       time.Time
	steps     int
	rollbacks int
	used      int
	recall    float64
}

func newCourse(t *testing.T, seed uint64) *course {
	return &course{t: t, tuner: newTuner(policy, nil), random: rand.New(rand.NewPCG(seed, 1)), now: time.Unix(1_800_000_000, 0)}
}

func (c *course) run(l load, searches int, each func(Thresholds)) {
	c.t.Helper()
	c.steps, c.rollbacks, c.used, c.recall = 0, 0, 0, 0
	for range searches {
		c.now = c.now.Add(24 * time.Hour / 200)
		before := c.tuner.state
		row := l.row(c.random, before.Thresholds)
		row.Time = c.now.Unix()
		row.State = before
		c.tuner.add(row)
		if row.Used > 0 {
			c.used++
			c.recall += float64(row.Recalled) / float64(row.Used)
		}
		after := c.tuner.state
		c.check(before, after)
		each(after.Thresholds)
	}
}

func (c *course) check(before, after State) {
	c.t.Helper()
	if after.Thresholds != after.within() {
		c.t.Fatalf("out of range: %+v", after)
	}
	rolled := after.Age == 0 && after.LowAt == after.BiasAt && after.Thresholds == base
	if rolled {
		c.rollbacks++
		return
	}
	if after.Thresholds == before.Thresholds {
		return
	}
	c.steps++
	low, bias := after.CandidateLow-before.CandidateLow, after.FileBias-before.FileBias
	if low*low > 1 || bias*bias > 0.0301*0.0301 {
		c.t.Fatalf("too far at once: %+v to %+v", before, after)
	}
	if low != 0 && after.LowAt-before.LowAt < day || bias != 0 && after.BiasAt-before.BiasAt < day {
		c.t.Fatalf("again within 24 hours: %+v to %+v", before, after)
	}
}

func ignore(Thresholds) {}

func TestGoodBadAndRecoveringPhases(t *testing.T) {
	c := newCourse(t, 7)
	c.run(healthy, 3000, func(now Thresholds) {
		if now != base {
			t.Fatalf("a healthy load moved the thresholds to %+v", now)
		}
	})
	widest := base
	c.run(poor, 3500, func(now Thresholds) {
		widest = Thresholds{max(widest.CandidateLow, now.CandidateLow), min(widest.FileBias, now.FileBias)}
	})
	t.Logf("poor: widest %+v, %d steps, %d rolled back, recall %.3f", widest, c.steps, c.rollbacks, c.recall/float64(c.used))
	if widest.CandidateLow == base.CandidateLow || widest.FileBias == base.FileBias {
		t.Errorf("a poor load moved the thresholds no further than %+v", widest)
	}
	if c.rollbacks == 0 {
		t.Error("nothing was rolled back in a load that fell")
	}
	adapted := c.recall / float64(c.used)
	fixed := withoutTuning(poor, 3500)
	t.Logf("poor without tuning: recall %.3f", fixed)
	if adapted <= fixed {
		t.Errorf("tuning brought a recall of %.3f, none brings %.3f", adapted, fixed)
	}
	c.run(healthy, 3500, ignore)
	t.Logf("recovering: %d steps, %d rolled back", c.steps, c.rollbacks)
	if got := c.tuner.state.Thresholds; got != base {
		t.Errorf("recovered at %+v, want the base", got)
	}
}

// withoutTuning returns the mean proxy of a load at the base.
func withoutTuning(l load, searches int) float64 {
	random, used, recall := rand.New(rand.NewPCG(7, 2)), 0, 0.0
	for range searches {
		if r := l.row(random, base); r.Used > 0 {
			used++
			recall += float64(r.Recalled) / float64(r.Used)
		}
	}
	return recall / float64(used)
}

func TestNoDrift(t *testing.T) {
	for name, l := range map[string]load{"healthy": healthy, "poor for other reasons": blind} {
		for seed := range uint64(10) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				newCourse(t, seed).run(l, 4000, func(now Thresholds) {
					if now != base {
						t.Fatalf("drifted to %+v", now)
					}
				})
			})
		}
	}
}

// If nothing is missed, widening more than every third search costs more than it is worth.
func TestSparingSteps(t *testing.T) {
	c := newCourse(t, 3)
	least := base
	c.run(load{few: 0.5, cutoffs: 0.05}, 2000, func(now Thresholds) { least.CandidateLow = min(least.CandidateLow, now.CandidateLow) })
	if least.CandidateLow != lowLeast {
		t.Errorf("the threshold was %d at the least, want %d", least.CandidateLow, lowLeast)
	}
	c.run(poor, 2000, ignore)
	if got := c.tuner.state.CandidateLow; got < base.CandidateLow {
		t.Errorf("a poor load is searched sparingly: %d", got)
	}
}
