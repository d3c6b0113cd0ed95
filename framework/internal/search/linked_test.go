package search

import (
	"slices"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

func snapshotOf(t testing.TB, e *Engine) *snapshot.Snapshot {
	t.Helper()
	view, err := e.View(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return view.Snapshot
}

func TestTargetsOfAText(t *testing.T) {
	e := engine(t, []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "Start", Body: "See section 4.2 and [here](#start), then [the end](#end)."},
		{Manual: "m", Path: "a.md", Line: 9, Heading: "4.2 Middle", Body: "Nothing."},
		{Manual: "m", Path: "a.md", Line: 19, Heading: "End", Body: "As in section 4.2."},
	}, fakes{})
	snap := snapshotOf(t, e)
	for id, want := range [][]uint32{{2, 1}, nil, {1}} {
		if got := slices.Collect(refer.Targets(t.Context(), snap, uint32(id), referringText(snap, uint32(id)))); !slices.Equal(got, want) {
			t.Errorf("section %d points to %v, want %v", id, got, want)
		}
	}
	if got := linked(t.Context(), snap, []uint32{1}).ToArray(); !slices.Equal(got, []uint32{0, 2}) {
		t.Errorf("linked with 1: %v", got)
	}
	if got := neighbours(snap, []uint32{0, 2}).ToArray(); !slices.Equal(got, []uint32{1}) {
		t.Errorf("neighbours %v", got)
	}
}
