package eval

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var grid = []Parameter{{"a", []float64{0, 1, 2, 3}}, {"b", []float64{0, 1, 2}}}

// hill gives all queries the same score: best at a = 2, b = 1, and 0.2 for the present settings.
func hill(n int, runs *[]string) Score {
	return func(_ context.Context, s Setting) ([]float64, error) {
		*runs = append(*runs, s.String())
		x := 0.2
		if a, ok := s["a"]; ok {
			x += 0.3 - 0.1*math.Abs(a-2)
		}
		if b, ok := s["b"]; ok {
			x += 0.1 - 0.1*math.Abs(b-1)
		}
		return slices.Repeat([]float64{x}, n), nil
	}
}

func dealt(t *testing.T, queries int) [][]int {
	t.Helper()
	parts, err := Folds(queries)
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func TestTuneFindsTheTopAndRunsEachSettingOnce(t *testing.T) {
	var runs []string
	got, err := Tune(context.Background(), dealt(t, 20), grid, hill(20, &runs))
	if err != nil {
		t.Fatal(err)
	}
	top := Setting{"a": 2, "b": 1}
	fold := Fold{Found: top, PresentTraining: 0.2, Training: 0.6, PresentHeldOut: 0.2, HeldOut: 0.6}
	want := &Tuning{
		Queries: 20, Runs: len(runs), Present: 0.2, Training: 0.6, HeldOut: 0.6,
		Gain:  Difference{Mean: 0.4, Low: 0.4, High: 0.4, Better: 20},
		Found: top, Adopted: true, Folds: slices.Repeat([]Fold{fold}, folds),
	}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Error(diff)
	}
	if slices.Sort(runs); len(slices.Compact(slices.Clone(runs))) != len(runs) {
		t.Errorf("a setting was measured twice: %q", runs)
	}
}

// TestTuneRefusesNoise makes each setting lucky on some queries: what training finds does not hold for others.
func TestTuneRefusesNoise(t *testing.T) {
	const n = 60
	score := func(_ context.Context, s Setting) ([]float64, error) {
		out := make([]float64, n)
		for i := range out {
			h := uint32(i*2654435761) ^ uint32(s["a"]*97+s["b"]*1013+float64(len(s))*7)
			h *= 2246822519
			out[i] = float64((h^h>>13)%100) / 100
		}
		return out, nil
	}
	got, err := Tune(context.Background(), dealt(t, n), grid, score)
	if err != nil {
		t.Fatal(err)
	}
	if got.Training <= got.Present || len(got.Found) == 0 {
		t.Fatalf("the test offers no luck to be misled by: %+v", got)
	}
	if got.Adopted || got.Gain.Rises() {
		t.Errorf("luck was taken for a gain: %+v", got)
	}
}

func TestTuneKeepsWhatIsBest(t *testing.T) {
	var runs []string
	flat := func(ctx context.Context, s Setting) ([]float64, error) {
		scores, err := hill(10, &runs)(ctx, s)
		for i := range scores {
			scores[i] = 0.5 - 0.1*float64(len(s))
		}
		return scores, err
	}
	got, err := Tune(context.Background(), dealt(t, 10), grid, flat)
	if err != nil || len(got.Found) != 0 || got.Adopted || got.Verdict() != "nothing better was found: keep the present settings" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTuneFails(t *testing.T) {
	if _, err := Folds(folds - 1); err == nil {
		t.Error("too few queries were accepted")
	}
	cause := errors.New("broken")
	_, err := Tune(context.Background(), dealt(t, 10), grid, func(_ context.Context, s Setting) ([]float64, error) {
		if len(s) > 0 {
			return nil, cause
		}
		return make([]float64, 10), nil
	})
	if !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

func TestFoldsPartTheQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(folds, 300).Draw(t, "queries")
		parts, err := Folds(n)
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Sorted(slices.Values(slices.Concat(parts...)))
		for i, q := range all {
			if q != i {
				t.Fatalf("%v", parts)
			}
		}
		for _, part := range parts {
			if len(part) < n/folds || len(part) > n/folds+1 {
				t.Fatalf("%d of %d queries are in one part", len(part), n)
			}
		}
		if len(all) != n {
			t.Fatalf("%d of %d queries", len(all), n)
		}
	})
}

// TestQueriesCountAlike has queries that do not divide evenly: the figure is still the mean over them, as in eval.
func TestQueriesCountAlike(t *testing.T) {
	got, err := Tune(t.Context(), dealt(t, 6), nil, func(context.Context, Setting) ([]float64, error) {
		return []float64{1, 0, 0, 0, 0, 0}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	figures := []float64{got.Present, got.Training, got.HeldOut}
	if diff := cmp.Diff(slices.Repeat([]float64{1. / 6}, 3), figures, near); diff != "" {
		t.Error(diff)
	}
}

// TestPartsAreHeldOut has a large part that loses with a setting, and small parts that gain more.
func TestPartsAreHeldOut(t *testing.T) {
	parts := [][]int{{0, 1, 2, 3, 4, 5}, {6, 7}, {8}}
	score := func(_ context.Context, s Setting) ([]float64, error) {
		out := slices.Repeat([]float64{0.5}, 9)
		if s["a"] == 1 {
			for i := range out {
				out[i] += map[bool]float64{true: -0.1, false: 0.4}[i < 6]
			}
		}
		return out, nil
	}
	got, err := Tune(t.Context(), parts, []Parameter{{"a", []float64{1}}}, score)
	if err != nil {
		t.Fatal(err)
	}
	up := Setting{"a": 1}
	want := &Tuning{
		Queries: 9, Runs: 2, Present: 0.5, Training: 5.1 / 9, HeldOut: 4.3 / 9, Gain: got.Gain, Found: up,
		Folds: []Fold{
			{Found: up, PresentTraining: 0.5, Training: 0.9, PresentHeldOut: 0.5, HeldOut: 0.4},
			{Found: Setting{}, PresentTraining: 0.5, Training: 0.5, PresentHeldOut: 0.5, HeldOut: 0.5},
			{Found: up, PresentTraining: 0.5, Training: 0.525, PresentHeldOut: 0.5, HeldOut: 0.9},
		},
	}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Error(diff)
	}
}
