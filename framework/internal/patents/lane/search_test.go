package lane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// errBroken is a failure of a lane that panics.
var errBroken = errors.New("a broken lane")

// lines makes a lane that finds every publication of its scope, in the order of the file,
// with scores that fall.
type lines struct {
	fail map[string]error // by lane

	mu   sync.Mutex // lanes run side by side
	last *sdk.Request
}

func (l *lines) OpenOne(context.Context, string, *snapshot.Snapshot) error { return nil }

func (l *lines) Search(_ context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	l.mu.Lock()
	l.last = req
	l.mu.Unlock()
	if err := l.fail[name]; errors.Is(err, errBroken) {
		panic(err)
	} else if err != nil {
		return nil, err
	}
	scope := req.Corpus.Live()
	if strings.HasPrefix(req.Query.Raw, "far") {
		scope = roaring.New()
	}
	if req.Scope != nil {
		scope = roaring.And(scope, req.Scope)
	}
	out := &sdk.Result{Matched: scope, Examined: int(scope.GetCardinality()), Finished: req.Query.Raw != "late"}
	if strings.HasPrefix(req.Query.Raw, "warned") { // by text of the snapshot
		out.Warnings = []string{req.Corpus.Source(0, 0)}
	}
	for it := scope.Iterator(); it.HasNext() && len(out.Candidates) < req.Limit; {
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: it.Next(), Score: 1 / float64(1+len(out.Candidates))})
	}
	return out, nil
}

