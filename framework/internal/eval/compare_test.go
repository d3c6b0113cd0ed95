package eval

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func reportOf(ndcg ...float64) *Report {
	r := &Report{K: 10, Queries: len(ndcg)}
	for i, x := range ndcg {
		r.PerQuery = append(r.PerQuery, Outcome{
			ID: fmt.Sprint("q", i), Query: fmt.Sprint("text ", i), NDCG: x, Rank: i, Expected: []Target{{Path: "a.md", StartLine: i, Grade: 1}},
		})
	}
	return r
}

func TestCompare(t *testing.T) {
	now, before := reportOf(1, 0.5, 0.25, 0.5), reportOf(0.5, 0.5, 1, 0.75)
	before.PerQuery[0], before.PerQuery[3] = before.PerQuery[3], before.PerQuery[0] // the order does not matter
	before.PerQuery[3].Rank = 7
	got, err := Compare(now, before)
	if err != nil {
		t.Fatal(err)
	}
	if f := got.Figures[0]; f.Name != "nDCG@10" || f.Before != 0.6875 || f.Now != 0.5625 || f.Change.Better != 1 || f.Change.Worse != 2 {
		t.Errorf("nDCG %+v", f)
	}
	wantLosses := []Change{{"q2", "text 2", 1, 0.25, 2, 2}, {"q3", "text 3", 0.75, 0.5, 3, 3}}
	if diff := cmp.Diff(wantLosses, got.Losses); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Change{{"q0", "text 0", 0.5, 1, 7, 0}}, got.Gains); diff != "" {
		t.Error(diff)
	}
}

func TestCompareListsTheTenWorst(t *testing.T) {
	now, before := reportOf(make([]float64, 30)...), reportOf(make([]float64, 30)...)
	for i := range before.PerQuery {
		before.PerQuery[i].NDCG = float64(i) / 30
	}
	got, err := Compare(now, before)
	if err != nil || len(got.Losses) != 10 || got.Losses[0].ID != "q29" || got.Losses[9].ID != "q20" || len(got.Gains) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestCompareRefusesOtherQueries(t *testing.T) {
	for want, change := range map[string]func(r *Report){
		`query "q1" is not among them`:          func(r *Report) { r.PerQuery = r.PerQuery[:1] },
		`2 queries, this run 2: query "q1"`:     func(r *Report) { r.PerQuery[1].ID = "q9" },
		`has 3 queries, this run 2: query "q7"`: func(r *Report) { r.PerQuery = append(r.PerQuery, Outcome{ID: "q7"}) },
		`query "q0" asks for "other" there`:     func(r *Report) { r.PerQuery[0].Query = "other" },
		`query "q1" is judged differently`:      func(r *Report) { r.PerQuery[1].Expected[0].Grade = 2 },
		`it was cut at 5`:                       func(r *Report) { r.K = 5 },
	} {
		before := reportOf(1, 1)
		change(before)
		if _, err := Compare(reportOf(1, 1), before); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// TestAblate lets strategy a find everything, b find something only together with a, and c make a's result worse.
func TestAblate(t *testing.T) {
	queries := queriesOf(t, `{"query":"x","relevant":[{"manual_id":"m","path":"a.md","start_line":1}]}`)
	hit, miss := Target{ManualID: "m", Path: "a.md", StartLine: 1}, Target{ManualID: "m", Path: "z.md"}
	run := func(ctx context.Context, strategies []string, _ string) (*Report, error) {
		return Run(ctx, queries, func(context.Context, string, string) (Found, error) {
			switch strings.Join(strategies, "") {
			case "b":
				return Found{}, nil
			case "a", "ab":
				return Found{Ranking: []Target{hit}, Matched: 1}, nil
			case "abc", "ac":
				return Found{Ranking: []Target{miss, hit}, Matched: 2}, nil
			}
			return Found{Ranking: []Target{miss}, Matched: 1}, nil
		}, Options{})
	}
	ablation := Ablation{Strategies: []string{"a", "b", "c"}, Alone: []string{"a", "b"}, Run: run}
	base, err := run(context.Background(), ablation.Strategies, "")
	if err != nil {
		t.Fatal(err)
	}
	effects, err := Ablate(context.Background(), base, ablation)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range effects {
		got = append(got, fmt.Sprintf("%s %s %.2f %+.2f %d/%d", e.Strategy, e.Mode, e.NDCG, e.Change.Mean, e.Change.Better, e.Change.Worse))
	}
	want := []string{"a off 0.00 -0.63 0/1", "b off 0.63 +0.00 0/0", "c off 1.00 +0.37 1/0", "a alone 1.00 +0.37 1/0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
