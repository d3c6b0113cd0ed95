package adapt

import (
	"math"
	"time"
)

// Thresholds decide when a search widens (stage 4).
type Thresholds struct {
	// CandidateLow: a search with fewer candidates widens. 2 to 6.
	CandidateLow int `json:"candidate_low_threshold"`
	// FileBias: a search of five candidates or more widens when one file holds
	// this share of them or more. 0.70 to 0.90, in hundredths.
	FileBias float64 `json:"file_bias_threshold"`
}

// The ranges and steps that the requirements fix.
const (
	lowLeast, lowMost   = 2, 6
	biasLeast, biasMost = 0.70, 0.90
	biasStep            = 0.03
	biasFrom            = 5 // candidates from which on the bias counts
)

// within brings thresholds into their ranges.
func (t Thresholds) within() Thresholds {
	return Thresholds{max(lowLeast, min(lowMost, t.CandidateLow)),
		hundredths(max(biasLeast, min(biasMost, t.FileBias)))}
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// State are the thresholds with what is needed to go on from them. Each row
// carries it, so that the state is recovered from the rows alone.
type State struct {
	Thresholds
	// Base is where the thresholds began and roll back to.
	Base Thresholds `json:"threshold_base"`
	// LowAt and BiasAt are when each threshold last changed, in seconds since
	// 1970, 0 for never.
	LowAt  int64 `json:"candidate_low_changed"`
	BiasAt int64 `json:"file_bias_changed"`
	// Age counts the rows since either changed.
	Age int `json:"threshold_age"`
}

// Policy is what the user may set.
type Policy struct {
	Base Thresholds
	// MinRecall is the recall proxy that must be kept, in [0, 1].
	MinRecall float64 `setting:"ADAPTIVE_MIN_RECALL" guest:"" min:"0" max:"1" default:"0.90" doc:"share of what is used that searches must have found"`
}

// atEase is the recall from which on width may be given up: half way from what
// must be kept to all there is, so that giving it up does not at once ask for
// it back.
func (p Policy) atEase() float64 { return (1 + p.MinRecall) / 2 }

// When thresholds move, in seconds.
const (
	day = int64(24 * time.Hour / time.Second)
	// minStay is how long a threshold that was widened stays before it goes back
	// towards its base, so that what helped is not undone the next day.
	minStay = 3 * day
)

// tuner moves thresholds by the rows it is given. It has no clock and does no
// I/O: the same rows in the same order give the same thresholds, in whatever
// process.
//
// Towards which side a step goes, and why. Widening costs time and tokens and
// finds more, so the least widening that keeps the recall proxy at MinRecall is
// wanted. Both thresholds are judged over the last 100 rows, each moves at most
// one step in 24 hours, and none moves on fewer than 20 rows with a proxy.
//
//   - Recall below MinRecall: candidate_low_threshold +1 and file_bias_threshold
//     −0.03, so that more searches widen. A threshold takes the step only when a
//     tenth of the searches with a poor proxy did not widen and would on the way
//     to the end of its range; otherwise width is not what they lack, and it
//     stays. A threshold on the sparing side of its base goes back in any case.
//   - Recall at ease, at least half way from MinRecall to 1: a threshold on the
//     widening side goes one step back to its base, at the earliest three days
//     after its last change. At its base or beyond it takes a sparing step
//     (−1, +0.03) only when it alone widens over 30 % of the searches.
//   - In between nothing moves, but what is on the sparing side goes back.
//   - Roll back: with a threshold off its base, every hundredth row after the
//     last change compares the last 100 rows with the 100 before. Recall lower by
//     3 points or cutoffs more frequent by 5 points put both thresholds to their
//     base, where they stay for 24 hours.
//
// A healthy load, whose recall is at ease and that seldom widens, meets none of
// these conditions at the base and leads back to it from the widening side.
type tuner struct {
	policy Policy
	state  State
	seen   []sample // the last two windows, oldest first
	begun  bool
}

// newTuner starts at the base. A base out of range is brought into it.
func newTuner(p Policy) *tuner {
	p.Base = p.Base.within()
	return &tuner{policy: p, state: State{Thresholds: p.Base, Base: p.Base}}
}

// State is where the thresholds are now.
func (m *tuner) State() State { return m.state }

// Add takes the next row. The first row says where the rows before it, which this tuner never
// saw, had led, unless it comes from another base.
func (m *tuner) Add(r Row) {
	if !m.begun && r.Base == m.policy.Base && r.Age >= 0 {
		m.state = r.State
		m.state.Thresholds = r.Thresholds.within()
		m.state.LowAt, m.state.BiasAt = min(r.LowAt, r.Time), min(r.BiasAt, r.Time)
	}
	m.begun = true
	m.remember(sampleOf(r))
	m.state.Age++
	switch now := r.Time; {
	case m.worse():
		m.state = State{Thresholds: m.policy.Base, Base: m.policy.Base, LowAt: now, BiasAt: now}
	case len(m.seen) >= window:
		m.step(measure(m.seen[len(m.seen)-window:], m.state.Thresholds), now)
	}
}

// step moves each threshold by at most one step.
func (m *tuner) step(j judged, now int64) {
	if j.used < leastUsed {
		return
	}
	s, base := &m.state, m.policy.Base
	low := Thresholds{s.CandidateLow + m.direction(j, s.CandidateLow-base.CandidateLow, j.few, now-s.LowAt),
		s.FileBias}.within()
	narrower := int(math.Round((base.FileBias - s.FileBias) * 100))
	bias := s.FileBias - biasStep*float64(m.direction(j, narrower, j.biased, now-s.BiasAt))
	if crosses := (bias-base.FileBias)*(s.FileBias-base.FileBias) < 0; crosses {
		bias = base.FileBias // 0.70 goes back by 0.03 to 0.79 and then to 0.80
	}
	next := Thresholds{low.CandidateLow, bias}.within()
	if next.CandidateLow != s.CandidateLow {
		s.LowAt, s.Age = now, 0
	}
	if next.FileBias != s.FileBias {
		s.BiasAt, s.Age = now, 0
	}
	s.Thresholds = next
}

// direction is +1 to widen more, -1 to widen less and 0 to stay. off is how far
// the threshold is on the widening side of its base, age the seconds since it
// changed.
func (m *tuner) direction(j judged, off int, c cause, age int64) int {
	switch {
	case age < day:
	case j.recall < m.policy.MinRecall-slack:
		if off < 0 || c.helps >= helpedLeast {
			return 1
		}
	case j.recall < m.policy.atEase()-slack:
		if off < 0 {
			return 1
		}
	case off > 0:
		if age >= minStay {
			return -1
		}
	case c.widens > expandedMost:
		return -1
	}
	return 0
}

// worse reports whether it is time to compare two windows and the newer one is
// worse by what the requirements say.
func (m *tuner) worse() bool {
	s := m.state
	if s.Thresholds == m.policy.Base || s.Age%window != 0 || len(m.seen) < 2*window {
		return false
	}
	before, now := measure(m.seen[:window], s.Thresholds), measure(m.seen[window:], s.Thresholds)
	fell := min(before.used, now.used) >= leastUsed && before.recall-now.recall >= recallFall-slack
	return fell || now.cutoffs-before.cutoffs >= cutoffRise-slack
}
