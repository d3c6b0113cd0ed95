package search

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
)

// reranker adds a reranker to fakes, which scores every section of the pool by score.
type reranker struct {
	fakes
	weight     float64
	score      func(section uint32) float64
	unfinished bool
	err        error
	pool       *[]sdk.Candidate
}

func (r reranker) Strategies(ctx context.Context) ([]sdk.Description, []host.Failure) {
	all, failures := r.fakes.Strategies(ctx)
	return append(all, sdk.Description{Name: "late", Stage: sdk.StageRerank, Weight: r.weight, Signals: []string{sdk.SignalLateRerank}}), failures
}

func (r reranker) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if name != "late" {
		return r.fakes.Search(ctx, name, req)
	}
	*r.pool = req.Pool
	if r.err != nil {
		return nil, r.err
	}
	out := &sdk.Result{Finished: !r.unfinished}
	for _, c := range req.Pool {
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: c.Section, Score: r.score(c.Section), Signals: []string{sdk.SignalLateRerank}})
	}
	slices.SortStableFunc(out.Candidates, func(a, b sdk.Candidate) int { return int(b.Score - a.Score) })
	return out, nil
}

// rerankedHits finds "disk" in 30 rows, of which 0, 3, 6 … 27 match equally well.
func rerankedHits(t *testing.T, r reranker, top, most int) (*Answer, *Hits, []sdk.Candidate) {
	t.Helper()
	var pool []sdk.Candidate
	r.fakes, r.pool = fakes{list: []words{exact}}, &pool
	e := engine(t, manyRows(30), r)
	e.Settings.RerankTop = top
	req := request("disk")
	req.MaxCandidates = most
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 100, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return answer, hits, pool
}

func titles(h *Hits) (out []string) {
	for _, row := range h.Items {
		out = append(out, row.Ref.Title)
	}
	return out
}

func TestRerankingOrdersTheTopAnew(t *testing.T) {
	r := reranker{weight: 0.5, score: func(section uint32) float64 { return float64(section) }}
	answer, hits, pool := rerankedHits(t, r, 4, 5)
	want := []string{"Section 9", "Section 6", "Section 3", "Section 0", "Section 12"}
	if diff := cmp.Diff(want, titles(hits)); diff != "" {
		t.Error(diff)
	}
	if len(pool) != 4 || pool[0].Score == 0 || pool[0].Coverage != 0.5 || !slices.Contains(pool[0].Terms, "disk") {
		t.Errorf("the pool is %+v", pool)
	}
	for i, row := range hits.Items {
		if late := slices.Contains(row.Ref.Signals, sdk.SignalLateRerank); late != (i < 4) {
			t.Errorf("row %d has the signals %v", i, row.Ref.Signals)
		}
		if i > 0 && *row.Score > *hits.Items[i-1].Score {
			t.Errorf("row %d scores more than the row above it", i)
		}
	}
	last := hits.Items[0].Explain[len(hits.Items[0].Explain)-1]
	if last.Source != "late" || last.Rank != 1 || last.Raw != 9 || last.Weight != 0.5 || len(answer.Warnings) != 0 {
		t.Errorf("the contribution is %+v, the warnings %v", last, answer.Warnings)
	}
}

func TestRerankingComesBeforeTheCut(t *testing.T) {
	r := reranker{weight: 1, score: func(section uint32) float64 { return float64(section) }}
	_, hits, _ := rerankedHits(t, r, 50, 2)
	if diff := cmp.Diff([]string{"Section 27", "Section 24"}, titles(hits)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatChangesNothing(t *testing.T) {
	up := func(section uint32) float64 { return float64(section) }
	_, plain, _ := rerankedHits(t, reranker{}, 50, 100)
	for name, tc := range map[string]struct {
		reranker reranker
		top      int
		called   bool
		warnings []string
	}{
		"weight 0":           {reranker{score: up}, 50, false, []string{}},
		"no top":             {reranker{weight: 1, score: up}, 0, false, []string{}},
		"a failed one":       {reranker{weight: 1, err: errors.New("broken")}, 50, true, []string{"strategy late did not contribute: it failed, the log says why"}},
		"one out of time":    {reranker{weight: 1, err: context.DeadlineExceeded}, 50, true, []string{"strategy late did not finish in time"}},
		"an unfinished one":  {reranker{weight: 1, score: up, unfinished: true}, 50, true, []string{"strategy late did not finish in time"}},
		"one without a view": {reranker{weight: 1, score: func(uint32) float64 { return 0 }}, 50, true, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			answer, hits, pool := rerankedHits(t, tc.reranker, tc.top, 100)
			if diff := cmp.Diff(titles(plain), titles(hits)); diff != "" {
				t.Error(diff)
			}
			for i, row := range hits.Items {
				if diff := cmp.Diff(plain.Items[i].Explain, row.Explain); diff != "" {
					t.Error(diff)
				}
			}
			if diff := cmp.Diff(tc.warnings, answer.Warnings); diff != "" || (pool != nil) != tc.called {
				t.Errorf("called with a pool of %d: %s", len(pool), diff)
			}
		})
	}
}

func TestWeightsOfTheSettingsHoldForRerankersToo(t *testing.T) {
	var pool []sdk.Candidate
	r := reranker{fakes: fakes{list: []words{exact}}, weight: 1, pool: &pool, score: func(section uint32) float64 { return float64(section) }}
	e := engine(t, manyRows(30), r)
	e.Settings.Weights = map[string]float64{"late": 0}
	if _, err := find(t, e, request("disk")); err != nil || pool != nil {
		t.Errorf("a reranker that is switched off was called with %d sections, %v", len(pool), err)
	}
}

func TestBlendKeepsSumsAndBounds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		amount := rapid.Float64Range(0, 10)
		floor := amount.Draw(rt, "floor")
		var top []scored
		var scores []sdk.Candidate
		best := floor
		for i := range rapid.Uint32Range(1, 12).Draw(rt, "sections") {
			a := fusion.Contribution{Source: "a", Amount: floor + amount.Draw(rt, "a")}
			b := fusion.Contribution{Source: "b", Amount: amount.Draw(rt, "b")}
			top = append(top, scored{Ranked: fusion.Ranked{Section: i, Score: a.Amount + b.Amount, Contributions: []fusion.Contribution{a, b}}})
			best = max(best, top[i].Score)
			if rapid.Bool().Draw(rt, "reranked") {
				scores = append(scores, sdk.Candidate{Section: i, Score: amount.Draw(rt, "score")})
			}
		}
		for _, name := range []string{"late", "later"} {
			sure := rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(rt, "confidence")
			blend(top, floor, mover{name, rapid.Float64Range(0.01, 2).Draw(rt, "weight"), sure}, scores)
		}
		for _, r := range top {
			var sum float64
			for _, c := range r.Contributions {
				sum += c.Amount
				if c.Blend == nil {
					continue
				}
				product := c.Weight * (c.Blend.To - c.Blend.From)
				if c.Confidence != 0 {
					product *= c.Confidence
				}
				if math.Abs(product-c.Amount) > 1e-9 {
					rt.Fatalf("%+v is not its product, %v", c, product)
				}
			}
			if math.Abs(sum-r.Score) > 1e-9 || r.Score < floor-1e-9 || r.Score > best+1e-9 {
				rt.Fatalf("score %v in [%v, %v], contributions sum to %v", r.Score, floor, best, sum)
			}
		}
	})
}
