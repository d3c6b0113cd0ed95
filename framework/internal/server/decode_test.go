package server

import (
	"encoding/json"
	"math/big"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

func TestGoodInput(t *testing.T) {
	n := func(i int) *int { return &i }
	pointer := "/0/id"
	cases := []struct {
		tool, args string
		want       any
	}{
		{"manual_ls", ``, "manuals"},
		{"manual_ls", `{"id":null}`, "manuals"},
		{"manual_ls", `{"id":"dir::a b::c"}`, "dir::a b::c"},
		{"manual_toc", `{"manual_id":" m "}`, manuals.TocRequest{ManualID: "m"}},
		{"manual_toc", `{"manual_id":"m","detail":"nodes","path_prefix":"en\\x/","offset":"3","limit":5}`,
			manuals.TocRequest{ManualID: "m", Detail: "nodes", PathPrefix: "en/x/", Offset: 3, Limit: n(5)}},
		{"manual_find", `{"query":"除外"}`, search.Request{Query: "除外", ExpandScope: true, MaxCandidates: 200, TimeMS: 60000}},
		{"manual_find", `{"query":"q","manual_id":null,"expand_scope":null,"only_unscanned_from_trace_id":null,"include_claim_graph":null,"use_cache":null,"budget":null,"inline_hits":null}`,
			search.Request{Query: "q", ExpandScope: true, MaxCandidates: 200, TimeMS: 60000}},
		{"manual_find", `{"query":"q","manual_id":"m","expand_scope":false,"only_unscanned_from_trace_id":"t","include_claim_graph":true,"use_cache":false,"budget":{"max_candidates":"10","time_ms":1e3},"inline_hits":{"limit":2}}`,
			search.Request{Query: "q", ManualID: "m", OnlyUnscanned: "t", ClaimGraph: true, UseCache: new(bool), MaxCandidates: 10, TimeMS: 1000, InlineHits: 2}},
		{"manual_find", `{"query":"q","budget":{"max_candidates":null},"inline_hits":{}}`,
			search.Request{Query: "q", ExpandScope: true, MaxCandidates: 200, TimeMS: 60000, InlineHits: 5}},
		{"manual_hits", `{"trace_id":"t"}`, search.HitsRequest{TraceID: "t", Kind: "candidates", Limit: 50}},
		{"manual_hits", `{"trace_id":"t","kind":"gaps","offset":10.0,"limit":1000,"explain":true}`,
			search.HitsRequest{TraceID: "t", Kind: "gaps", Offset: 10, Limit: 1000, Explain: true}},
		{"manual_read", `{"ref":{"manual_id":"m","path":"./a//b.md"}}`, manuals.ReadRequest{Ref: manuals.Ref{ManualID: "m", Path: "a/b.md"}}},
		{"manual_read", `{"ref":{"target":"manual","manual_id":"m","path":"a.md","start_line":3,"json_path":null,"title":"x","signals":["heading"]},"scope":"snippet","allow_file":true,"expand":{"before_chars":0,"after_chars":"7"}}`,
			manuals.ReadRequest{Ref: manuals.Ref{ManualID: "m", Path: "a.md", StartLine: n(3), Title: "x"}, Scope: "snippet", AllowFile: true, BeforeChars: n(0), AfterChars: n(7)}},
		{"manual_read", `{"ref":{"manual_id":"m","path":"a.json","json_path":"/0/id"}}`,
			manuals.ReadRequest{Ref: manuals.Ref{ManualID: "m", Path: "a.json", JSONPath: &pointer}}},
		{"manual_list", `{}`, "list"},
		{"manual_excepts", `{"manual_id":"m"}`, manuals.ExceptsRequest{ManualID: "m", Limit: 50}},
		{"manual_excepts", `{"manual_id":"m","path":null,"start_line":null,"offset":null,"limit":null}`, manuals.ExceptsRequest{ManualID: "m", Limit: 50}},
		{"manual_excepts", `{"manual_id":"m","path":"en\\x.md","start_line":"3","offset":2,"limit":1000}`,
			manuals.ExceptsRequest{ManualID: "m", Path: "en/x.md", StartLine: n(3), Offset: 2, Limit: 1000}},
		{"manual_scan", `{"manual_id":"m","path":"a.md"}`, manuals.ScanRequest{ManualID: "m", Path: "a.md"}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","start_line":2,"cursor":{"start_line":4,"char_offset":9}}`,
			manuals.ScanRequest{ManualID: "m", Path: "a.md", StartLine: n(2), CursorLine: n(4), CharOffset: n(9)}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","cursor":12000}`, manuals.ScanRequest{ManualID: "m", Path: "a.md", CharOffset: n(12000)}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","cursor":"0"}`, manuals.ScanRequest{ManualID: "m", Path: "a.md", CharOffset: n(0)}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","cursor":{"char_offset":null}}`, manuals.ScanRequest{ManualID: "m", Path: "a.md"}},
	}
	for _, c := range cases {
		s, f, l := newFakes()
		if _, err := s.Call(t.Context(), c.tool, json.RawMessage(c.args), nil); err != nil {
			t.Errorf("%s %s: %v %v", c.tool, c.args, err, err.Details)
			continue
		}
		got := f.asked
		if got == nil {
			got = l.asked
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
}

// Exact arithmetic is the judge of what number is an integer.
func TestExactIntAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,22})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		exact, ok := new(big.Rat).SetString(number)
		if !ok {
			t.Fatalf("%s is no number", number)
		}
		want := exact.IsInt() && exact.Num().IsInt64()
		got, isInt := exactInt(number)
		if isInt != want || want && int64(got) != exact.Num().Int64() {
			t.Errorf("exactInt(%s) = %d, %v; exactly it is %s", number, got, isInt, exact)
		}
	})
}

func TestTextIntTakesOnlyWhatItWouldWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+ -]?[0-9]{0,3}[.x ]?`).Draw(t, "text")
		if got, ok := textInt(text); ok && strconv.Itoa(got) != text {
			t.Errorf("textInt(%q) = %d", text, got)
		}
	})
}

// FuzzCall checks that no arguments make a call panic or fail as internal, and
// that every refusal names its parameter.
func FuzzCall(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"query":"x"}`, `{"query":"x","budget":{"time_ms":"10"}}`, `{"trace_id":"t","kind":null,"limit":1e3}`,
		`{"ref":{"manual_id":"m","path":"a.md","start_line":10.0},"expand":{}}`, `{"manual_id":"..","path":"C:\\x","cursor":"5"}`,
		`{"query":"x","query":"y"}`, `{"query":"\ud800"}`, `{"a":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}`, `{"cursor":{"char_offset":-1}}`,
	} {
		f.Add(seed)
	}
	s, _, _ := newFakes()
	f.Fuzz(func(t *testing.T, args string) {
		for _, tool := range s.Tools() {
			if tool.typed != nil {
				continue // its toolset's own tests call it
			}
			_, err := s.Call(t.Context(), tool.Name, json.RawMessage(args), nil)
			if err == nil {
				continue
			}
			if err.Code == "internal" || err.Details["parameter"] == nil || err.Details["example"] == nil {
				t.Errorf("%s %q: %v %v", tool.Name, args, err, err.Details)
			}
			if _, marshalErr := json.Marshal(ErrorResult(err)); marshalErr != nil {
				t.Errorf("%s %q: %v", tool.Name, args, marshalErr)
			}
		}
	})
}
