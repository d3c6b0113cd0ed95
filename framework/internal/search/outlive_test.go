package search

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// find searches, and fails the test if the answer, the error or the engine keeps text of the snapshot: the index unmaps
// it when files change.
func find(t testing.TB, e *Engine, req Request) (*Answer, error) {
	t.Helper()
	snap := snapshotOf(t, e)
	answer, err := e.Find(t.Context(), req)
	e.traces.close() // until each trace is complete
	kept := []any{answer, err, e.traces.newest, &e.sizes, e.cache, &e.returned}
	for _, view := range sample.Views(snap, kept...) {
		t.Errorf("%q leaves a view: %s", req.Query, view)
	}
	return answer, err
}

func TestViewsAreFound(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Manual: "m", Path: "a.md", Line: 1, Heading: "A", Body: "text"})
	view := snap.Source(0, snapshot.FieldBody)
	for name, value := range map[string]any{
		"text": view, "part": view[1:2], "member": Row{Reason: view}, "hidden member": fusion.Contribution{Source: view},
		"list": []string{"", view}, "key": map[string]int{view: 1}, "value": map[string]any{"a": []any{view}},
		"bytes": packedFiles(unsafe.Slice(unsafe.StringData(view), len(view))), "pointer": &Row{Ref: &HitRef{Ref: toolset.Ref{Path: view}}},
	} {
		if found := sample.Views(snap, value); len(found) != 1 {
			t.Errorf("%s: %q", name, found)
		}
	}
	if found := sample.Views(snap, []string{"text", view[:0], snap.Outlive(view)}); len(found) > 0 {
		t.Errorf("no views: %q", found)
	}
}

// borrower finds everything, with terms and warnings that are views of the snapshot.
type borrower struct{}

func (borrower) Strategies(context.Context) ([]sdk.Description, []host.Failure) {
	return fakes{list: []words{exact}}.Strategies(context.Background())
}

func (borrower) Search(_ context.Context, _ string, req *sdk.Request) (*sdk.Result, error) {
	res := &sdk.Result{Matched: roaring.New(), Finished: true}
	for it := req.Corpus.Live().Iterator(); it.HasNext(); {
		id := it.Next()
		body := req.Corpus.Normalized(id, snapshot.FieldBody)
		res.Examined++
		res.Matched.Add(id)
		res.Warnings = []string{body}
		res.Candidates = append(res.Candidates, sdk.Candidate{
			Section: id, Score: 1, Coverage: 1, Signals: []string{sdk.SignalNormalized}, Terms: []string{body[:len(body)/2], "text"},
		})
	}
	return res, nil
}

// tellingRows are sections by query. An answer may quote part of their text unchanged.
var tellingRows = map[string][]sdktest.Section{
	"保証期間 保証": {
		{Manual: "m", Path: "a.md", Line: 1, Heading: "保証", Body: "| 保証期間は購入日から30日です。 |\n"},
		{Manual: "n", Path: "a.md", Line: 1, Heading: "保証", Body: "保証期間は購入日から14日です。\n"},
	},
	"返品できますか": {
		{Manual: "m", Path: "a.md", Line: 1, Heading: "返品", Body: "| 品 | 返品 |\n| --- | --- |\n| セール品 | 返品できません。 |\n"},
		{Manual: "m", Path: "b.md", Line: 1, Heading: "返品", Body: "次の品は返品できません。\n\n- セール品\n- 開封した品\n"},
		{Manual: "m", Path: "c.md", Line: 1, Heading: "返品", Body: "セール品も返品できます。詳しくは別表9を参照してください。\n"},
	},
	"fee for a refund": {
		{Manual: "m", Path: "a.md", Line: 1, Heading: "Refunds", Body: "The fee for a refund: see section 9.9.\n"},
		{Manual: "m", Path: "b.md", Line: 1, Heading: "Refunds", Body: "For the fee for a refund see [fees](c.md#fees).\n"},
		{Manual: "m", Path: "c.md", Line: 1, Heading: "Fees", Body: "| plain row |\n"},
		{Manual: "m", Path: "d.json", Line: 1, Heading: "d", Body: "{\"refund\": {\"fee\": \"$5\"}}\n"},
	},
	"return an item within how many days": disputedRows(),
	"disk":                                manyRows(30),
}

// An index closes the snapshot of an answer when files change. The answer, its trace and all that an engine keeps must
// not refer to it.
func TestNothingOutlivesItsSnapshot(t *testing.T) {
	for query, rows := range tellingRows {
		for name, strategies := range map[string]Strategies{"words": fakes{list: []words{exact, warner}}, "views": borrower{}} {
			t.Run(name+" "+query, func(t *testing.T) {
				e := engine(t, rows, strategies)
				e.cache = semcache.New[*Trace](semcache.Options{TTL: time.Hour, Keep: 9})
				e.Cache = &Cache{Default: true}
				for range 2 { // the second time from the cache
					checkOutlives(t, e, query)
				}
			})
		}
	}
}

// checkOutlives searches once and looks for text of the snapshot in everything that remains.
func checkOutlives(t *testing.T, e *Engine, query string) {
	t.Helper()
	req := request(query)
	req.ClaimGraph, req.InlineHits = true, 5
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	var all []any
	for _, kind := range kinds() {
		h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: kind, Limit: 1000, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	for _, view := range sample.Views(snapshotOf(t, e), all...) {
		t.Errorf("%s: %s", query, view)
	}
}

// The cases that measure the judgement have every kind of claim, conflict and gap; a sample of them is enough.
func TestNoJudgementOutlivesItsSnapshot(t *testing.T) {
	f, err := os.Open("../../../testdata/judge/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := cases.Read(f, func(query string) sdk.Query { return sdk.Query{Raw: query} })
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(all); n += 4 {
		c := &all[n]
		var rows []sdktest.Section
		for i, s := range c.Evidences { // each a file of its own, in order
			rows = append(rows, sdktest.Section{Manual: "m", Path: fmt.Sprintf("%02d.md", i), Line: 1, Heading: s.Heading, Body: s.Text})
		}
		checkOutlives(t, engine(t, rows, borrower{}), c.Query.Raw)
	}
}

// A ranking holds paths and titles, and no judgement.
func TestNoRankingOutlivesItsSnapshot(t *testing.T) {
	e := engine(t, slices.Concat(disputedRows(), manyRows(9)), borrower{})
	var kept *Trace
	if err := e.Hold(t.Context(), 60_000, func(ctx context.Context, view index.View) error {
		ranking, err := e.Rank(ctx, view, request("item"), Scope{Warnings: []string{"a warning"}})
		if err != nil {
			return err
		}
		kept = e.Keep(t.Context(), ranking, []toolset.Ref{{Path: "a.md", StartLine: 1, EndLine: 2}})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	tr, err := e.Trace(t.Context(), kept.ID)
	if err != nil || len(tr.Candidates) == 0 {
		t.Fatalf("%+v, %v", tr, err)
	}
	for _, view := range sample.Views(snapshotOf(t, e), []any{tr, e.UnscannedRows(t.Context(), tr)}) {
		t.Error(view)
	}
}
