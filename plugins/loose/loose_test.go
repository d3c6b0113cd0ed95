package loose

import (
	"context"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestSearch(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "マイ・ナンバー・カード", Body: "再発行の手順"},
		sdktest.Section{Body: "マイナンバーカードと保険証"},
		sdktest.Section{Body: "use data base tools"},
		sdktest.Section{Body: "nothing of the kind [yet]"})
	must := sdk.Term{Text: "e-1042", Kind: sdk.TermMust, Weight: 1}
	for name, tc := range map[string]struct {
		terms     []sdk.Term
		threshold float64
		scope     *roaring.Bitmap
		want      []uint32
	}{
		"separators do not matter":   {terms: []sdk.Term{{Text: "マイナンバーカード", Weight: 1}}, want: []uint32{0, 1}},
		"words written in one piece": {terms: []sdk.Term{{Text: "database", Weight: 1}}, want: []uint32{2}},
		"a scope":                    {terms: []sdk.Term{{Text: "マイナンバーカード", Weight: 1}}, scope: roaring.BitmapOf(1, 3), want: []uint32{1}},
		"the more the better":        {terms: []sdk.Term{{Text: "再発行", Weight: 1}, {Text: "マイナンバーカード", Weight: 1}}, want: []uint32{0, 1}},
		"below the threshold":        {terms: []sdk.Term{{Text: "再発行", Weight: 1}, {Text: "マイナンバーカード", Weight: 1}}, threshold: 0.7, want: []uint32{0}},
		"nowhere":                    {terms: []sdk.Term{must}, want: nil},
		"a quoted bracket":           {terms: []sdk.Term{{Text: "(", Kind: sdk.TermMust, Phrase: true, Weight: 1}}, want: []uint32{3}},
		"a bracket":                  {terms: []sdk.Term{{Text: "(", Weight: 1}}, want: nil},
		"no terms":                   {want: nil},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := New().Search(context.Background(), &sdk.Request{
				Query: sdk.Query{Terms: tc.terms, MatchThreshold: tc.threshold}, Corpus: snap, Scope: tc.scope, Limit: 9,
			})
			if err != nil || !res.Finished {
				t.Fatalf("%+v, %v", res, err)
			}
			var got []uint32
			for _, c := range res.Candidates {
				got = append(got, c.Section)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if int(res.Matched.GetCardinality()) != len(got) {
				t.Errorf("%d matched, %d candidates", res.Matched.GetCardinality(), len(got))
			}
		})
	}
}

func TestMatchesInHeadingsAndNamesAreSignalled(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "foo-bar", Body: "x"}, sdktest.Section{Heading: "x", Body: "foo_bar"},
		sdktest.Section{Heading: "x", Body: "x", Names: "foo bar"})
	res, err := New().Search(context.Background(), &sdk.Request{
		Query: sdk.Query{Terms: []sdk.Term{{Text: "foobar", Weight: 1}}}, Corpus: snap, Limit: 9,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{sdk.SignalHeading, sdk.SignalLoose}, {sdk.SignalLoose}, {sdk.SignalPath, sdk.SignalLoose}}
	var got [][]string
	for _, c := range res.Candidates {
		got = append(got, c.Signals)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNumbersKeepSeparators(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "100", Body: "1.0"}, sdktest.Section{Heading: "1.0", Body: "10"},
		sdktest.Section{Heading: "10", Body: "2019-10-24"})
	res, err := New().Search(t.Context(), &sdk.Request{
		Query: sdk.Query{Terms: []sdk.Term{{Text: "1.0", Weight: 1}}}, Corpus: snap, Limit: 9,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"1.0", sdk.SignalLoose}, {"1.0", sdk.SignalHeading, sdk.SignalLoose}}
	var got [][]string
	for _, c := range res.Candidates {
		got = append(got, append(c.Terms, c.Signals...))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestGatheredSectionsAreNoSample has a rare word in more of the gathered sections, which were gathered for it, than a
// common one.
func TestGatheredSectionsAreNoSample(t *testing.T) {
	rare, frequent := sdktest.Section{Body: "quota"}, sdktest.Section{Body: "server"}
	of := snapshot.Statistics{Sections: 1000, DocFreqs: map[string]int{"quota": 3, "server": 600}}
	snap := sdktest.Gathered(t, of, frequent, rare, rare, rare)
	terms := []sdk.Term{{Text: "server", Weight: 1}, {Text: "quota", Weight: 1}}
	res, err := New().Search(t.Context(), &sdk.Request{Query: sdk.Query{Terms: terms}, Corpus: snap, Limit: 9})
	if err != nil || len(res.Candidates) != 4 || res.Candidates[3].Section != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}
