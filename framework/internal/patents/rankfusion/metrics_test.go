package rankfusion

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestUndefinedMetricsSayWhy(t *testing.T) {
	for _, tc := range []struct {
		name      string
		lanes     [][]string
		undefined []string
	}{
		{"no run", nil, []string{"LAS", "CCW", "S_shape", "F_struct", "Fproxy"}},
		{"one run", [][]string{{"a", "b", "c"}}, []string{"LAS", "CCW", "F_struct", "Fproxy"}},
		{"two documents", [][]string{{"a"}, {"b"}}, []string{"CCW", "S_shape", "F_struct", "Fproxy"}},
		{"empty runs", [][]string{{}, {}}, []string{"LAS", "CCW", "S_shape", "F_struct", "Fproxy"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := NewCatalog()
			lanes := lanesOf(c, tc.lanes...)
			m := c.Measure(lanes, c.Blend(lanes, DefaultParams()))
			figures := map[string]Figure{"LAS": m.LAS, "CCW": m.CCW, "S_shape": m.SShape, "F_struct": m.FStruct, "Fproxy": m.Fproxy}
			var undefined []string
			for _, name := range []string{"LAS", "CCW", "S_shape", "F_struct", "Fproxy"} {
				if (figures[name] == nil) != (m.Reasons[name] != "") {
					t.Errorf("%s is %v with reason %q", name, figures[name], m.Reasons[name])
				}
				if figures[name] == nil {
					undefined = append(undefined, name)
				}
			}
			if diff := gocmp.Diff(tc.undefined, undefined); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOneTopicIsConcentrated(t *testing.T) {
	c := NewCatalog()
	rows := []uint32{c.Add("a", Codes{FI: []string{"G06V10/82A", "G06V10/82"}}), c.Add("b", Codes{IPC: []string{"G06V10/82"}, CPC: []string{"H04N5/00"}})}
	lanes := []Lane{{Weight: 1, Rows: rows}}
	if m := c.Measure(lanes, c.Blend(lanes, DefaultParams())); m.CCW == nil || *m.CCW != 1 {
		t.Errorf("CCW is %v, %v", m.CCW, m.Reasons)
	}
}

func TestFrontier(t *testing.T) {
	ranked := make([]Placed, 30)
	for i := range ranked {
		ranked[i].Pi = 1
		if i >= 10 {
			ranked[i].Pi = 0.25
		}
	}
	got := Frontier(ranked, DefaultParams())
	want := []FrontierPoint{
		{K: 10, P: new(1.0), R: new(10.0 / 15), F: new(0.8)},
		{K: 20, P: new(12.5 / 20), R: new(12.5 / 15), F: new(2 * 0.625 * (12.5 / 15) / (0.625 + 12.5/15))},
		{K: 30, P: new(0.5), R: new(1.0), F: new(1.0 / 1.5)},
	}
	if diff := gocmp.Diff(want, got[:3], cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	if len(got) != 7 || got[6].K != 100 || *got[6].P != 0.5 {
		t.Errorf("the last point is %+v", got[6])
	}
}

// What all publications have in common makes no depth better, and the grid is the caller's.
func TestTheFrontierLeavesOutWhatLanesShare(t *testing.T) {
	ranked := make([]Placed, 40)
	for i := range ranked {
		ranked[i].PiLane, ranked[i].Pi = 0.5, 0.15
		if i < 10 {
			ranked[i].Pi += 0.4
		}
	}
	got := Frontier(ranked, Params{Grid: []int{10, 40}})
	want := []FrontierPoint{{K: 10, P: new(0.4), R: new(1.0), F: new(0.8 / 1.4)}, {K: 40, P: new(0.1), R: new(1.0), F: new(0.2 / 1.1)}}
	if diff := gocmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
	if same := Frontier(ranked[10:], DefaultParams())[0]; same.R != nil || same.Reasons["R"] == "" {
		t.Errorf("a constant π has the frontier %+v", same)
	}
}

func TestUndefinedPointsSayWhy(t *testing.T) {
	for name, tc := range map[string]struct {
		ranked []Placed
		want   FrontierPoint
	}{
		"of nothing":    {nil, FrontierPoint{K: 10, Reasons: Reasons{"P": "nothing was ranked", "R": "π is the same for every publication", "F": "P and R are undefined"}}},
		"without any π": {make([]Placed, 3), FrontierPoint{K: 10, P: new(0.0), Reasons: Reasons{"R": "π is the same for every publication", "F": "R is undefined"}}},
	} {
		if diff := gocmp.Diff(tc.want, Frontier(tc.ranked, DefaultParams())[0]); diff != "" {
			t.Errorf("the frontier %s: %s", name, diff)
		}
	}
}

func TestASteepRankingLowersTheProxy(t *testing.T) {
	for shape, want := range map[float64]float64{0.2: 0.5, 0.35: 0.5, 0.675: 0.25, 1: 0} {
		if got, reason := proxy(new(0.5), new(shape)); got == nil || *got-want > 1e-12 || want-*got > 1e-12 {
			t.Errorf("S_shape %v: %v %s, want %v", shape, got, reason, want)
		}
	}
}
