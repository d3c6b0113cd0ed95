package search

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
)

// again adds a feedback strategy to fakes, which scores each section of the scope by its id.
type again struct {
	fakes
	unfinished bool
	asked      *[]sdk.Request
}

func (a again) Strategies(ctx context.Context) ([]sdk.Description, []host.Failure) {
	all, failures := a.fakes.Strategies(ctx)
	return append(all, sdk.Description{Name: "again", Stage: sdk.StageFeedback, Weight: 1}), failures
}

func (a again) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if name != "again" {
		return a.fakes.Search(ctx, name, req)
	}
	*a.asked = append(*a.asked, *req)
	out := &sdk.Result{Finished: !a.unfinished}
	for _, id := range slices.Backward(req.Scope.ToArray()) {
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: id, Score: float64(id)})
	}
	return out, nil
}

func TestFeedbackOrdersWhatLiesBelowThePool(t *testing.T) {
	plain := []string{"Section 0", "Section 3", "Section 6", "Section 9", "Section 12", "Section 15", "Section 18"}
	for name, tc := range map[string]struct {
		unfinished bool
		top, most  int
		want       []string // the order
		scope      []uint32 // nil if it is not called
	}{
		"the rest":               {false, 4, 7, append(slices.Clone(plain[:4]), "Section 18", "Section 15", "Section 12"), []uint32{12, 15, 18}},
		"and the cut comes last": {false, 4, 5, append(slices.Clone(plain[:4]), "Section 18"), []uint32{12, 15, 18}},
		"half of it":             {true, 4, 7, plain, []uint32{12, 15, 18}},
		"nothing below":          {false, 7, 7, plain, nil},
		"nothing below is kept":  {false, 4, 4, plain[:4], nil},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []sdk.Request
			e := engine(t, manyRows(21), again{fakes{list: []words{exact}}, tc.unfinished, &asked})
			e.Settings.RerankTop = tc.top
			req := request("disk")
			req.MaxCandidates = tc.most
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 100, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, titles(hits)); diff != "" {
				t.Error(diff)
			}
			if (asked == nil) != (tc.scope == nil) {
				t.Fatalf("asked %d times", len(asked))
			}
			if asked == nil {
				return
			}
			if diff := cmp.Diff(tc.scope, asked[0].Scope.ToArray()); diff != "" || len(asked[0].Pool) != tc.top {
				t.Errorf("the pool has %d sections: %s", len(asked[0].Pool), diff)
			}
			for i, row := range hits.Items {
				last := row.Explain[len(row.Explain)-1]
				if by := last.Source == "again"; by != (i >= tc.top && !tc.unfinished) {
					t.Errorf("the last contribution to row %d is %+v", i, last)
				}
			}
		})
	}
}

// limits wraps fakes and records the limit that each strategy is called with.
type limits struct {
	fakes
	weight map[string]float64
	given  *sync.Map
}

func (l limits) Strategies(ctx context.Context) ([]sdk.Description, []host.Failure) {
	all, failures := l.fakes.Strategies(ctx)
	for i := range all {
		all[i].Weight = l.weight[all[i].Name]
	}
	return all, failures
}

func (l limits) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	l.given.Store(name, req.Limit)
	return l.fakes.Search(ctx, name, req)
}

func TestStrategiesOfWeightReturnMoreForFeedback(t *testing.T) {
	light := exact
	light.name = "light"
	for name, tc := range map[string]struct {
		query       string
		most        int
		heavy, rest int
	}{
		"English":               {"disk", 200, 300, 200},
		"Japanese":              {"ディスク disk", 200, 200, 200},
		"few candidates":        {"disk", 60, 150, 100},
		"only those reranked":   {"disk", 50, 100, 100},
		"as few as are printed": {"disk", 5, 100, 100},
	} {
		t.Run(name, func(t *testing.T) {
			var given sync.Map
			e := engine(t, manyRows(21), limits{fakes{list: []words{exact, light}}, map[string]float64{exact.name: 1, "light": 0.9}, &given})
			req := request(tc.query)
			req.MaxCandidates = tc.most
			if _, err := find(t, e, req); err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			given.Range(func(k, v any) bool { got[k.(string)] = v.(int); return true })
			if diff := cmp.Diff(map[string]int{exact.name: tc.heavy, "light": tc.rest}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
