package patents

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestPublicationToolsets(t *testing.T) {
	for _, tc := range []struct {
		sets     []string
		readOnly bool
		tools    int
	}{{[]string{"rrf"}, false, 12}, {[]string{"rrf"}, true, 10}, {[]string{"rrf-human"}, false, 2}, {nil, false, 14}, {[]string{"manual"}, false, 0}} {
		n := 0
		for _, tool := range server.New(server.Options{Sets: []toolset.Toolset{toolsetOf(&fakeEngine{})}, Toolsets: tc.sets, ReadOnly: tc.readOnly}).Tools() {
			if strings.HasPrefix(tool.Group, "rrf") {
				n++
			}
		}
		if n != tc.tools {
			t.Errorf("%v, read-only %t: %d tools over publications, want %d", tc.sets, tc.readOnly, n, tc.tools)
		}
	}
}

func TestSearchesTakeWhatClientsSend(t *testing.T) {
	n := func(i int) *int { return &i }
	for _, tc := range []struct {
		tool, args string
		want       any
	}{
		{"rrf_search_fulltext_raw", `{"query": "a"}`, lane.Ask{Lane: "fulltext", Query: "a"}},
		{"rrf_search_fulltext_raw", `{"params": {"query": "a", "top_k": "7", "sort": null, "field_boosts": {"title": 80, "abstract": 2, "claims": "3"}}}`,
			lane.Ask{Lane: "fulltext", Query: "a", FieldBoosts: lane.Boosts{"title": 80, "abst": 2, "claim": 3}, Options: lane.Options{TopK: n(7)}}},
		{"rrf_search_fulltext_raw", `{"request": {"query": "a", "filters": [{"lop": "and", "field": "pubyear", "op": "=", "value": 2020}], "top_k": 1}}`,
			lane.Ask{Lane: "fulltext", Query: "a", Options: lane.Options{TopK: n(1), Filters: lane.Filters(`[{"field":"pubyear","lop":"and","op":"=","value":2020}]`)}}},
		{"search_fulltext", `{"query": ""}`, lane.Ask{Lane: "fulltext"}},
		{"search_semantic", `{"text": "x", "feature_scope": "claims_only"}`, lane.Ask{Lane: "semantic", Text: "x", Options: lane.Options{FeatureScope: "claims_only"}}},
		{"run_multilane_search", `{"request": {"lanes": [{"lane_name": "fulltext_recall", "query": "a"}, {"lane": "semantic", "text": "b", "top_k": 3, "query": null}]}}`,
			[]lane.Ask{{Query: "a", Options: lane.Options{LaneName: "fulltext_recall"}}, {Lane: "semantic", Text: "b", Options: lane.Options{TopK: n(3)}}}},
		{"run_multilane_search", `{"trace_id": "t1", "lanes": [{"tool": "search_fulltext", "lane_name": "recall", "params": {"query": "a", "top_k": 9}}, {"tool": "search_semantic", "params": {"text": "b", "trace_id": "t2", "include": {"scores": true}, "fields": ["abstract"]}}]}`,
			[]lane.Ask{{Call: lane.Call{TraceID: "t1"}, Tool: "search_fulltext", Query: "a", Options: lane.Options{LaneName: "recall", TopK: n(9)}},
				{Call: lane.Call{TraceID: "t2"}, Tool: "search_semantic", Text: "b", Options: lane.Options{Include: &lane.Include{Scores: true}, Fields: lane.TextNames{"abst"}}}}},
		{"rrf_search_semantic_raw", `{"text": "b", "trace_id": "t"}`, lane.Ask{Call: lane.Call{TraceID: "t"}, Lane: "semantic", Text: "b"}},
		{"rrf_blend_frontier", `{"runs": [{"run_id": "r", "status": "ok", "warnings": [], "meta": {}}]}`, nil},
	} {
		l := &fakeEngine{}
		if _, err := serve(l).Call(t.Context(), tc.tool, json.RawMessage(tc.args), nil); err != nil {
			t.Errorf("%s %s: %v", tc.tool, tc.args, err)
		}
		if diff := cmp.Diff(tc.want, l.asked); diff != "" && tc.want != nil {
			t.Errorf("%s %s: %s", tc.tool, tc.args, diff)
		}
	}
}

func TestAnAnswerRepeatsTheTraceOfItsCall(t *testing.T) {
	for tool, args := range map[string]string{
		"rrf_search_fulltext_raw": `{"query": "a", "trace_id": "t"}`, "rrf_blend_frontier": `{"runs": ["r"], "trace_id": "t", "top_m_per_lane": {"fulltext": 9}, "k_grid": [10, 5], "peek": {"count": 3}}`,
		"list_representatives": `{"trace_id": "t"}`, "get_publication": `{"id": "JP1", "trace_id": "t"}`,
	} {
		out, err := serve(&fakeEngine{}).Call(t.Context(), tool, json.RawMessage(args), nil)
		raw, _ := json.Marshal(out)
		if err != nil || !strings.Contains(string(raw), `"trace_id":"t"`) {
			t.Errorf("%s: %s, %v", tool, raw, err)
		}
	}
}

