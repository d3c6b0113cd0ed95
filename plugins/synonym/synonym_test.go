package synonym

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// strategy returns a strategy with its own dictionary.
func strategy(t *testing.T) *Strategy {
	t.Helper()
	s := New()
	err := s.Configure(context.Background(), json.RawMessage(`{"bundled": false, "entries": [
		{"to": ["返金", "払い戻し", "refund"]}, {"from": ["nas"], "to": ["ストレージ"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// soft returns a plan of soft terms.
func soft(threshold float64, words ...string) sdk.Query {
	q := sdk.Query{MatchThreshold: threshold}
	for _, w := range words {
		w = text.Fold(w)
		q.Text += " " + w
		q.Terms = append(q.Terms, sdk.Term{Text: w, Kind: sdk.TermSoft, Weight: 1})
	}
	return q
}

func search(t *testing.T, q sdk.Query, scope *roaring.Bitmap, sections ...sdktest.Section) *sdk.Result {
	t.Helper()
	res, err := strategy(t).Search(context.Background(), &sdk.Request{Query: q, Corpus: sdktest.Snapshot(t, sections...), Scope: scope, Limit: 9})
	if err != nil || !res.Finished {
		t.Fatalf("%+v, %v", res, err)
	}
	return res
}

func ids(res *sdk.Result) []uint32 {
	out := []uint32{}
	for _, c := range res.Candidates {
		out = append(out, c.Section)
	}
	return out
}

var corpus = []sdktest.Section{
	{Heading: "返金", Body: "返金の期限は三十日です"},
	{Heading: "お金", Body: "払い戻しの期限は三十日です"},
	{Heading: "Refunds", Body: "Refunds are paid within thirty days"},
	{Heading: "その他", Body: "払うことも戻すこともない"},
	{Heading: "保管", Body: "ストレージの容量"},
}

func TestOnlySectionsWithAnAlternativeAreReturned(t *testing.T) {
	res := search(t, soft(0.5, "返金"), nil, corpus...)
	if got := res.Matched.ToArray(); !cmp.Equal(got, []uint32{1, 2}) || len(res.Candidates) != 2 {
		t.Errorf("matched %v, candidates %v", got, ids(res))
	}
	for _, c := range res.Candidates {
		want := []string{sdk.SignalNormalized, sdk.SignalSynonym}
		if c.Section == 2 {
			want = append([]string{sdk.SignalHeading}, want...)
		}
		if diff := cmp.Diff(want, c.Signals); diff != "" || c.Coverage < 0.99 {
			t.Errorf("section %d, coverage %v: %s", c.Section, c.Coverage, diff)
		}
	}
}

func TestAVariantCoversTheTermItStandsFor(t *testing.T) {
	q := soft(0.9, "返金", "期限")
	got := search(t, q, nil, corpus...)
	if diff := cmp.Diff([]uint32{1}, ids(got)); diff != "" {
		t.Errorf("only the section with a variant of one term and the other term is covered: %s", diff)
	}
	for _, term := range []string{"返金", "期限", "払い戻し"} {
		if !contains(got.Candidates[0].Terms, term) {
			t.Errorf("terms %q lack %s", got.Candidates[0].Terms, term)
		}
	}
}

func contains(all []string, s string) bool {
	for _, x := range all {
		if x == s {
			return true
		}
	}
	return false
}

func TestATermThatNoSectionHoldsIsStillFound(t *testing.T) {
	res := search(t, soft(0.5, "nas"), nil, corpus...)
	if diff := cmp.Diff([]uint32{4}, ids(res)); diff != "" || res.Candidates[0].Coverage < 0.99 {
		t.Errorf("%s, %+v", diff, res.Candidates)
	}
}

func TestOneWayEntriesDoNotTurnRound(t *testing.T) {
	res := search(t, soft(0, "ストレージ"), nil, append(corpus, sdktest.Section{Body: "nas"})...)
	if len(res.Candidates) != 0 {
		t.Errorf("candidates %v", ids(res))
	}
}

func TestScopeAndNegativeTerms(t *testing.T) {
	if got := ids(search(t, soft(0, "返金"), roaring.BitmapOf(0, 2), corpus...)); !cmp.Equal(got, []uint32{2}) {
		t.Errorf("in scope %v", got)
	}
	q := soft(0, "返金")
	q.Terms = append(q.Terms, sdk.Term{Text: "thirty", Kind: sdk.TermNegative, Weight: 1})
	if got := ids(search(t, q, nil, corpus...)); !cmp.Equal(got, []uint32{1}) {
		t.Errorf("without thirty %v", got)
	}
}

func TestExpansion(t *testing.T) {
	for word, want := range map[string][]string{"返金": {"払戻", "refund"}, "nas": {"スト", "トレ", "レー", "ージ"}, "容量": nil} {
		req := &sdk.Request{Query: soft(1, word), Corpus: sdktest.Snapshot(t, corpus[4]), Limit: 1, Expand: true}
		res, err := strategy(t).Search(t.Context(), req)
		if err != nil || len(res.Candidates) > 0 {
			t.Fatal(err, res.Candidates)
		}
		var got []string
		for _, term := range res.Expansion {
			if got = append(got, term.Text); term.Weight <= 0 || term.Weight > 1 {
				t.Errorf("%s: %+v", word, term)
			}
		}
		for _, term := range want {
			if !contains(got, term) {
				t.Errorf("%s is expanded to %q, which lacks %q", word, got, term)
			}
		}
		if want == nil && got != nil {
			t.Errorf("%s is expanded to %q", word, got)
		}
	}
}

func TestNothingToExpandEndsAtOnce(t *testing.T) {
	quoted := soft(0, "返金")
	quoted.Terms[0].Kind, quoted.Terms[0].Phrase = sdk.TermMust, true
	for name, q := range map[string]sdk.Query{"no entry": soft(0, "期限"), "a phrase to the letter": quoted, "no words": {}} {
		if res := search(t, q, nil, corpus...); len(res.Candidates) != 0 || !res.Matched.IsEmpty() || res.Examined != 0 {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

func TestAnEndedContextIsNotFinished(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := strategy(t).Search(ctx, &sdk.Request{Query: soft(0, "返金"), Corpus: sdktest.Snapshot(t, corpus...), Limit: 9})
	if err != nil || res.Finished {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestConfigure(t *testing.T) {
	s := New()
	if len(s.thesaurus().find("返金")) == 0 {
		t.Error("the bundled list is not used")
	}
	if len(strategy(t).thesaurus().find("設定")) != 0 {
		t.Error("the bundled list is used although it is switched off")
	}
	if err := s.Configure(context.Background(), json.RawMessage(`{"entires": []}`)); err == nil {
		t.Error("an unknown member was accepted")
	}
	if !json.Valid(s.Describe().ConfigSchema) {
		t.Error("the schema is not JSON")
	}
}
