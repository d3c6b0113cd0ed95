package translation

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestExpansionByASample(t *testing.T) {
	s := configured(t, edict)
	english := []sdktest.Section{{Heading: "Servers", Body: "The server needs a car."}}
	japanese := []sdktest.Section{{Heading: "車", Body: "車のサーバーについて"}}
	for query, c := range map[string]struct {
		sample []sdktest.Section
		want   []string // ordered by weight
	}{
		"保険を変える":        {english, []string{"chang", "insur", "alter", "guarante"}}, // the sample contains none of them
		"サーバーの車":        {english, []string{"car", "server", "vehicl"}},
		"保険":            {japanese, nil}, // only in its own language
		"insurance":     {japanese, []string{"保険", "insur"}},
		"the insurance": {english, nil},
	} {
		res := searched(t, s, &sdk.Request{Query: sdk.Query{Text: query}, Corpus: sdktest.Snapshot(t, c.sample...), Limit: 1, Expand: true})
		got := map[string]float64{}
		for _, term := range res.Expansion {
			got[term.Text] = term.Weight
		}
		words := slices.SortedFunc(maps.Keys(got), func(a, b string) int {
			return cmp.Or(cmp.Compare(got[b], got[a]), cmp.Compare(a, b))
		})
		if diff := gocmp.Diff(c.want, words); diff != "" || len(res.Candidates) > 0 {
			t.Errorf("%s: %v, %d candidates", query, diff, len(res.Candidates))
		}
	}
}
