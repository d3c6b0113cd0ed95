package toc

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestSearch(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Configuration of the network", Body: "text"},
		sdktest.Section{Heading: "設定の変更", Body: "本文"},
		sdktest.Section{Heading: "Other", Body: "configuration 設定"},
		sdktest.Section{Heading: "Other", Body: "text", Names: "direct deposit"})
	for name, tc := range map[string]struct {
		query string
		pool  []sdk.Candidate
		want  []uint32
	}{
		"a word of a heading":    {query: "configuration", want: []uint32{0}},
		"characters of a title":  {query: "変更点", want: []uint32{1}},
		"what is there already":  {query: "configuration", pool: []sdk.Candidate{{Section: 0}}, want: nil},
		"a mere character":       {query: "変人", want: []uint32{1}},
		"and something found":    {query: "変人", pool: []sdk.Candidate{{Section: 0}}, want: nil},
		"a name of a file":       {query: "deposit", want: []uint32{3}},
		"text outside of titles": {query: "本文", want: nil},
	} {
		t.Run(name, func(t *testing.T) {
			query := sdk.Query{Text: tc.query, Terms: []sdk.Term{{Text: tc.query, Kind: sdk.TermSoft, Weight: 1}}, MatchThreshold: 0.9}
			res, err := New().Search(context.Background(), &sdk.Request{Query: query, Corpus: snap, Limit: 9, Pool: tc.pool})
			if err != nil {
				t.Fatal(err)
			}
			var got []uint32
			for _, c := range res.Candidates {
				got = append(got, c.Section)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
