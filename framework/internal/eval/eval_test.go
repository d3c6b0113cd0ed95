package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var near = cmpopts.EquateApprox(0, 1e-9)

func TestMeasure(t *testing.T) {
	late := append(slices.Repeat([]string{"x"}, 11), "a")
	for _, tc := range []struct {
		name    string
		ranking []string
		grades  map[string]float64
		k       int
		want    Measures
	}{
		{"first", []string{"a", "b"}, map[string]float64{"a": 1}, 10, Measures{1, 1, 1, 1, 1, 1}},
		{"third", []string{"x", "y", "a"}, map[string]float64{"a": 1}, 10, Measures{0.5, 1.0 / 3, 0, 1, 1, 1}},
		{"third, cut at two", []string{"x", "y", "a"}, map[string]float64{"a": 1}, 2, Measures{0, 0, 0, 1, 1, 1}},
		{"twelfth", late, map[string]float64{"a": 1}, 10, Measures{0, 0, 0, 0, 0, 1}},
		{"twelfth, cut at twenty", late, map[string]float64{"a": 1}, 20, Measures{1 / math.Log2(13), 1.0 / 12, 0, 0, 0, 1}},
		{"absent", []string{"x"}, map[string]float64{"a": 1}, 10, Measures{}},
		{"nothing found", nil, map[string]float64{"a": 1}, 10, Measures{}},
		{
			"graded and swapped", []string{"b", "a"}, map[string]float64{"a": 2, "b": 1}, 10,
			Measures{(1 + 3/math.Log2(3)) / (3 + 1/math.Log2(3)), 1, 1, 1, 1, 1},
		},
		{"half of the relevant", []string{"a"}, map[string]float64{"a": 1, "b": 1}, 10, Measures{1 / (1 + 1/math.Log2(3)), 1, 1, 1, 1, 0.5}},
		{"both, cut at one", []string{"a", "b"}, map[string]float64{"a": 1, "b": 1}, 1, Measures{1, 1, 1, 1, 1, 1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, measure(tc.ranking, tc.grades, tc.k), near); diff != "" {
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
		m := measure(keys.Draw(t, "ranking"), grades, rapid.IntRange(1, 30).Draw(t, "k"))
		for _, v := range []float64{m.NDCG, m.MRR, m.Hit1, m.Hit5, m.Hit10, m.Recall100} {
			if v < 0 || v > 1+1e-9 || math.IsNaN(v) {
				t.Fatalf("%+v is not made of shares", m)
			}
		}
	})
}

const lines = `{"id":"q1","query":"one","kind":"code","question_type":["why","code"],"relevant":[{"manual_id":"m","path":"a.md","start_line":3}]}

{"query":"two","scope_manual_id":"n","verbatim":false,"relevant":[{"manual_id":"m","path":"b.md","start_line":1,"grade":2}],"exclude":[{"manual_id":"m","path":"x.md"}]}
`

func queriesOf(t *testing.T, src string) []Query {
	t.Helper()
	queries, err := ReadQueries(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	return queries
}

func TestRun(t *testing.T) {
	var asked []string
	a3, a9 := Target{ManualID: "m", Path: "a.md", StartLine: 3}, Target{ManualID: "m", Path: "a.md", StartLine: 9}
	b1, x1 := Target{ManualID: "m", Path: "b.md", StartLine: 1}, Target{ManualID: "m", Path: "x.md", StartLine: 1}
	search := func(_ context.Context, query, manual string) (Found, error) {
		asked = append(asked, query+"@"+manual)
		return Found{
			Ranking: []Target{x1, b1, b1, a9}, Matched: 5, Warnings: []string{"late"},
			Holds: func(t Target) (bool, error) { return t == a3.graded(1), nil },
		}, nil
	}
	steps := 0
	got, err := Run(context.Background(), queriesOf(t, lines), search, Options{
		Scope: true, Text: func(x Target) string { return x.Path + "資料" }, Step: "s",
		Progress: func(step string, done, total int) {
			if steps++; step != "s" || done != steps || total != 2 {
				t.Errorf("progress %q %d of %d", step, done, total)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &Report{
		Queries: 2, K: 10, Measures: Measures{0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, File: Measures{0.75, 2.0 / 3, 0.5, 1, 1, 1},
		ByKind:  map[string]Kind{"code": {1, Measures{}}, "why": {1, Measures{}}, "not verbatim": {1, Measures{1, 1, 1, 1, 1, 1}}},
		Tokens:  Tokens{Spread: Spread{5, 5, 5}, Without: 1},
		Matched: Matched{PerQuery: 5, Relevant: 1}, Warnings: map[string]int{"late": 2},
		PerQuery: []Outcome{
			{ID: "q1", Query: "one", Kinds: []string{"code", "why"}, Matched: 5, RelevantMatched: 1, Expected: []Target{a3.graded(1)}, Ranked: []Target{x1, b1, a9}},
			{
				ID: "line 3", Query: "two", Kinds: []string{"not verbatim"}, NDCG: 1, MRR: 1, Recall100: 1, Rank: 1, Tokens: 5,
				Matched: 5, RelevantMatched: 1, Expected: []Target{b1.graded(2)}, Ranked: []Target{b1, a9},
			},
		},
	}
	ignoreTime := cmp.Options{cmpopts.IgnoreFields(Report{}, "P50MS", "P95MS"), cmpopts.IgnoreFields(Outcome{}, "MS")}
	if diff := cmp.Diff(want, got, ignoreTime, near); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"one@", "two@n"}, asked); diff != "" {
		t.Error(diff)
	}
}

// graded returns the target with a grade, as in judgements.
func (t Target) graded(grade float64) Target {
	t.Grade = grade
	return t
}

func TestRunNamesTheFailingQuery(t *testing.T) {
	cause := errors.New("broken")
	for name, search := range map[string]Search{
		"search": func(context.Context, string, string) (Found, error) { return Found{}, cause },
		"holds": func(context.Context, string, string) (Found, error) {
			return Found{Holds: func(Target) (bool, error) { return false, cause }}, nil
		},
	} {
		_, err := Run(context.Background(), queriesOf(t, lines), search, Options{})
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), "q1") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestReadQueriesNamesTheLine(t *testing.T) {
	for name, in := range map[string]string{
		"syntax":      lines + "{",
		"no query":    lines + `{"relevant":[{"path":"a"}]}`,
		"no relevant": lines + `{"query":"x"}`,
		"same id":     lines + `{"id":"q1","query":"x","relevant":[{"path":"a"}]}`,
		"bad grade":   lines + `{"query":"x","relevant":[{"path":"a","grade":-1}]}`,
		"bad kind":    lines + `{"query":"x","kind":7,"relevant":[{"path":"a"}]}`,
		"too long":    lines + strings.Repeat(" ", maxLine+1),
	} {
		if _, err := ReadQueries(strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), "line 4:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadQueriesNamesTheField(t *testing.T) {
	for in, want := range map[string]string{
		`{"query":"x","relevant":[{"path":"a","grade":"high"}]}`: "line 1: relevant.grade cannot be a JSON string",
		`{"query":["x"]}`: "line 1: query cannot be a JSON array",
		`["x"]`:           "line 1: a query cannot be a JSON array",
	} {
		if _, err := ReadQueries(strings.NewReader(in)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// A query for which no answer is known yet is neither an error nor measured.
func TestReadQueriesLeavesOutTheIrrelevant(t *testing.T) {
	got, err := ReadQueries(strings.NewReader(`{"query":"x","irrelevant":[{"path":"a"}]}` + "\n" +
		`{"query":"y","relevant":[{"path":"a"}],"irrelevant":[{"path":"b"}]}`))
	if err != nil || len(got) != 1 || got[0].Query != "y" || got[0].ID != "line 2" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPercentile(t *testing.T) {
	if got := Percentile([]float64(nil), 0.5); got != 0 {
		t.Errorf("of none: %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Int64Range(0, 50), 1, 60).Draw(t, "values")
		before := slices.Clone(all)
		p := rapid.Float64Range(0.01, 1).Draw(t, "share")
		limit, within, below := Percentile(all, p), 0, 0
		for _, x := range all {
			if x <= limit {
				within++
			}
			if x < limit {
				below++
			}
		}
		if float64(within) < p*float64(len(all)) || float64(below) >= p*float64(len(all)) {
			t.Fatalf("percentile %v of %v is %v: %d within, %d below", p, all, limit, within, below)
		}
		if !slices.Equal(before, all) {
			t.Fatal("the values were put in another order")
		}
	})
}

func FuzzReadQueries(f *testing.F) {
	f.Add(lines)
	f.Add(`{"query":"x","kind":null,"question_type":[],"relevant":[{}]}`)
	f.Fuzz(func(t *testing.T, in string) {
		queries, err := ReadQueries(strings.NewReader(in))
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, q := range queries {
			if q.Query == "" || len(q.Relevant) == 0 || q.ID == "" || ids[q.ID] || slices.ContainsFunc(q.Relevant, func(t Target) bool { return !(t.Grade > 0) }) {
				t.Errorf("accepted %+v", q)
			}
			ids[q.ID] = true
		}
	})
}

func TestReportSurvivesJSON(t *testing.T) {
	for _, k := range []int{10, 5, 1} {
		want := Report{
			K: k, Measures: Measures{NDCG: 0.25, MRR: 0.5}, Warnings: map[string]int{`"ndcg@10": <&>`: 1},
			PerQuery: []Outcome{{ID: `"ndcg@10":`, Query: fmt.Sprintf(`{"mrr@%d":1}`, k), NDCG: 0.5, Expected: []Target{}, Ranked: []Target{}}},
		}
		src, err := want.MarshalJSON()
		if err != nil || strings.Count(string(src), fmt.Sprintf(`"ndcg@%d":0`, k)) != 3 {
			t.Fatalf("k %d: %s, %v", k, src, err)
		}
		var got Report
		if err := got.UnmarshalJSON(src); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}
