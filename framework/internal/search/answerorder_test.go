package search

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestSectionsThatAnswerMoveUp(t *testing.T) {
	rows := []sdktest.Section{
		{Manual: "m", Path: "b.md", Heading: "Racks", Body: "How many disks does a rack hold?"},
		{Manual: "m", Path: "c.md", Heading: "Sizes", Body: "A rack can hold 24 disks of any size."},
	}
	for name, tc := range map[string]struct {
		weight float64
		top    int
		want   []string
	}{
		"as it ships":          {DefaultSettings().AnswerWeight, 50, []string{"Sizes", "Racks"}},
		"without weight":       {0, 50, []string{"Racks", "Sizes"}},
		"one section reranked": {1, 1, []string{"Racks", "Sizes"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, rows, fakes{list: []words{exact}})
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
			for i, row := range hits.Items {
				sum, said := 0.0, false
				for _, c := range row.Explain {
					sum += c.Amount
					said = said || c.Source == bonusAnswer
				}
				if math.Abs(sum-*row.Score) > 1e-12 || said != (tc.weight > 0 && tc.top > 1) {
					t.Errorf("row %d: %+v is not the score %v", i, row.Explain, *row.Score)
				}
			}
			refit, err := e.Refit(t.Context(), RefitRequest{TraceID: answer.TraceID})
			if err != nil {
				t.Fatal(err)
			}
			isBonus := func(s SourceWeight) bool { return s.Source == bonusAnswer && s.Stage == string(stageBonus) }
			if known := slices.ContainsFunc(refit.Sources, isBonus); known != (tc.weight > 0 && tc.top > 1) {
				t.Errorf("sources are %+v", refit.Sources)
			}
		})
	}
}