func TestSearchesRefuse(t *testing.T) {
	s := serve(&fakeEngine{})
	for _, tc := range []struct{ tool, args, parameter string }{
		{"rrf_search_fulltext_raw", `{}`, "query"},
		{"rrf_search_fulltext_raw", `[]`, "arguments"},
		{"rrf_search_fulltext_raw", `{"query": 3}`, "query"},
		{"rrf_search_fulltext_raw", `{"query": "a", "top_k": 1.5}`, "top_k"},
		{"rrf_search_fulltext_raw", `{"query": "a", "top_k": -1}`, "top_k"},
		{"rrf_search_fulltext_raw", `{"query": "a", "field": []}`, "field"},
		{"rrf_search_fulltext_raw", `{"query": "a", "field_boosts": {"abst": 1, "abstract": 2}}`, "field_boosts.abstract"},
		{"search_semantic", `{"query": "a"}`, "query"},
		{"run_multilane_search", `{}`, "lanes"},
		{"run_multilane_search", `{"lanes": []}`, "lanes"},
		{"run_multilane_search", `{"lanes": ["fulltext"]}`, "lanes"},
		{"run_multilane_search", `{"lanes": [{"lane_name": "semantic", "text": "a"}, 5]}`, "lanes"},
		{"run_multilane_search", `{"lanes": {"lane_name": "semantic", "text": "a"}}`, "lanes"},
		{"run_multilane_search", `{"lanes": [{"lane_name": "semantic", "text": "a"}], "top_k": 5}`, "top_k"},
	} {
		_, err := s.Call(t.Context(), tc.tool, json.RawMessage(tc.args), nil)
		if err == nil || err.Code != toolset.InvalidRRFCall || err.Details["parameter"] != tc.parameter || err.Details["example"] == nil {
			t.Errorf("%s %s: %+v, want one for %s", tc.tool, tc.args, err, tc.parameter)
		}
	}
}

// The others stand when a lane cannot be read or run, and the lane comes back corrected.
func TestALaneFailsAlone(t *testing.T) {
	l := &fakeEngine{failed: map[string]*toolset.Error{
		"fulltext_sorted": toolset.Errorf(toolset.InvalidRRFCall, "sort").With("parameter", "sort").With("did_you_mean", []string{"date_desc"}),
		"semantic_empty":  toolset.Errorf(toolset.InvalidRRFCall, "text").With("parameter", "text"),
		"semantic_query":  toolset.Errorf(toolset.InvalidRRFCall, "query").With("parameter", "query"),
		"dense":           toolset.Errorf(toolset.InvalidRRFCall, "lane_name").With("parameter", "lane_name"),
		"fulltext_broken": toolset.Errorf(toolset.InvalidQuery, "query").With("parameter", "query").With("example", map[string]any{"query": "a"}),
		"fulltext_down":   toolset.Errorf(toolset.BackendError, "down"),
	}}
	for _, tc := range []struct{ lane, parameter, example string }{
		{`{"lane_name": "fulltext", "query": "顔"}`, "", ""},
		{`{"lane_name": "fulltext", "query": "顔", "top_k": "x"}`, "top_k", `{"lane_name":"fulltext","query":"顔","top_k":400}`},
		{`{"lane_name": "semantic", "text": 5}`, "text", `{"lane_name":"semantic","text":"マスクで顔の一部が隠れていても本人を認証する装置。"}`},
		{`{"lane_name": "fulltext", "query": "顔", "foo": 1}`, "foo", `{"lane_name":"fulltext","query":"顔"}`},
		{`{"lane_name": "fulltext", "query": "顔", "topk": 7}`, "topk", `{"lane_name":"fulltext","query":"顔","top_k":7}`},
		{`{"tool": "search_foo", "params": {"query": "顔"}}`, "tool", `{"lane":"fulltext","query":"顔"}`},
		{`{"tool": "search_foo", "text": "顔を見る。"}`, "tool", `{"lane":"semantic","text":"顔を見る。"}`},
		{`{"lane_name": "fulltext", "query": "顔", "field_boosts": {"title": "x"}}`, "field_boosts.title", `{"field_boosts":{"title":40},"lane_name":"fulltext","query":"顔"}`},
		{`{"lane_name": "fulltext_sorted", "query": "顔", "sort": "desc"}`, "sort", `{"lane_name":"fulltext_sorted","query":"顔","sort":"date_desc"}`},
		{`{"lane_name": "semantic_empty"}`, "text", `{"lane_name":"semantic_empty","text":"マスクで顔の一部が隠れていても本人を認証する装置。"}`},
		{`{"lane_name": "semantic_query", "query": "顔"}`, "query", `{"lane_name":"semantic_query","text":"マスクで顔の一部が隠れていても本人を認証する装置。"}`},
		{`{"lane_name": "dense", "text": "顔を見る。"}`, "lane_name", `{"lane_name":"semantic","text":"顔を見る。"}`},
		{`{"lane_name": "fulltext_broken", "query": "(", "top_k": 7}`, "query", `{"lane_name":"fulltext_broken","query":"a","top_k":7}`},
		{`{"lane_name": "fulltext_down", "query": "顔"}`, "", `null`},
	} {
		result, err := serve(l).Call(t.Context(), "run_multilane_search", json.RawMessage(`{"lanes": [{"lane_name": "semantic", "text": "a"}, `+tc.lane+`]}`), nil)
		if err != nil {
			t.Errorf("%s: %v", tc.lane, err)
			continue
		}
		runs := result.(*lane.Outcomes).Runs
		if len(runs) != 2 || runs[0].Error != nil || (runs[1].Error == nil) != (tc.example == "") {
			t.Errorf("%s: %+v", tc.lane, runs)
			continue
		}
		if bad := runs[1].Error; bad != nil {
			raw, _ := json.Marshal(bad.Details["example"])
			if parameter, _ := bad.Details["parameter"].(string); parameter != tc.parameter || string(raw) != tc.example || bad.Code == toolset.InvalidParameter {
				t.Errorf("%s: %+v, want %s and the example %s", tc.lane, bad, tc.parameter, tc.example)
			}
		}
	}
}

