package search

import (
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// A word that the corpus lacks is also searched as the nearest word of the corpus.
func TestMisspeltWordsAreCorrected(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Server", Body: "reimbursement reimbursing policies disk drive"},
		sdktest.Section{Heading: "Disk", Body: "server dusk"},
		sdktest.Section{Heading: "Lamp", Body: "restriction cloud lamp register configuration"})
	for query, want := range map[string][]string{
		"reimbursemnet":          {"reimbursemnet", "reimbursement"},
		"polciies of the servre": {"polciies", "servre", "policies", "server"},
		"server disk":            {"server", "disk"},
		"dsik":                   {"dsik"}, // too short for a correction
		"resitrction":            {"resitrction", "restriction"},
		"resxrctoon":             {"resxrctoon"}, // three typos
		"clould":                 {"clould", "cloud"},
		"cluod":                  {"cluod", "cloud"}, // a swap is one typo
		"clxxd":                  {"clxxd"},          // too short for two typos
		"confguration":           {"confguration", "configuration"},
		"quantum":                {"quantum"},
		"\"reimbursemnet\"":      {"reimbursemnet"},
		"policy":                 {"policy"},
	} {
		if diff := cmp.Diff(want, corrected(t, snap, query, nil)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// Of equally near words, one that the scope has is chosen.
func TestAMisspeltWordIsCorrectedToOneOfTheScope(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Tailor", Body: "tailor"},
		sdktest.Section{Heading: "Suits", Body: "tailor"},
		sdktest.Section{Heading: "Towing", Body: "trailer"},
		sdktest.Section{Heading: "Lamp", Body: "lamp"})
	for name, tc := range map[string]struct {
		scope *roaring.Bitmap
		want  string
	}{
		"everywhere":       {nil, "tailor"},
		"less frequent":    {roaring.BitmapOf(2, 3), "trailer"},
		"more frequent":    {roaring.BitmapOf(0, 3), "tailor"},
		"not in the scope": {roaring.BitmapOf(3), "tailor"},
	} {
		if diff := cmp.Diff([]string{"trailor", tc.want}, corrected(t, snap, "trailor", tc.scope)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A name whose number never stands alone in the texts is searched as the texts write it.
func TestANumberOfFourDigitsIsPutToItsWord(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "Standards", Body: "ISO9001 and RFC2616, HTTP8080 on port 8080"})
	for query, want := range map[string][]string{
		"ISO 9001":           {"iso9001"},
		"audit for rfc 2616": {"audit", "rfc2616"},
		"http 8080":          {"http", "8080"}, // the number is a word of its own
		"iso 1234":           {"iso", "1234"},
	} {
		if diff := cmp.Diff(want, corrected(t, snap, query, nil)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// corrected returns the terms of a query after its correction.
func corrected(t *testing.T, snap *snapshot.Snapshot, query string, scope *roaring.Bitmap) (terms []string) {
	r := run{plan: newPlan(Request{Query: query}, DefaultSettings()), snap: snap, logger: hclog.NewNullLogger()}
	r.correct(t.Context(), scope)
	for _, term := range r.query.Terms {
		terms = append(terms, term.Text)
	}
	return terms
}
