package fulltext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

func order(res *sdk.Result) []uint32 {
	out := []uint32{}
	for _, c := range res.Candidates {
		out = append(out, c.Section)
	}
	return out
}

// some publications differ only in which field contains the word, and how often.
var some = []sdktest.Publication{
	{Title: "panel", Abst: "panel", Claim: "panel", Desc: "battery"},
	{Title: "panel", Abst: "panel", Claim: "battery", Desc: "panel"},
	{Title: "panel", Abst: "battery", Claim: "panel", Desc: "panel"},
	{Title: "battery", Abst: "panel", Claim: "panel", Desc: "panel"},
	{Title: "battery", Abst: "battery", Claim: "panel", Desc: "panel"},
	{Title: "panel", Abst: "panel", Claim: "panel", Desc: "panel"},
}

func TestFieldsWeigh(t *testing.T) {
	snap := sdktest.Publications(t, some...)
	for params, want := range map[string][]uint32{
		``: {4, 3, 2, 1, 0},
		`{"field_boosts": {"title": 4, "abst": 1, "claim": 0.5, "desc": 0.4}}`:              {4, 3, 2, 1, 0},
		`{"field_boosts": {"title": 0, "abstract": 0, "claim": 1, "description": 2}}`:       {0, 1, 2, 3, 4},
		`{"feature_scope": "title_abst_claims", "field_boosts": {"title": 1, "claim": 99}}`: {1, 4, 2, 3},
	} {
		if diff := cmp.Diff(want, order(search(t, t.Context(), snap, "battery", nil, params))); diff != "" {
			t.Errorf("%s: %s", params, diff)
		}
	}
}

// The score of a single word follows the formula.
func TestScore(t *testing.T) {
	snap := sdktest.Publications(t, some...)
	got := search(t, t.Context(), snap, "battery", nil, "").Candidates
	want := lexical.IDF(6, 5) * 0.1 / (saturation + 0.1) // once in desc, all lengths equal to the mean
	if diff := got[len(got)-1].Score - want; math.Abs(diff) > 1e-6 {
		t.Errorf("score %v, want %v", got[len(got)-1].Score, want)
	}
}

func TestOnlyWhatHoldsCounts(t *testing.T) {
	snap := sdktest.Publications(t,
		sdktest.Publication{Abst: "alpha beta"}, sdktest.Publication{Abst: "alpha gamma"}, sdktest.Publication{Abst: "alpha delta"})
	scores := map[uint32]float64{}
	for _, c := range search(t, t.Context(), snap, `alpha OR (gamma AND missing) OR NOT delta`, nil, "").Candidates {
		scores[c.Section] = c.Score
	}
	if scores[0] != scores[1] || scores[1] != scores[2] {
		t.Errorf("a part that does not hold, or one below a NOT, moved the score: %v", scores)
	}
	once := search(t, t.Context(), snap, "alpha", nil, "").Candidates[0].Score
	twice := search(t, t.Context(), snap, "(alpha OR beta) AND (alpha OR gamma) AND alpha", nil, "")
	for _, c := range twice.Candidates {
		if c.Section == 2 && math.Abs(c.Score-once) > 1e-6 {
			t.Errorf("a term that is written three times counts %v, once %v", c.Score, once)
		}
	}
}

// A term in two places is found at both, although the first limits where the second is searched.
func TestTermsInSeveralPlaces(t *testing.T) {
	snap := sdktest.Publications(t,
		sdktest.Publication{Abst: "alpha beta"}, sdktest.Publication{Abst: "alpha gamma"}, sdktest.Publication{Abst: "alpha"})
	got := search(t, t.Context(), snap, "(beta AND alpha) OR (gamma AND alpha)", nil, "")
	if diff := cmp.Diff([]uint32{0, 1}, got.Matched.ToArray()); diff != "" {
		t.Error(diff)
	}
}

func TestScopeAndLimit(t *testing.T) {
	snap := sdktest.Publications(t, some...)
	req := &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: "NOT title:battery"}, Scope: roaring.BitmapOf(1, 3, 5, 77), Limit: 1}
	res, err := New().Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint32{1, 5}, res.Matched.ToArray()); diff != "" {
		t.Error(diff)
	}
	if len(res.Candidates) != 1 || res.Candidates[0].Section != 1 || res.Examined != 3 || !res.Finished {
		t.Errorf("%+v", res)
	}
}

