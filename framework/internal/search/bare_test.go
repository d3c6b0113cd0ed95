package search

import (
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestEmptySectionsNeedATitleOfTheirOwn(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Path: "a.md", Line: 1, Heading: "Disk", Body: ""},
		sdktest.Section{Path: "a.md", Line: 5, Heading: "Tape", Body: ""},
		sdktest.Section{Path: "a.md", Line: 9, Heading: "Tape", Body: "text"},
		sdktest.Section{Path: "a.md", Line: 13, Heading: "Disks and tapes", Body: ""},
	)
	for name, tc := range map[string]struct {
		stage   sdk.Stage
		signals []string
		want    []uint32
	}{
		"retrieved":       {sdk.StageRetrieve, []string{sdk.SignalHeading}, []uint32{0, 2, 3}},
		"filled":          {sdk.StageFill, []string{sdk.SignalHeading}, []uint32{0, 1, 2, 3}},
		"only annotating": {sdk.StageRetrieve, []string{sdk.SignalExceptions}, []uint32{0, 1, 2, 3}},
	} {
		r := &run{snap: snap, bare: &lexical.Cache{}}
		r.query.Text = "disk failure"
		given := &sdk.Result{Matched: snap.Live().Clone()}
		res := r.withoutBare(t.Context(), tc.stage, result{description: sdk.Description{Signals: tc.signals}, Result: given})
		if got := res.Matched.ToArray(); !slices.Equal(got, tc.want) || given.Matched.GetCardinality() != 4 {
			t.Errorf("%s: %v, given %v", name, got, given.Matched)
		}
	}
}
