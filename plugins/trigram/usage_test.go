package trigram

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// grams returns the trigrams of a text.
func grams(s string) (out []gram) {
	each(s, func(g gram) { out = append(out, g) })
	return out
}

func TestSampleIsWhatWasWritten(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "ab", Body: "ab ab"}, sdktest.Section{Body: "認証"}, sdktest.Section{Body: "ab"})
	want := sampleOf(snap.Segments()[0], 0, 2)
	data, err := want.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decode(data)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sample{})); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	u := usage{parts: []*sample{got, got}}
	for text, holders := range map[string]int{"ab": 4, "認証": 0} { // from the first and the third section, twice
		if n := u.holders(grams(text)[0]); n != holders {
			t.Errorf("%q has %d holders, want %d", text, n, holders)
		}
	}
	for i := range data {
		if _, err := decode(data[:i]); err == nil {
			t.Errorf("the first %d of %d bytes are a sample", i, len(data))
		}
	}
}

func TestUsageIsOfASampleOfSections(t *testing.T) {
	var sections []sdktest.Section
	for i := range 2 * sampled {
		sections = append(sections, sdktest.Section{Heading: fmt.Sprint(i)})
	}
	u, err := New().usageOf(t.Context(), sdktest.Snapshot(t, sections...))
	if err != nil || u.sections != 2*sampled/3+1 {
		t.Errorf("%d sections, %v", u.sections, err)
	}
}
