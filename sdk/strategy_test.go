package sdk_test

import (
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

func TestSections(t *testing.T) {
	all, err := sample.Sections(t.TempDir(), "manual-000001", snapshot.KindManual,
		sample.Section{Path: "a.md"}, sample.Section{Path: "b.md"}, sample.Section{Path: "c.md"})
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	left, err := sample.Without(all, "manual-000002", func(_, path string) bool { return path == "b.md" })
	if err != nil {
		t.Fatal(err)
	}
	defer left.Close()
	for _, tc := range []struct {
		scope *roaring.Bitmap
		want  []uint32
	}{
		{nil, []uint32{0, 2}},
		{roaring.BitmapOf(1, 2, 9), []uint32{2}},
		{roaring.New(), []uint32{}},
	} {
		req := sdk.Request{Corpus: left, Scope: tc.scope}
		if diff := cmp.Diff(tc.want, req.Sections().ToArray()); diff != "" {
			t.Errorf("scope %v: %s", tc.scope, diff)
		}
	}
}

func TestBest(t *testing.T) {
	all := []sdk.Candidate{{Section: 4, Score: 1}, {Section: 3, Score: 2}, {Section: 2, Score: 2}, {Section: 1}}
	want := []sdk.Candidate{{Section: 3, Score: 2}, {Section: 2, Score: 2}, {Section: 4, Score: 1}}
	if diff := cmp.Diff(want, sdk.Best(all, 3)); diff != "" {
		t.Error(diff)
	}
	if got := sdk.Best(nil, 3); len(got) != 0 {
		t.Errorf("the best of nothing is %v", got)
	}
}
