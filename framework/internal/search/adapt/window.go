package adapt

import "slices"

const (
	window       = 100  // rows that are judged, and that they are compared with
	leastUsed    = 20   // rows of a window with a recall proxy, below which it says nothing
	recallFall   = 0.03 // between windows: rolls back
	cutoffRise   = 0.05 // between windows: rolls back
	expandedMost = 0.30 // share of the searches that one reason may widen
	helpedLeast  = 0.10 // share of the poor searches that a step has to concern
	slack        = 1e-9 // for sums of fractions
)

// sample is what a threshold is judged by.
type sample struct {
	candidates       int
	bias             float64
	used             bool // something was used, so that recall says something
	recall           float64
	cutoff, expanded bool
	few, biased      bool // it widened for this reason
}

func sampleOf(r Row) sample {
	s := sample{
		candidates: r.Candidates, bias: r.FileBias, used: r.Used > 0,
		cutoff: r.CutoffReason != "", expanded: r.Expanded,
		few: slices.Contains(r.Escalation, ReasonFew), biased: slices.Contains(r.Escalation, ReasonBias),
	}
	if s.used {
		s.recall = float64(r.Recalled) / float64(r.Used)
	}
	return s
}

// remember keeps the sample among those of the last two windows.
func (m *tuner) remember(s sample) {
	if len(m.seen) == 2*window {
		m.seen = slices.Delete(m.seen, 0, 1)
	}
	m.seen = append(m.seen, s)
}

// judged is what a window amounts to.
type judged struct {
	used        int     // rows with a recall proxy
	recall      float64 // their mean proxy
	cutoffs     float64 // share of the rows
	few, biased cause
}

// cause is what a threshold does and could do.
type cause struct {
	widens float64 // share of the rows that it widened
	helps  float64 // share of the poor rows that did not widen and would, were it at the widening end of its range
}

// measure judges a window in which thresholds t stand.
func measure(rows []sample, t Thresholds) judged {
	var j judged
	poor := 0
	for _, r := range rows {
		j.cutoffs += one(r.cutoff)
		j.few.widens += one(r.few)
		j.biased.widens += one(r.biased)
		if !r.used {
			continue
		}
		j.used++
		j.recall += r.recall
		if r.recall < 1 {
			poor++
			j.few.helps += one(!r.expanded && r.candidates >= t.CandidateLow && r.candidates < lowMost)
			j.biased.helps += one(!r.expanded && r.candidates >= biasFrom && r.bias >= biasLeast && r.bias < t.FileBias)
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