func TestAnUnreadyCollectionIsTheBackend(t *testing.T) {
	s := serve(&fakeEngine{err: toolset.Errorf(toolset.NotAvailable, "the index is being built")})
	if _, err := s.Call(t.Context(), "get_provenance", json.RawMessage(`{"run_id": "r"}`), nil); err == nil || err.Code != toolset.BackendError {
		t.Errorf("%v", err)
	}
	s = serve(&fakeEngine{err: errors.New("out of luck")})
	if _, err := s.Call(t.Context(), "get_provenance", json.RawMessage(`{"run_id": "r"}`), nil); err == nil || err.Code != toolset.Internal {
		t.Errorf("%v", err)
	}
}

// The prompts tell only of tools that there are, and all of the workflow.
func TestPrompts(t *testing.T) {
	set := toolsetOf(&fakeEngine{})
	for _, p := range set.Prompts {
		if !strings.Contains(p.Text, "{{"+p.Arguments[0].Name+"}}") {
			t.Errorf("%s does not say what is sought", p.Name)
		}
		for _, name := range []string{"rrf_search_fulltext_raw", "get_provenance", "register_representatives", "run_multilane_search", "rrf_blend_frontier", "peek_snippets", "rrf_mutate_run"} {
			if !strings.Contains(p.Text, "`"+name+"`") || !slices.ContainsFunc(set.Tools, func(t toolset.Tool) bool { return t.Name == name }) {
				t.Errorf("%s does not tell of %s, or there is none", p.Name, name)
			}
		}
	}
}

func TestExamplesAreCalls(t *testing.T) {
	for _, tool := range toolsetOf(&fakeEngine{}).Tools {
		_, example, _ := strings.Cut(tool.Description, "Example: ")
		for _, call := range []string{example, string(tool.Example)} {
			if _, err := serve(&fakeEngine{}).Call(t.Context(), tool.Name, json.RawMessage(call), nil); err != nil {
				t.Errorf("%s: the example %s is refused: %v", tool.Name, call, err)
			}
		}
	}
}

// FuzzCall checks that no arguments make a call panic or fail as internal, and that every
// refusal names its parameter.
func FuzzCall(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{"query":"x"}`, `{"run_id":"r","limit":"10"}`, `{"params":{"runs":["r",{"run_id":"s"}]}}`, `{"lanes":[{"query":1}]}`,
		`{"pub_ids":[],"category":"A","fields":["claims"]}`, `{"base_run_id":"b","delta":{"target_profile":{"G06V":1}}}`,
	} {
		f.Add(seed)
	}
	s := serve(&fakeEngine{})
	f.Fuzz(func(t *testing.T, args string) {
		for _, tool := range toolsetOf(&fakeEngine{}).Tools {
			_, err := s.Call(t.Context(), tool.Name, json.RawMessage(args), nil)
			if err != nil && (err.Code == toolset.Internal || err.Details["parameter"] == nil || err.Details["example"] == nil) {
				t.Errorf("%s %q: %v %v", tool.Name, args, err, err.Details)
			}
		}
	})
}
