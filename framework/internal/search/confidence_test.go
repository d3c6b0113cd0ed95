package search

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

func TestConfidenceScalesTheWeight(t *testing.T) {
	for sure, want := range map[float64]float64{0: 1, 0.25: 0.25, 1: 1} { // the best of its list is scaled to 1
		some := words{name: "some", stage: sdk.StageRetrieve, signals: exact.signals, sure: sure}
		e := engine(t, manyRows(9), fakes{list: []words{some}})
		answer, err := find(t, e, request("disk"))
		if err != nil {
			t.Fatal(err)
		}
		hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1, Explain: true})
		if err != nil || hits.Items[0].Explain[0].Amount != want || hits.Items[0].Explain[0].Confidence != sure {
			t.Errorf("confidence %v: %+v, %v", sure, hits.Items[0].Explain, err)
		}
	}
}
