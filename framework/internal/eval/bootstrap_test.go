package eval

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestPaired(t *testing.T) {
	for name, tc := range map[string]struct {
		now, before []float64
		want        Difference
	}{
		"equal":      {[]float64{1, 0.5}, []float64{1, 0.5}, Difference{}},
		"always .25": {[]float64{0.5, 0.75, 1}, []float64{0.25, 0.5, 0.75}, Difference{0.25, 0.25, 0.25, 3, 0}},
		"always −.5": {[]float64{0, 0.5}, []float64{0.5, 1}, Difference{-0.5, -0.5, -0.5, 0, 2}},
		"balanced":   {[]float64{1, 0}, []float64{0, 1}, Difference{0, -1, 1, 1, 1}},
	} {
		if diff := cmp.Diff(tc.want, Paired(tc.now, tc.before), near); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestIntervalIsThatOfTheNormalApproximation compares the bootstrap with theory where theory is accurate: for many
// queries.
func TestIntervalIsThatOfTheNormalApproximation(t *testing.T) {
	const n = 2000
	now, before := make([]float64, n), make([]float64, n)
	for i := range now {
		now[i] = float64(i%5) / 4
	}
	d := Paired(now, before)
	half := 1.96 * math.Sqrt(0.125/n) // the five values 0, ¼ … 1 have variance 1/8
	want := Difference{Mean: 0.5, Low: 0.5 - half, High: 0.5 + half, Better: 1600}
	if diff := cmp.Diff(want, d, cmpopts.EquateApprox(0, half/20)); diff != "" {
		t.Error(diff)
	}
}

func TestPairedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "queries")
		column := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n)
		now, before := column.Draw(t, "now"), column.Draw(t, "before")
		d := Paired(now, before)
		if again := Paired(now, before); again != d {
			t.Fatalf("%+v, and again %+v", d, again)
		}
		const rounding = 1e-9
		if d.Low > d.Mean+rounding || d.High < d.Mean-rounding || d.Low < -1 || d.High > 1 || d.Better+d.Worse > n {
			t.Fatalf("%+v", d)
		}
		back := Paired(before, now)
		mirrored := Difference{-d.Mean, -d.High, -d.Low, d.Worse, d.Better}
		if diff := cmp.Diff(mirrored, back, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("the other way round: %s", diff)
		}
	})
}
