package snapshot_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestNear(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "a", Body: "disk drive dusk dish installation installing risk"},
		sdktest.Section{Heading: "b", Body: "installations disc дом ном"})
	for _, tc := range []struct {
		prefix, word string
		edits        int
		want         []string
	}{
		{"", "disk", 1, []string{"disc 1", "dish 1", "disk 0", "dusk 1"}},
		{"", "dsik", 1, []string{"disk 1"}},
		{"", "dsik", 2, []string{"disc 2", "dish 2", "disk 1", "dusk 2"}},
		{"\x01", "instalation", 1, []string{"installation 1"}},
		{"\x01", "instalation", 2, []string{"installation 1", "installations 2"}},
		{"", "дом", 1, []string{"дом 0"}}, // д and н have the same first byte
		{"", "", 1, nil},
		{"", "disk", 0, nil},
		{"", "zebra", 2, nil},
	} {
		near, err := snap.Near(tc.prefix, tc.word, tc.edits)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range near {
			got = append(got, fmt.Sprint(n.Term, " ", n.Edits))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%q within %d: %s", tc.word, tc.edits, diff)
		}
	}
}
