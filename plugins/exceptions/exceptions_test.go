package exceptions

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

var corpus = []sdktest.Section{
	{Heading: "保証", Body: "保証期間は一年です"},
	{Heading: "対象外", Body: "水濡れは保証しません"},
	{Heading: "Cover", Body: "Theft is not\ncovered."},
	{Heading: "Exceptional service", Body: "We are cautious"},
	{Heading: "保証", Body: "落下は社内規程Xの保証です"},
}

func request(t *testing.T, intent sdk.Intent, scope *roaring.Bitmap) *sdk.Request {
	t.Helper()
	return &sdk.Request{
		Query:  sdk.Query{Intent: intent, Text: "保証", Terms: []sdk.Term{{Text: "保証", Kind: sdk.TermSoft, Weight: 1}}},
		Corpus: sdktest.Snapshot(t, corpus...), Scope: scope, Limit: 9,
	}
}

func TestSearch(t *testing.T) {
	custom := New()
	if err := custom.Configure(context.Background(), json.RawMessage(`{"words": ["社内規程x"]}`)); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		strategy            *Strategy
		intent              sdk.Intent
		scope               *roaring.Bitmap
		matched, candidates []uint32
	}{
		"any query is annotated":          {New(), sdk.IntentUnknown, nil, []uint32{1, 2}, nil},
		"exceptions are proposed":         {New(), sdk.IntentExceptions, nil, []uint32{1, 2}, []uint32{1}},
		"only within the scope":           {New(), sdk.IntentExceptions, roaring.BitmapOf(0, 2), []uint32{2}, nil},
		"with the workspace's own words":  {custom, sdk.IntentExceptions, nil, []uint32{1, 2, 4}, []uint32{4, 1}},
		"its own words without intention": {custom, sdk.IntentUnknown, nil, []uint32{1, 2, 4}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := tc.strategy.Search(context.Background(), request(t, tc.intent, tc.scope))
			if err != nil || !res.Finished {
				t.Fatalf("%+v, %v", res, err)
			}
			if diff := cmp.Diff(tc.matched, res.Matched.ToArray()); diff != "" {
				t.Error(diff)
			}
			var got []uint32
			for _, c := range res.Candidates {
				got = append(got, c.Section)
				if diff := cmp.Diff([]string{sdk.SignalExceptions}, c.Signals); diff != "" {
					t.Error(diff)
				}
			}
			if diff := cmp.Diff(tc.candidates, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOpenPreparesASnapshot(t *testing.T) {
	s, req := New(), request(t, sdk.IntentUnknown, nil)
	if err := s.Open(context.Background(), req.Corpus); err != nil {
		t.Fatal(err)
	}
	prepared, err := s.sections(context.Background(), req.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.sections(context.Background(), req.Corpus); err != nil || again != prepared {
		t.Errorf("the sections were looked up again, %v", err)
	}
	other := sdktest.Snapshot(t, sdktest.Section{Body: "nothing"})
	res, err := s.Search(context.Background(), &sdk.Request{Corpus: other, Limit: 1})
	if err != nil || !res.Matched.IsEmpty() {
		t.Errorf("another snapshot got the sections of the first: %+v, %v", res, err)
	}
}

func TestAnEndedContextIsNotFinished(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, req := New(), request(t, sdk.IntentExceptions, nil)
	if res, err := s.Search(ctx, req); err != nil || res.Finished {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err := s.Search(context.Background(), req); err != nil || res.Matched.GetCardinality() != 2 {
		t.Errorf("half a look-up was kept: %+v, %v", res, err)
	}
}

func TestConfigure(t *testing.T) {
	if err := New().Configure(context.Background(), json.RawMessage(`{"word": []}`)); err == nil {
		t.Error("an unknown member was accepted")
	}
	if !json.Valid(New().Describe().ConfigSchema) {
		t.Error("the schema is not JSON")
	}
}
