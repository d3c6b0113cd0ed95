package testbed

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pelletier/go-toml/v2"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk"
)

// TestRememberedListsChangeNothing compares searches that share lists with searches that do not, for variants that
// differ in every kind of figure.
func TestRememberedListsChangeNothing(t *testing.T) {
	b := localTestbed(t, filepath.Join(sample(t), "manuals"))
	queries, err := eval.ReadQueryFile(filepath.Join(repository(t), "testdata", "gold.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	queries = queries[:12]
	for _, set := range [][]string{nil, {"loose.weight=1"}, {"match_threshold=0.4"}, {"normalized.k1=3", "coverage_weight=1"}, nil} {
		v, err := b.Variant(nil, "combmnz", set)
		if err != nil {
			t.Fatal(err)
		}
		e := b.Evaluation(v, queries, eval.Options{})
		want, err := e.run(t.Context(), v, false, e.options)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.run(t.Context(), v, true, e.options)
		if err != nil {
			t.Fatal(err)
		}
		ignoreTime := cmp.Options{cmpopts.IgnoreFields(eval.Report{}, "P50MS", "P95MS"), cmpopts.IgnoreFields(eval.Outcome{}, "MS")}
		if diff := cmp.Diff(want, got, ignoreTime); diff != "" {
			t.Errorf("%v: %s", set, diff)
		}
	}
}

// counting counts its searches.
type counting struct {
	searcher
	calls int
}

func (c *counting) Search(context.Context, string, *sdk.Request) (*sdk.Result, error) {
	c.calls++
	return &sdk.Result{Finished: true}, nil
}

func TestMemoryForgetsTheOldestGeneration(t *testing.T) {
	c := &counting{}
	m := &memory{lists: map[string]*sync.Map{}}
	ask := func(threshold float64, pool []sdk.Candidate) {
		r := remembered{c, m, Variant{}}
		if _, err := r.Search(t.Context(), "s", &sdk.Request{Query: sdk.Query{Raw: "x", MatchThreshold: threshold}, Pool: pool}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for i := range generations {
			ask(float64(i), nil)
		}
	}
	if c.calls != generations {
		t.Errorf("%d searches for %d settings", c.calls, generations)
	}
	ask(generations, nil) // evicts 0
	ask(1, nil)
	ask(0, nil)
	if c.calls != generations+2 || len(m.lists) != generations {
		t.Errorf("%d searches, %d generations", c.calls, len(m.lists))
	}
	ask(0, []sdk.Candidate{{}})
	ask(0, []sdk.Candidate{{}})
	if c.calls != generations+4 {
		t.Error("a list that depends on a pool was remembered")
	}
}

func TestTunedParametersExist(t *testing.T) {
	b := localTestbed(t, filepath.Join(sample(t), "manuals"))
	known := b.figures()
	for _, p := range tunable {
		limits, ok := known[p.Name]
		if !ok {
			t.Errorf("%s is no figure", p.Name)
		}
		for _, x := range p.Values {
			if !limits.allow(x) {
				t.Errorf("%s = %v is not allowed: %s", p.Name, x, limits)
			}
		}
	}
	v, err := b.Variant([]string{"loose", "normalized"}, "rrf", nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range b.parameters(v) {
		names = append(names, p.Name)
	}
	if slices.Contains(names, "normalized.weight") || slices.Contains(names, "synonym.weight") || !slices.Contains(names, "loose.weight") {
		t.Errorf("tuned are %q", names)
	}
}

func TestAdoptedSettingsAreAConfiguration(t *testing.T) {
	r := &eval.Report{K: 10, Tuning: &eval.Tuning{
		Queries: 50, Runs: 9, Present: 0.5, Training: 0.61, HeldOut: 0.6, Adopted: true,
		Gain: eval.Difference{Mean: 0.1, Low: 0.05, High: 0.15},
		Found: eval.Setting{"loose.weight": 0.5, "coverage_weight": 0.25, "normalized.k1": 0.9, "toc.weight": 0,
			"heading_weight": 0.1},
	}}
	var out bytes.Buffer
	if err := WriteSettings(&out, r); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := toml.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"sparse_query_coverage_weight": 0.25,
		"strategies": map[string]any{
			"loose": map[string]any{"weight": 0.5}, "toc": map[string]any{"weight": int64(0)},
			"normalized": map[string]any{"config": map[string]any{"k1": 0.9}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !bytes.Contains(out.Bytes(), []byte("# heading_weight = 0.1 (not a setting of a workspace)\n")) {
		t.Errorf("the parameter is missing:\n%s", &out)
	}
}

func TestValuesThatTuningTries(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for name, tc := range map[string]struct {
		of   bounds
		want []float64
	}{
		"of a range":    {bounds{Type: "number", Minimum: number(0), Maximum: number(2)}, []float64{0, 0.5, 1, 1.5, 2}},
		"of integers":   {bounds{Type: "integer", Minimum: number(1), Maximum: number(3)}, []float64{1, 2, 3}},
		"of a default":  {bounds{Type: "number", Minimum: number(0.5), Default: number(2)}, []float64{1, 4}},
		"of no default": {bounds{Type: "number", Minimum: number(0)}, nil},
	} {
		if diff := cmp.Diff(tc.want, tc.of.values()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
