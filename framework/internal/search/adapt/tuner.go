package adapt

import (
	"math"
	"slices"
	"time"
)

const (
	window       = 100  // number of rows that are judged, and of those that they are compared with
	leastUsed    = 20   // rows with a recall proxy that a window needs to count
	recallFall   = 0.03 // between windows: causes a rollback
	cutoffRise   = 0.05 // between windows: causes a rollback
	expandedMost = 0.30 // share of the searches that one reason may widen
	helpedLeast  = 0.10 // share of the poor searches that a step must concern
	slack        = 1e-9 // for sums of fractions
)

// When thresholds move, in seconds.
const (
	day = int64(24 * time.Hour / time.Second)
	// minStay is how long a widened threshold stays before it returns towards its base, so that what helped is not
	// undone the next day.
	minStay = 3 * day
)

// tuner moves thresholds by the rows it is given. It has no clock and does no I/O: the same rows in the same order lead
// to the same thresholds.
//
// Widening costs time and tokens and finds more, so the goal is the least widening that keeps the recall proxy at
// MinRecall. Both thresholds are judged over the last 100 rows. Each moves at most one step in 24 hours, and none moves
// on fewer than 20 rows with a proxy.
//
//   - Recall below MinRecall: candidate_low_threshold +1 and file_bias_threshold −0.03, so that more searches widen. A
//     threshold takes the step only if a tenth of the searches with a poor proxy did not widen but would before the end
//     of its range; otherwise widening is not what they lack, and it stays. A threshold on the sparing side of its base
//     returns in any case.
//   - Recall at ease, at least half way from MinRecall to 1: a threshold on the widening side goes one step back to its
//     base, at the earliest three days after its last change. At its base or beyond, it takes a sparing step
//     (−1, +0.03) only if it alone widens over 30 % of the searches.
//   - In between, nothing moves except that a threshold on the sparing side returns.
//   - Rollback: with a threshold off its base, every hundredth row after the last change compares the last 100 rows
//     with the 100 before. If recall is lower by 3 points or cutoffs are more frequent by 5 points, both thresholds
//     return to their base, where they stay for 24 hours.
//
// A healthy load, whose recall is at ease and that seldom widens, meets none of these conditions at the base, and
// returns to it from the widening side.
type tuner struct {
	policy Policy
	state  State
	seen   []Row // the last two windows, oldest first
}

// newTuner continues from the newest of the kept rows if its base is the same, or else from the base. It clamps the
// base to its range.
func newTuner(p Policy, kept []Row) *tuner {
	p.Base = p.Base.within()
	m := &tuner{policy: p, state: State{Thresholds: p.Base, Base: p.Base}}
	if len(kept) == 0 {
		return m
	}
	last := len(kept) - 1
	m.seen = slices.Clone(kept[max(0, last-2*window):last])
	m.follow(kept[last])
	return m
}

// follow adds the next row and continues from the thresholds in that row, so that servers that share a journal
// have the same thresholds after the same row.
func (m *tuner) follow(r Row) {
	if r.Base == m.policy.Base && r.Age >= 0 {
		m.state = r.State
		m.state.Thresholds = r.Thresholds.within()
		m.state.LowAt, m.state.BiasAt = min(r.LowAt, r.Time), min(r.BiasAt, r.Time)
	}
	m.add(r)
}

// add takes the next row.
func (m *tuner) add(r Row) {
	if len(m.seen) == 2*window {
		m.seen = slices.Delete(m.seen, 0, 1)
	}
	m.seen = append(m.seen, r)
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
	low := s.CandidateLow + m.direction(j, s.CandidateLow-base.CandidateLow, j.few, now-s.LowAt)
	narrower := int(math.Round((base.FileBias - s.FileBias) * 100))
	bias := s.FileBias - biasStep*float64(m.direction(j, narrower, j.biased, now-s.BiasAt))
	if crosses := (bias-base.FileBias)*(s.FileBias-base.FileBias) < 0; crosses {
		bias = base.FileBias // 0.70 goes back by 0.03 to 0.79 and then to 0.80
	}
	next := Thresholds{low, bias}.within()
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
	case j.recall < m.policy.relaxedFrom()-slack:
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

// worse reports whether it is time to compare two windows, and the newer one is worse by recallFall or cutoffRise.
func (m *tuner) worse() bool {
	s := m.state
	if s.Thresholds == m.policy.Base || s.Age%window != 0 || len(m.seen) < 2*window {
		return false
	}
	before, now := measure(m.seen[:window], s.Thresholds), measure(m.seen[window:], s.Thresholds)
	fell := min(before.used, now.used) >= leastUsed && before.recall-now.recall >= recallFall-slack
	return fell || now.cutoffs-before.cutoffs >= cutoffRise-slack
}

// judged summarises a window.
type judged struct {
	used        int     // rows with a recall proxy
	recall      float64 // their mean proxy
	cutoffs     float64 // share of the rows
	few, biased cause
}

// cause is the effect that a threshold has and could have.
type cause struct {
	widens float64 // share of the rows that it widened
	helps  float64 // share of the poor rows that did not widen, but would at the widening end of its range
}

// measure judges a window under the thresholds t.
func measure(rows []Row, t Thresholds) judged {
	var j judged
	poor := 0
	for _, r := range rows {
		j.cutoffs += one(r.CutoffReason != "")
		j.few.widens += one(slices.Contains(r.Escalation, ReasonFew))
		j.biased.widens += one(slices.Contains(r.Escalation, ReasonBias))
		if r.Used == 0 {
			continue
		}
		j.used++
		j.recall += float64(r.Recalled) / float64(r.Used)
		if r.Recalled < r.Used && !r.Expanded {
			j.few.helps += one(r.Candidates >= t.CandidateLow && r.Candidates < lowMost)
			j.biased.helps += one(r.Candidates >= biasFrom && r.FileBias >= biasLeast && r.FileBias < t.FileBias)
		}
		if r.Recalled < r.Used {
			poor++
		}
	}
	all := float64(len(rows))
	j.recall /= float64(max(1, j.used))
	j.cutoffs, j.few.widens, j.biased.widens = j.cutoffs/all, j.few.widens/all, j.biased.widens/all
	j.few.helps /= float64(max(1, poor))
	j.biased.helps /= float64(max(1, poor))
	return j
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Thresholds decide when a search widens (stage 4).
type Thresholds struct {
	// CandidateLow: a search with fewer candidates widens. 2 to 6.
	CandidateLow int `json:"candidate_low_threshold"`
	// FileBias: a search of five candidates or more widens when one file holds
	// this share of them or more. 0.70 to 0.90, in hundredths.
	FileBias float64 `json:"file_bias_threshold"`
}

// Ranges and steps of the thresholds.
const (
	lowLeast, lowMost   = 2, 6
	biasLeast, biasMost = 0.70, 0.90
	biasStep            = 0.03
	biasFrom            = 5 // minimum number of candidates for the bias to count
)

// within clamps thresholds to their ranges.
func (t Thresholds) within() Thresholds {
	return Thresholds{max(lowLeast, min(lowMost, t.CandidateLow)),
		hundredths(max(biasLeast, min(biasMost, t.FileBias)))}
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// State is the thresholds and the data needed to continue adapting them. Each row contains it, so
// that it can be restored from the rows.
type State struct {
	Thresholds
	// Base holds the initial thresholds, to which they roll back.
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

// relaxedFrom returns the recall from which on searches may widen less: half way from MinRecall to 1, so
// that widening less does not at once bring recall below MinRecall.
func (p Policy) relaxedFrom() float64 { return (1 + p.MinRecall) / 2 }
