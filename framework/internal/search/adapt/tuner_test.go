package adapt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// feed gives a tuner n equal rows, one hour apart.
func feed(m *tuner, at *int64, n int, r Row) {
	for range n {
		*at += 3600
		r.Time = *at
		m.add(r)
	}
}

// Rows that widening would have helped, rows that nothing helps, and good rows.
var (
	thin  = Row{Candidates: 4, Used: 2, Recalled: 1}
	lost  = Row{Candidates: 90, Used: 2, Recalled: 1}
	lop   = Row{Candidates: 50, FileBias: 0.75, Used: 2, Recalled: 1}
	fine  = Row{Candidates: 50, Used: 2, Recalled: 2}
	costs = Row{Candidates: 2, Used: 2, Recalled: 2, Expanded: true, Escalation: []string{ReasonFew}}
)

func TestFirstStep(t *testing.T) {
	for _, x := range []struct {
		name string
		row  Row
		rows int
		want Thresholds
	}{
		{"thin searches", thin, 100, Thresholds{4, 0.80}},
		{"too few rows", thin, 99, base},
		{"lopsided searches", lop, 100, Thresholds{3, 0.77}},
		{"nothing would help", lost, 100, base},
		{"all is well", fine, 100, base},
		{"all widen", costs, 100, Thresholds{2, 0.80}},
		{"nothing is used", Row{Candidates: 4}, 100, base},
	} {
		m, at := newTuner(policy, nil), int64(1_800_000_000)
		feed(m, &at, x.rows, x.row)
		if diff := cmp.Diff(x.want, m.state.Thresholds); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.name, diff)
		}
	}
}

func TestOneStepADay(t *testing.T) {
	m, at := newTuner(policy, nil), int64(1_800_000_000)
	feed(m, &at, 100+23, thin)
	if got := m.state.CandidateLow; got != 4 {
		t.Fatalf("after 23 hours: %d", got)
	}
	feed(m, &at, 1, thin)
	if got := m.state.CandidateLow; got != 5 {
		t.Errorf("after 24 hours: %d", got)
	}
	feed(m, &at, 1000, thin)
	if got := m.state.Thresholds; got.CandidateLow > lowMost {
		t.Errorf("at the end: %+v", got)
	}
}

func TestRollback(t *testing.T) {
	cut := fine
	cut.CutoffReason = "candidate_cap"
	for _, x := range []struct {
		name   string
		after  []Row // in turn, after the step
		rolled bool
	}{
		{"recall falls by 3 points", []Row{{Candidates: 90, Used: 100, Recalled: 47}}, true},
		{"recall falls by 2 points", []Row{{Candidates: 90, Used: 100, Recalled: 48}}, false},
		{"recall stays", []Row{lost}, false},
		{"every twentieth is cut", append([]Row{cut}, repeat(lost, 19)...), true},
		{"every twenty-fifth is cut", append([]Row{{Candidates: 90, Used: 2, Recalled: 1, CutoffReason: "time_budget"}}, repeat(lost, 24)...), false},
	} {
		m, at := newTuner(policy, nil), int64(1_800_000_000)
		feed(m, &at, 100, thin)
		if m.state.CandidateLow != 4 {
			t.Fatal("no step to roll back")
		}
		for i := range 100 {
			at++ // within the day, so that no step comes in between
			row := x.after[i%len(x.after)]
			row.Time = at
			m.add(row)
		}
		if rolled := m.state.Thresholds == base; rolled != x.rolled {
			t.Errorf("%s: rolled back is %t", x.name, rolled)
		}
		if x.rolled && (m.state.LowAt != at || m.state.BiasAt != at) {
			t.Errorf("%s: the thresholds are free to move at once: %+v", x.name, m.state)
		}
	}
}

func repeat(r Row, n int) (out []Row) {
	for range n {
		out = append(out, r)
	}
	return out
}

func TestTheNewestRowHoldsTheState(t *testing.T) {
	past := State{Thresholds: Thresholds{5, 0.74}, Base: base, LowAt: 10, BiasAt: 1 << 60, Age: 7}
	row := fine
	row.Time, row.State = 1000, past
	m := newTuner(policy, []Row{row})
	want := State{Thresholds: Thresholds{5, 0.74}, Base: base, LowAt: 10, BiasAt: 1000, Age: 8}
	if diff := cmp.Diff(want, m.state); diff != "" {
		t.Errorf("taken over (-want +got):\n%s", diff)
	}
	other := newTuner(Policy{Base: Thresholds{4, 0.80}, MinRecall: 0.9}, []Row{row})
	if got := other.state.Thresholds; got != (Thresholds{4, 0.80}) {
		t.Errorf("another base took over %+v", got)
	}
	row.Thresholds = Thresholds{99, -1}
	wild := newTuner(policy, []Row{row})
	if got := wild.state.Thresholds; got != (Thresholds{lowMost, biasLeast}) {
		t.Errorf("a row out of range led to %+v", got)
	}
}

// For any rows, thresholds stay in their ranges, move by one step and at most once a day, and depend only on the rows.
func TestMachineProperties(t *testing.T) {
	kinds := []Row{thin, lost, lop, fine, costs, {Candidates: 0, CutoffReason: "time_budget"}}
	rapid.Check(t, func(t *rapid.T) {
		m, twin := newTuner(policy, nil), newTuner(policy, nil)
		at := int64(1_800_000_000)
		for range rapid.IntRange(1, 8).Draw(t, "phases") {
			row := rapid.SampledFrom(kinds).Draw(t, "row")
			gap := rapid.Int64Range(0, 2*day/100).Draw(t, "gap")
			for range rapid.IntRange(1, 150).Draw(t, "rows") {
				before := m.state
				at += gap
				row.Time = at
				m.add(row)
				twin.add(row)
				after := m.state
				if after != twin.state || after.Thresholds != after.within() {
					t.Fatalf("%+v and %+v", after, twin.state)
				}
				low := after.CandidateLow - before.CandidateLow
				if low != 0 && after.Thresholds != base && (low*low != 1 || after.LowAt-before.LowAt < day) {
					t.Fatalf("%+v to %+v", before, after)
				}
			}
		}
	})
}

// A threshold that a poor load raised returns when all is well: one step every three days at the earliest, and no
// further than the base.
func TestWayBack(t *testing.T) {
	at, row := int64(1_800_000_000), fine
	row.Time, row.State = at, State{Thresholds: Thresholds{5, 0.70}, Base: base, LowAt: at, BiasAt: at}
	m := newTuner(policy, []Row{row})
	var path []Thresholds
	for range 20 {
		feed(m, &at, 24, fine)
		if now := m.state.Thresholds; len(path) == 0 || now != path[len(path)-1] {
			path = append(path, now)
		}
	}
	want := []Thresholds{{5, 0.70}, {4, 0.73}, {3, 0.76}, {3, 0.79}, {3, 0.80}}
	if diff := cmp.Diff(want, path); diff != "" {
		t.Errorf("way back (-want +got):\n%s", diff)
	}
}