// newEngine searches the records of one file, which rewrite changes.
func newEngine(t *testing.T, l Strategies, records ...string) (e *Engine, rewrite func(records ...string)) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "publications.jsonl")
	write := func(records ...string) {
		if err := os.WriteFile(file, []byte(strings.Join(records, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(records...)
	x, err := index.Open(index.Options{
		Dir: t.TempDir(), Source: publication.Source{},
		Manuals: func(context.Context) ([]corpus.Manual, error) {
			return []corpus.Manual{{ID: "publications", Dir: dir}}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	runs := OpenRuns(store.In(t.TempDir()))
	view := func(ctx context.Context) (index.View, error) { return x.View(ctx, time.Minute) }
	return NewEngine(runs, NewCollection(view), l), func(records ...string) { write(records...); x.Changed(file) }
}

func dated(id, date string) string {
	return fmt.Sprintf(`{"pub_id": %q, "title": "電池 %s", "fi": ["H01M10/48P"], "publication_date": %q, "app_id": "特願2019-00000%s", "note": 7}`, id, id, date, id[len(id)-2:len(id)-1])
}

var fiveCells = []string{
	dated("JP2020-000001A", "2020-05-01"), dated("JP2021-000002A", "2021-01-01"), dated("JP2019-000003A", "2019"),
	dated("JP2020-000004A", ""), dated("JP2020-000005A", "2020-05-01"),
}

// checkViews fails where what a search leaves, or the engine keeps, holds text of the snapshot.
func checkViews(t *testing.T, e *Engine, left ...any) {
	t.Helper()
	v, err := e.collection.view(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Release()
	for _, text := range sample.Views(v.Snapshot, append(left, e.runs, e.collection, e.catalog, &e.fingerprint)...) {
		t.Error("a view is left:", text)
	}
}

func found(t *testing.T, e *Engine, ask Ask) (*Handle, []string) {
	t.Helper()
	h, err := e.Search(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.Run(t.Context(), h.RunID)
	if err != nil {
		t.Fatal(err)
	}
	checkViews(t, e, h, run)
	short := []string{}
	for _, id := range run.Docs {
		short = append(short, strings.Trim(id[len("JP2020-"):], "0A"))
	}
	return h, short
}

// The collection unmaps a snapshot when its files have changed.
func TestNothingOutlivesTheSnapshotOfALane(t *testing.T) {
	e, rewrite := newEngine(t, &lines{}, fiveCells...)
	h, _ := found(t, e, Ask{Lane: Fulltext, Query: "warned"})
	if len(h.Warnings) == 0 {
		t.Error("the strategy's warning is missing")
	}
	fields := Cutting{Fields: publication.Texts()}
	peeked, err := e.Peek(t.Context(), PeekRequest{RunID: h.RunID, Limit: 5, Cutting: fields})
	if err != nil || peeked.Returned != 5 {
		t.Fatalf("%+v, %v", peeked, err)
	}
	checkViews(t, e, peeked)
	rewrite(fiveCells[:2]...)
	found(t, e, Ask{Lane: Fulltext, Query: "again"})
}

func TestOrderAndCounts(t *testing.T) {
	e, _ := newEngine(t, &lines{}, fiveCells...)
	two := 2
	for _, tc := range []struct {
		name string
		ask  Ask
		want []string
		hits int
	}{
		{"by score", Ask{Lane: Fulltext, Query: "電池"}, []string{"1", "2", "3", "4", "5"}, 5},
		{"the best two", Ask{Lane: Fulltext, Query: "電池", Options: Options{TopK: &two}}, []string{"1", "2"}, 5},
		{"the newest", Ask{Lane: Fulltext, Query: "電池", Options: Options{Sort: sortNew}}, []string{"2", "1", "5", "3", "4"}, 5},
		{"the oldest two", Ask{Lane: Fulltext, Query: "電池", Options: Options{Sort: sortOld, TopK: &two}}, []string{"3", "1"}, 5},
		{"the newest of the nearest", Ask{Lane: Semantic, Text: "電池の劣化を推定する。", Options: Options{Sort: sortNew, TopK: &two}}, []string{"2", "1"}, 5},
		{"a filter", Ask{Query: "電池", Options: Options{LaneName: "fulltext_narrow", Filters: Filters(`[{"lop": "and", "field": "date", "op": ">=", "value": "2020"}]`)}}, []string{"1", "2", "5"}, 3},
		{"a filter that nothing passes", Ask{Lane: Fulltext, Query: "電池", Options: Options{Filters: Filters(`[{"lop": "and", "field": "fi", "op": "=", "value": "A01B1/00"}]`)}}, []string{}, 0},
	} {
		h, docs := found(t, e, tc.ask)
		if diff := cmp.Diff(tc.want, docs); diff != "" || h.HitCount != tc.hits || h.Truncated != (len(tc.want) < tc.hits) || h.TopK != len(tc.want) {
			t.Errorf("%s: %+v %s", tc.name, h, diff)
		}
	}
}

func TestARequestHasItsDefaults(t *testing.T) {
	l := &lines{}
	e, _ := newEngine(t, l, fiveCells...)
	h, _ := found(t, e, Ask{Query: "電池", FieldBoosts: map[string]float64{"title": 80}, Options: Options{LaneName: "fulltext_wide"}})
	want := Request{
		Lane: Fulltext, LaneName: "fulltext_wide", Query: "電池", Filters: publication.Filters{}, FeatureScope: "wide", Sort: sortScore, TopK: defaultTopK,
		FieldBoosts: map[string]float64{"title": 80, "abst": 10, "claim": 5, "desc": 4},
	}
	if diff := cmp.Diff(want, h.Meta); diff != "" {
		t.Error(diff)
	}
	params, err := patentquery.ParseParams(l.last.Params)
	if err != nil || params.FeatureScope != patentquery.Wide || params.FieldBoosts["title"] != 80 || l.last.Query.Raw != "電池" || l.last.Limit != defaultTopK {
		t.Errorf("the strategy was asked %+v, %+v, %v", l.last, params, err)
	}
	h, _ = found(t, e, Ask{Text: "電池の劣化を推定する。", Options: Options{LaneName: "original_dense", FeatureScope: "claims_only"}})
	if h.Lane != Semantic || h.LaneName != "original_dense" || h.Meta.FeatureScope != "claims_only" || h.Meta.FieldBoosts != nil {
		t.Errorf("original_dense: %+v", h.Meta)
	}
}

func TestLanesFailAlone(t *testing.T) {
	e, _ := newEngine(t, &lines{fail: map[string]error{Semantic: errors.New("no vectors")}}, fiveCells...)
	out, err := e.SearchAll(t.Context(), []Ask{
		{Text: "電池の劣化を推定する。", Options: Options{LaneName: "semantic"}}, {Options: Options{LaneName: "fulltext_recall"}, Query: "電池"}, {Options: Options{LaneName: "fulltext"}, Query: "("}, {},
		{Query: "電池", Refused: toolset.Errorf(toolset.InvalidRRFCall, "top_k must be an integer"), Options: Options{LaneName: "fulltext_odd"}},
		{Tool: "search_fulltext", Query: "("},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, code := range []toolset.Code{toolset.BackendError, "", toolset.InvalidQuery, toolset.InvalidRRFCall, toolset.InvalidRRFCall, toolset.InvalidQuery} {
		r := out.Runs[i]
		if good := code == ""; good != (r.Status == StatusOK) || good != (r.Error == nil) || good != (r.Handle != nil) || r.Error != nil && r.Error.Code != code {
			t.Errorf("lane %d: %+v", i, r)
		}
	}
	if r := out.Runs[1]; r.LaneName != "fulltext_recall" || r.Lane != Fulltext || r.HitCount != 5 {
		t.Errorf("the good lane: %+v", r)
	}
	if r := out.Runs[4]; r.LaneName != "fulltext_odd" || r.Lane != Fulltext {
		t.Errorf("the lane that could not be read: %+v", r)
	}
	if r := out.Runs[5]; r.LaneName != Fulltext || r.Lane != Fulltext {
		t.Errorf("the lane named by a tool: %+v", r)
	}
}

// A lane that panics costs the others nothing.
func TestALaneThatPanicsFailsAlone(t *testing.T) {
	e, _ := newEngine(t, &lines{fail: map[string]error{Semantic: errBroken}}, fiveCells...)
	out, err := e.SearchAll(t.Context(), []Ask{
		{Text: "電池の劣化を推定する。", Options: Options{LaneName: "semantic"}},
		{Query: "電池", Options: Options{LaneName: "fulltext_recall"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	broken, good := out.Runs[0], out.Runs[1]
	if broken.Status != StatusError || broken.LaneName != "semantic" || broken.Error == nil || broken.Handle != nil {
		t.Errorf("%+v", broken)
	}
	if strings.Contains(broken.Error.Message, "broken") {
		t.Errorf("the cause reached the caller: %v", broken.Error)
	}
	if good.Status != StatusOK || good.HitCount != 5 {
		t.Errorf("%+v", good)
	}
}

func TestWhatALaneRefuses(t *testing.T) {
	e, _ := newEngine(t, &lines{}, fiveCells...)
	n := func(i int) *int { return &i }
	for name, tc := range map[string]struct {
		ask       Ask
		code      toolset.Code
		parameter string
	}{
		"no lane":                    {Ask{Query: "a"}, toolset.InvalidRRFCall, "lane_name"},
		"another lane":               {Ask{Lane: "bm25", Query: "a"}, toolset.InvalidRRFCall, "lane"},
		"a name that only starts so": {Ask{Text: "a", Options: Options{LaneName: "semantics"}}, toolset.InvalidRRFCall, "lane_name"},
		"text for fulltext":          {Ask{Lane: Fulltext, Query: "a", Text: "b"}, toolset.InvalidRRFCall, "text"},
		"a query for semantic":       {Ask{Lane: Semantic, Query: "a"}, toolset.InvalidRRFCall, "query"},
		"boosts for semantic":        {Ask{Lane: Semantic, Text: "a", FieldBoosts: map[string]float64{}}, toolset.InvalidRRFCall, "field_boosts"},
		"a part for semantic":        {Ask{Lane: Semantic, Text: "a", Options: Options{FeatureScope: "background_jp"}}, toolset.InvalidRRFCall, "feature_scope"},
		"nothing":                    {Ask{Lane: Fulltext, Query: "a", Options: Options{TopK: n(0)}}, toolset.InvalidRRFCall, "top_k"},
		"too much":                   {Ask{Lane: Fulltext, Query: "a", Options: Options{TopK: n(MaxTopK + 1)}}, toolset.InvalidRRFCall, "top_k"},
		"an order":                   {Ask{Lane: Fulltext, Query: "a", Options: Options{Sort: "rank"}}, toolset.InvalidRRFCall, "sort"},
		"no query":                   {Ask{Lane: Fulltext}, toolset.InvalidQuery, "query"},
		"a filter":                   {Ask{Lane: Fulltext, Query: "a", Options: Options{Filters: Filters(`[{}]`)}}, toolset.FilterError, "filters[0].lop"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.Search(t.Context(), tc.ask)
			refused(t, err, tc.code, tc.parameter)
		})
	}
}

func TestAQueryOfTooManyTermsTellsWhere(t *testing.T) {
	e, _ := newEngine(t, &lines{}, fiveCells...)
	for query, want := range map[string]map[string]any{
		strings.Repeat("a ", 1001):  {"position": 2001, "found": `term 1001, "a"`},
		strings.Repeat("語", 21_846): {"position": 1, "found": "65538 bytes"},
	} {
		_, err := e.Search(t.Context(), Ask{Lane: Fulltext, Query: query})
		bad := refused(t, err, toolset.InvalidQuery, "query")
		for key, value := range want {
			if bad.Details[key] != value {
				t.Errorf("%s is %v, want %v", key, bad.Details[key], value)
			}
		}
		example, _ := bad.Details["example"].(map[string]any)
		if _, err := e.Search(t.Context(), Ask{Lane: Fulltext, Query: fmt.Sprint(example["query"])}); err != nil {
			t.Errorf("the example %v: %v", example, err)
		}
	}
}

func TestALongQueryIsNotRepeatedWhole(t *testing.T) {
	e, _ := newEngine(t, &lines{}, fiveCells...)
	_, err := e.Search(t.Context(), Ask{Lane: Fulltext, Query: strings.Repeat("語", 50_000)})
	if got := refused(t, err, toolset.InvalidQuery, "query").Details["got"].(string); len(got) > 4000 || !strings.HasPrefix(got, "語語") {
		t.Errorf("%d bytes are repeated", len(got))
	}
}

func TestWarningsOfALane(t *testing.T) {
	e, _ := newEngine(t, &lines{}, fiveCells...)
	for _, tc := range []struct {
		ask  Ask
		says string
	}{
		{Ask{Lane: Fulltext, Query: "電池 AND battery"}, "battery"},
		{Ask{Lane: Fulltext, Query: "a1 AND a2 AND a3 AND a4 AND a5 AND a6"}, "6 groups"},
		{Ask{Lane: Semantic, Text: "電池 AND 劣化"}, "keywords"},
		{Ask{Lane: Fulltext, Query: "late"}, "ran out of time"},
		{Ask{Lane: Fulltext, Query: "電池", Options: Options{Filters: Filters(`[{"lop": "and", "field": "country", "op": "=", "value": "US"}]`)}}, "no publication passes"},
		{Ask{Lane: Semantic, Text: "far from everything there is."}, "no publication is nearer in meaning"},
		{Ask{Lane: Semantic, Text: "far from everything there is.", Options: Options{Filters: Filters(`[{"lop": "and", "field": "country", "op": "=", "value": "JP"}]`)}}, "no publication that passes the filters is nearer"},
		{Ask{Lane: Fulltext, Query: "far"}, "holds all that the query asks for"},
		{Ask{Lane: Fulltext, Query: "電池", Options: Options{LaneName: "semantic"}}, "this is a fulltext lane"},
		{Ask{Lane: Semantic, Text: "電池の劣化を推定する。", Options: Options{LaneName: "fulltext_recall"}}, "this is a semantic lane"},
	} {
		h, _ := found(t, e, tc.ask)
		if !slices.ContainsFunc(h.Warnings, func(w string) bool { return strings.Contains(w, tc.says) }) {
			t.Errorf("%+v: %q, want one that says %q", tc.ask, h.Warnings, tc.says)
		}
	}
	for _, good := range []Ask{
		{Lane: Fulltext, Query: "電池"}, {Lane: Fulltext, Options: Options{LaneName: "recall"}, Query: "電池"}, {Lane: Semantic, Options: Options{LaneName: "original_dense_1"}, Text: "電池の劣化を推定する。"},
	} {
		if h, _ := found(t, e, good); len(h.Warnings) > 0 || h.Warnings == nil { // nil would be null
			t.Errorf("warnings of a good search: %q", h.Warnings)
		}
	}
}

// Of a collection whose languages alternate, none is taken for that of all.
func TestTheLanguageOfAnAlternatingCollection(t *testing.T) {
	var records []string
	for i := range 2 * samples {
		records = append(records, dated(fmt.Sprintf("JP2020-%06dA", i), ""),
			fmt.Sprintf(`{"pub_id": "US2020%07dA1", "title": "Battery"}`, i))
	}
	e, _ := newEngine(t, &lines{}, records...)
	for _, query := range []string{"電池", "battery"} {
		if h, _ := found(t, e, Ask{Lane: Fulltext, Query: query}); len(h.Warnings) > 0 {
			t.Errorf("%s: %q", query, h.Warnings)
		}
	}
}

func TestReplay(t *testing.T) {
	e, rewrite := newEngine(t, &lines{}, fiveCells...)
	h, _ := found(t, e, Ask{Lane: Fulltext, Query: "電池", Options: Options{Sort: sortNew, Filters: Filters(`[{"lop": "not", "field": "pubyear", "op": "=", "value": 2019}]`)}})
	other, _ := found(t, e, Ask{Lane: Semantic, Text: "電池の劣化を推定する。"})
	fused, err := e.Blend(t.Context(), BlendRequest{Runs: []BlendRun{{RunID: h.RunID, Weight: 1}, {RunID: other.RunID, Weight: 0.5}}, Tuning: tuning(tuned()), Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{h.RunID, fused.RunID} {
		r, err := e.Replay(t.Context(), id)
		if err != nil || !r.Same || !r.SameCollection || r.FirstDifference != 0 {
			t.Errorf("%s: %+v, %v", id, r, err)
		}
	}
	rewrite(append([]string{dated("JP2022-000009A", "2022")}, fiveCells...)...)
	r, err := e.Replay(t.Context(), fused.RunID)
	if err != nil || r.Same || r.SameCollection || r.FirstDifference == 0 || len(r.PubIDs) != len(fused.RankedDocs)+1 {
		t.Errorf("of another collection: %+v, %v", r, err)
	}
}

func TestPublicationsOfACollection(t *testing.T) {
	e, _ := newEngine(t, &lines{}, fiveCells...)
	pubs, err := e.collection.Read(t.Context(), []string{"特開2020-5", "JP1900-000001A", "JP2020-000001A"}, publication.Title)
	if err != nil || pubs[1] != nil {
		t.Fatal(pubs, err)
	}
	want := &publication.Publication{
		PubID: "JP2020-000005A", AppID: "特願2019-000005", Title: "電池 JP2020-000005A", FI: []string{"H01M10/48P"}, FINorm: []string{"H01M10/48"},
		Country: "JP", PublicationDate: publication.Date{Year: 2020, Month: 5, Day: 1}, Metadata: map[string]json.RawMessage{"note": json.RawMessage("7")},
	}
	if diff := cmp.Diff(want, pubs[0]); diff != "" {
		t.Error(diff)
	}
	for _, tc := range []struct{ kind, id, want string }{
		{"app_id", "特願2019-000002", "JP2021-000002A"}, {"app_doc_id", "JP2019000003", "JP2019-000003A"}, {"pub_id", "JP2020000004A", "JP2020-000004A"}, {"exam_id", "特許7000000", ""},
	} {
		if got, err := e.collection.Find(t.Context(), tc.kind, tc.id); got != tc.want || err != nil {
			t.Errorf("%s %s: %q, %v", tc.kind, tc.id, got, err)
		}
	}
	_, err = e.Publication(t.Context(), PublicationRequest{ID: "?", IDType: "pub_id"})
	refused(t, err, toolset.InvalidRRFCall, "id")
}

// A representative goes by whatever number it came by.
func TestARepresentativeIsRemovedByANumberWrittenInPart(t *testing.T) {
	e, rewrite := newEngine(t, &lines{}, fiveCells...)
	for _, gone := range []bool{false, true} {
		if _, err := e.Register(t.Context(), RegisterRequest{PubIDs: []string{"特開2020-1"}, Category: "A"}); err != nil {
			t.Fatal(err)
		}
		by := "JP2020-000001"
		if gone {
			rewrite(fiveCells[1:]...)
			by = "JP2020000001A"
		}
		out, err := e.Remove(t.Context(), RemoveRequest{PubIDs: []string{by}})
		if err != nil || out.Count != 1 || len(out.Unknown) > 0 {
			t.Errorf("%s: %+v, %v", by, out, err)
		}
	}
}

// The title of a publication stands in an example as it is written.
func TestExamplesAskForTitles(t *testing.T) {
	e, _ := newEngine(t, &lines{}, `{"pub_id":"JP1","title":"冷却フィン＊付き Heat Sink"}`)
	call := map[string]any{"query": patentquery.Example}
	if ok := e.Mend(t.Context(), call); !ok || call["query"] != `"冷却フィン 付き Heat Sink"` {
		t.Errorf("%v, %v", call, ok)
	}
}

// Arguments of an example do not exclude each other.
func TestExamplesAgree(t *testing.T) {
	e, _ := newEngine(t, &lines{}, `{"pub_id":"JP1","title":"a"}`)
	chars := func() map[string]any { return map[string]any{"abst": 9.0, "title": 5.0} }
	call := map[string]any{
		"fields": []any{"abstract"}, "per_field_chars": chars(), "all": true, "pub_ids": []any{"JP1"},
		"peek": map[string]any{"fields": []any{"title"}, "per_field_chars": chars()},
	}
	want := map[string]any{
		"fields": []any{"abstract"}, "per_field_chars": map[string]any{"abst": 9.0}, "pub_ids": []any{"JP1"},
		"peek": map[string]any{"fields": []any{"title"}, "per_field_chars": map[string]any{"title": 5.0}},
	}
	if ok := e.Mend(t.Context(), call); !ok || !reflect.DeepEqual(call, want) {
		t.Errorf("%v, %v", call, ok)
	}
}
