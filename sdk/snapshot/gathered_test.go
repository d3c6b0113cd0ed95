package snapshot_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// TestGatheredSectionsStandForOthers estimates the document frequencies of unrequested terms in a collection of 1,000
// sections. It has eight sections, half of which have the term that they were gathered by.
func TestGatheredSectionsStandForOthers(t *testing.T) {
	sections := make([]sdktest.Section, 8)
	for i, body := range []string{"fan noise late", "fan noise", "fan noise late", "fan noise rare",
		"disk late", "disk", "disk late", "disk"} {
		sections[i] = sdktest.Section{Heading: "A", Body: body}
	}
	of := snapshot.Statistics{Sections: 1000, DocFreqs: map[string]int{"fan": 4, "disk": 600, "absent": 7}}
	snap := sdktest.Gathered(t, of, sections...)
	got := map[string]int{}
	for _, term := range []string{"fan", "disk", "absent", "nois", "late", "rare", "nobodi"} {
		got[term] = snap.DocFreq(term)
	}
	// noise is only in sections with fan; rare is in one of four of these; late is in half of either.
	want := map[string]int{"fan": 4, "disk": 600, "absent": 7, "nois": 4, "late": 500, "rare": 1, "nobodi": 0}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	index := sdktest.Snapshot(t, sections...)
	if n := index.Estimate(index.Live()); n != 8 {
		t.Errorf("sections of an index stand for %d", n)
	}
}
