package search

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestSectionsThatAnswerMoveUp(t *testing.T) {
	rows := []sdktest.Section{
		{Manual: "m", Path: "b.md", Heading: "Racks", Body: "How many disks does a rack hold?"},
		{Manual: "m", Path: "c.md", Heading: "Sizes", Body: "A rack can hold 24 disks of any size."},
	}
	for name, tc := range map[string]struct {
		weight   float64
		top      int
		reranker float64 // weight; 0 means no reranker
		want     []string
	}{
		"as it ships":            {DefaultSettings().AnswerWeight, 50, 0, []string{"Sizes", "Racks"}},
		"without weight":         {0, 50, 0, []string{"Racks", "Sizes"}},
		"one section reranked":   {1, 1, 0, []string{"Racks", "Sizes"}},
		"a reranker of weight 1": {1, 50, 1, []string{"Racks", "Sizes"}},
		"a reranker that leaves": {1, 50, 0.5, []string{"Sizes", "Racks"}},
	} {
		t.Run(name, func(t *testing.T) {
			var strategies Strategies = fakes{list: []words{exact}}
			if tc.reranker > 0 {
				strategies = reranker{
					fakes: fakes{list: []words{exact}}, weight: tc.reranker, score: func(uint32) float64 { return 1 },
					pool: new([]sdk.Candidate),
				}
			}
			e := engine(t, rows, strategies)
			e.Settings.AnswerWeight, e.Settings.RerankTop = tc.weight, tc.top
			answer, err := find(t, e, request("how many disks does a rack hold"))
			if err != nil {
				t.Fatal(err)
			}
			hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 10, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, titles(hits)); diff != "" {
				t.Error(diff)
			}
			moved := tc.weight > 0 && tc.top > 1 && tc.reranker < 1
			for i, row := range hits.Items {
				sum, said := 0.0, false
				for _, c := range row.Explain {
					sum += c.Amount
					said = said || c.Source == bonusAnswer
				}
				if math.Abs(sum-*row.Score) > 1e-12 || said != moved {
					t.Errorf("row %d: %+v is not the score %v", i, row.Explain, *row.Score)
				}
			}
			refit, err := e.Refit(t.Context(), RefitRequest{TraceID: answer.TraceID})
			if err != nil {
				t.Fatal(err)
			}
			isBonus := func(s SourceWeight) bool { return s.Source == bonusAnswer && s.Stage == string(stageBonus) }
			if known := slices.ContainsFunc(refit.Sources, isBonus); known != moved {
				t.Errorf("sources are %+v", refit.Sources)
			}
		})
	}
}
