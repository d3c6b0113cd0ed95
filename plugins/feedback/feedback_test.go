package feedback

import (
	"fmt"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// ask searches with the first section as the pool, and returns the sections found.
func ask(t *testing.T, query string, sections ...sdktest.Section) (ids []uint32) {
	t.Helper()
	for i := range 40 { // a term of few sections is not common
		sections = append(sections, sdktest.Section{Heading: fmt.Sprint("Filler ", i), Body: "nothing of the kind"})
	}
	snap := sdktest.Snapshot(t, sections...)
	scope := roaring.New()
	scope.AddRange(1, uint64(len(sections)))
	res, err := New().Search(t.Context(), &sdk.Request{
		Query:  sdk.Query{Text: query, Terms: []sdk.Term{{Text: query, Kind: sdk.TermSoft, Weight: 1}}},
		Corpus: snap, Scope: scope, Limit: 100, Pool: []sdk.Candidate{{Section: 0, Score: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range res.Candidates {
		ids = append(ids, c.Section)
	}
	return ids
}

func TestWordsOfTheBestSectionsFindOthers(t *testing.T) {
	for name, tc := range map[string]struct {
		query    string
		sections []sdktest.Section
		want     []uint32
	}{
		"words of the best": {"aspirin", []sdktest.Section{{Body: "aspirin thins blood and prevents thrombosis"},
			{Body: "aspirin"}, {Body: "thrombosis of blood vessels"}, {Body: "a compass"}}, []uint32{1, 2}},
		"what stands in the best more often weighs more": {"aspirin", []sdktest.Section{
			{Body: "aspirin aspirin thrombosis thrombosis thrombosis headache"},
			{Body: "headache today"}, {Body: "thrombosis today"}}, []uint32{2, 1}},
		"words that say nothing": {"aspirin", []sdktest.Section{{Body: "aspirin is of the kind nothing"},
			{Body: "it is of the"}}, nil},
		"a query in Japanese": {"血栓", []sdktest.Section{{Body: "血栓 thrombosis"}, {Body: "血栓 thrombosis"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, ask(t, tc.query, tc.sections...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