func TestFeatureScopes(t *testing.T) {
	snap := sdktest.Publications(t,
		sdktest.Publication{Claim: "1. A spoke with a rim.\n2. The spoke of claim 1, of steel.", Desc: "Steel is usual."},
		sdktest.Publication{Claim: "【請求項１】\n顔を撮る装置。\n【請求項２】\nマスクを見分ける装置。", Desc: "【背景技術】\n【０００２】\n従来、マスクは厄介だった。\n【発明の概要】\n顔を認証する。"})
	for _, c := range []struct {
		query string
		scope patentquery.Scope
		want  []uint32
	}{
		{"steel", patentquery.ClaimsOnly, []uint32{0}}, {"steel", patentquery.TopClaim, nil}, {"rim", patentquery.TopClaim, []uint32{0}},
		{"steel", patentquery.Wide, []uint32{0}}, {"steel", patentquery.TitleAbstClaims, []uint32{0}},
		{"マスク", patentquery.ClaimsOnly, []uint32{1}}, {"マスク", patentquery.TopClaim, nil}, {"顔", patentquery.TopClaim, []uint32{1}},
		{"マスク", patentquery.BackgroundJP, []uint32{1}}, {"認証", patentquery.BackgroundJP, nil}, {"desc:認証", patentquery.BackgroundJP, []uint32{1}},
		{`*N5"従来 マスク"`, patentquery.BackgroundJP, []uint32{1}},
	} {
		got := search(t, t.Context(), snap, c.query, nil, `{"feature_scope": "`+string(c.scope)+`"}`).Matched.ToArray()
		if diff := cmp.Diff(append([]uint32{}, c.want...), append([]uint32{}, got...)); diff != "" {
			t.Errorf("%s in %s: %s", c.query, c.scope, diff)
		}
	}
}

func TestBlame(t *testing.T) {
	snap := sdktest.Publications(t, some...)
	for query, want := range map[string]string{
		"battery AND zeppelin AND panel":                                "zeppelin",
		"battery AND (zeppelin OR airship)":                             "zeppelin OR airship",
		"title:panel AND abst:panel AND desc:battery AND claim:battery": "desc:battery and claim:battery",
		"battery":                        "",
		"zeppelin":                       "zeppelin",
		"\"zep\u202epelin\" AND battery": "zep pelin", // characters that the host would refuse are not repeated
	} {
		got := strings.Join(search(t, t.Context(), snap, query, nil, "").Warnings, "; ")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: warned %q, want %q", query, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	snap := sdktest.Publications(t, some...)
	for _, c := range []struct{ query, params string }{
		{"battery AND", ""}, {"", ""}, {"battery", `{"field_boosts": {"titel": 1}}`}, {"battery", `{"field_boosts": {"title": -1}}`},
		{"battery", `{"feature_scope": "all"}`}, {"battery", `{"boost": 1}`}, {"battery", `[`},
		{strings.Repeat("battery ", patentquery.MaxTerms+1), ""},
	} {
		_, err := New().Search(t.Context(), &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: c.query}, Params: json.RawMessage(c.params), Limit: 1})
		if err == nil {
			t.Errorf("%.40q with %s was answered", c.query, c.params)
		}
	}
	_, err := New().Search(t.Context(), &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: "(battery"}, Limit: 1})
	if bad, ok := errors.AsType[*patentquery.SyntaxError](err); !ok || bad.Position != 1 {
		t.Errorf("%v", err)
	}
}

// counted is a context that ends after a number of checks.
type counted struct {
	context.Context
	left int
}

func (c *counted) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func (c *counted) Deadline() (time.Time, bool) { return time.Time{}, false }

// If time is up, the result reports what was not examined and contains none of it.
func TestTimeIsUp(t *testing.T) {
	pubs := make([]sdktest.Publication, 20_000)
	for i := range pubs {
		pubs[i].Abst = "heat sinks"
	}
	snap := sdktest.Publications(t, pubs...)
	all := search(t, t.Context(), snap, `"heat sinks"`, nil, "")
	if all.Matched.GetCardinality() != 20_000 || !all.Finished {
		t.Fatalf("%d matched", all.Matched.GetCardinality())
	}
	for _, left := range []int{0, 1, 5, 150, 200, 300} {
		got := search(t, &counted{t.Context(), left}, snap, `"heat sinks"`, nil, "")
		if got.Finished || got.Examined >= 20_000 || int(got.Matched.GetCardinality()) != got.Examined {
			t.Errorf("after %d: %d examined, %d matched, finished: %v", left, got.Examined, got.Matched.GetCardinality(), got.Finished)
		}
		if left >= 150 && got.Examined == 0 {
			t.Errorf("after %d nothing was examined", left)
		}
	}
}

// A prefix that occurs several times in a query is looked up in the dictionary once.
func TestStartsAreLookedUpOnce(t *testing.T) {
	var words strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&words, "a%d ", i)
	}
	snap := sdktest.Publications(t, sdktest.Publication{Claim: words.String()})
	cost := func(n int) float64 {
		query, err := patentquery.Parse(strings.TrimSpace(strings.Repeat("a* ", n)))
		if err != nil {
			t.Fatal(err)
		}
		c, err := newCompiler(snap, patentquery.Params{})
		if err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(1, func() { clear(c.begun); c.expr(query) })
	}
	if one, many := cost(1), cost(20); many > 3*one {
		t.Errorf("%v allocations for one start, %v for twenty", one, many)
	}
}
