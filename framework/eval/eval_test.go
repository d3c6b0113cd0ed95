package eval

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestMeasure(t *testing.T) {
	for _, tc := range []struct {
		name    string
		ranking []string
		grades  map[string]float64
		want    Measures
	}{
		{"first", []string{"a", "b"}, map[string]float64{"a": 1}, Measures{1, 1, 1, 1, 1, 1}},
		{"third", []string{"x", "y", "a"}, map[string]float64{"a": 1}, Measures{0.5, 1.0 / 3, 0, 1, 1, 1}},
		{"absent", []string{"x"}, map[string]float64{"a": 1}, Measures{}},
		{"nothing found", nil, map[string]float64{"a": 1}, Measures{}},
		{
			"graded and swapped", []string{"b", "a"}, map[string]float64{"a": 2, "b": 1},
			Measures{(1 + 3/math.Log2(3)) / (3 + 1/math.Log2(3)), 1, 1, 1, 1, 1},
		},
		{"half of the relevant", []string{"a"}, map[string]float64{"a": 1, "b": 1}, Measures{1 / (1 + 1/math.Log2(3)), 1, 1, 1, 1, 0.5}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := measure(tc.ranking, tc.grades)
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMeasuresAreShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfDistinct(rapid.StringMatching(`[a-h]{1,2}`), rapid.ID[string])
		grades := map[string]float64{}
		for _, k := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-h]{1,2}`), 1, 12, rapid.ID[string]).Draw(t, "relevant") {
			grades[k] = float64(rapid.IntRange(1, 3).Draw(t, "grade"))
		}
		m := measure(keys.Draw(t, "ranking"), grades)
		for _, v := range []float64{m.NDCG10, m.MRR10, m.Hit1, m.Hit5, m.Hit10, m.Recall100} {
			if v < 0 || v > 1+1e-9 || math.IsNaN(v) {
				t.Fatalf("%+v is not made of shares", m)
			}
		}
	})
}

const lines = `{"id":"q1","query":"one","kind":"code","relevant":[{"manual_id":"m","path":"a.md","start_line":3}]}

{"id":"q2","query":"two","scope_manual_id":"n","relevant":[{"manual_id":"m","path":"b.md","start_line":1,"grade":2}],"exclude":[{"manual_id":"m","path":"x.md"}]}
`

func TestRun(t *testing.T) {
	queries, err := ReadQueries(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	search := func(_ context.Context, query, manual string) ([]Target, error) {
		asked = append(asked, query+"@"+manual)
		return []Target{{ManualID: "m", Path: "x.md", StartLine: 1}, {ManualID: "m", Path: "b.md", StartLine: 1}, {ManualID: "m", Path: "a.md", StartLine: 9}}, nil
	}
	got, err := Run(context.Background(), queries, search, Options{Scope: true})
	if err != nil {
		t.Fatal(err)
	}
	want := &Report{
		Queries: 2, Measures: Measures{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, File: Measures{0.75, 2.0 / 3, 0.5, 1, 1, 1},
		ByKind:   map[string]Measures{"code": {}},
		PerQuery: []Outcome{{ID: "q1", Kind: "code"}, {ID: "q2", NDCG10: 1, Recall: 1}},
	}
	ignoreTime := cmp.Options{cmpopts.IgnoreFields(Report{}, "P50MS", "P95MS"), cmpopts.IgnoreFields(Outcome{}, "Elapsed")}
	if diff := cmp.Diff(want, got, ignoreTime, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"one@", "two@n"}, asked); diff != "" {
		t.Error(diff)
	}
}

func TestRunNamesTheFailingQuery(t *testing.T) {
	queries, _ := ReadQueries(strings.NewReader(lines))
	cause := errors.New("broken")
	_, err := Run(context.Background(), queries, func(context.Context, string, string) ([]Target, error) { return nil, cause }, Options{})
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), "q1") {
		t.Errorf("error %v", err)
	}
}

func TestReadQueriesNamesTheLine(t *testing.T) {
	for name, in := range map[string]string{
		"syntax":      lines + "{",
		"no query":    lines + `{"relevant":[{"path":"a"}]}`,
		"no relevant": lines + `{"query":"x"}`,
	} {
		if _, err := ReadQueries(strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), "line 4:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPercentile(t *testing.T) {
	values := []float64{5, 1, 4, 2, 3}
	if got := []float64{percentile(values, 0.5), percentile(values, 0.95), percentile(nil, 0.5)}; !cmp.Equal(got, []float64{3, 5, 0}) {
		t.Errorf("percentiles %v", got)
	}
}

func FuzzReadQueries(f *testing.F) {
	f.Add(lines)
	f.Fuzz(func(t *testing.T, in string) {
		queries, err := ReadQueries(strings.NewReader(in))
		for _, q := range queries {
			if err == nil && (q.Query == "" || len(q.Relevant) == 0) {
				t.Errorf("accepted %+v", q)
			}
		}
	})
}
