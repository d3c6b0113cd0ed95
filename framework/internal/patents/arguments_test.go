package patents

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// decoders read the arguments of the tools.
var decoders = map[string]func(*toolset.Arguments) (any, error){
	"fulltext":    decoder[lane.FulltextArgs],
	"semantic":    decoder[lane.SemanticArgs],
	"lanes":       decoder[multilaneArgs],
	"blend":       decoder[lane.BlendRequest],
	"mutate":      decoder[lane.MutateRequest],
	"provenance":  decoder[lane.RunRequest],
	"register":    decoder[lane.RegisterRequest],
	"peek":        decoder[lane.PeekRequest],
	"snippets":    decoder[lane.SnippetsRequest],
	"publication": decoder[lane.PublicationRequest],
}

func decoder[A any](args *toolset.Arguments) (any, error) { return toolset.Decode[A](args) }

func decode(t *testing.T, tool, raw string) (any, error) {
	t.Helper()
	args, bad := toolset.ParseArguments([]byte(raw))
	if bad != nil {
		t.Fatal(bad)
	}
	return decoders[tool](args)
}

func TestPublicationToolsTakeWhatClientsSend(t *testing.T) {
	n, f := func(i int) *lane.Bytes { return new(lane.Bytes(i)) }, func(x float64) *float64 { return &x }
	plain := lane.BlendRequest{Runs: []lane.BlendRun{{RunID: "r", Weight: 1}}, Limit: 100}
	profiled := plain
	profiled.Profile.FI = map[string]float64{"G06V10/82": 1, "G06V40/16": 0.9}
	full := lane.BlendRequest{
		Runs: []lane.BlendRun{{Lane: "fulltext", RunID: "r", Weight: 0.8}, {RunID: "s", Weight: 1}},
		Tuning: lane.Tuning{
			K: f(30), Beta: f(0), Weights: map[string]float64{"code": 0.3}, LaneWeights: map[string]float64{"recall": 1}, PiWeights: map[string]float64{"rep": 1},
			Profile:    lane.TargetProfile{FI: map[string]float64{"G06V": 1}, FT: map[string]float64{}, CPC: map[string]float64{"H04N": 2}},
			FacetTerms: map[string][]string{"A": {"顔"}}, FacetWeights: map[string]float64{"A": 2},
		},
		Limit: 5,
	}
	cut := lane.Cutting{Context: true, Fields: []string{"title", "abst", "claim", "desc"}, Chars: map[string]int{"abst": 10, "claim": 20}, BudgetBytes: n(50)}
	for _, tc := range []struct {
		tool, args string
		want       any
	}{
		{"blend", `{"runs": ["r"]}`, plain},
		{"blend", `{"runs": [{"run_id": "r"}], "weights": null, "rrf_k": null}`, plain},
		{"blend", `{"params": {"runs": [{"run_id_lane": "r", "weight": null}]}}`, plain},
		{"blend", `{"request": {"runs": ["r"]}, "target_profile": null}`, plain},
		{"blend", `{"runs": [{"run_id": "r", "run_id_lane": "r", "lane_name": "x", "hit_count": 3, "top_k": 2, "truncated": true, "meta": {"query": "q"}}]}`, plain},
		{"blend", `{"runs": ["r"], "target_profile": {"G06V10/82": 1.0, "G06V40/16": "0.9"}}`, profiled},
		{"blend", `{"runs": ["r"], "target_profile": {"fi": {"G06V10/82": 1.0, "G06V40/16": 0.9}, "ft": null}}`, profiled},
		{"blend", `{"runs": [{"lane": "fulltext", "run_id_lane": "r", "weight": 0.8}, "s"], "rrf_k": "30", "beta_fuse": 0, "weights": {"code": 0.3, "semantic": null},
			"lane_weights": {"recall": 1}, "pi_weights": {"rep": 1}, "target_profile": {"fi": {"G06V": 1}, "ft": {}, "cpc": {"H04N": 2}},
			"facet_terms": {"A": ["顔"]}, "facet_weights": {"A": 2}, "limit": 5}`, full},
		{"mutate", `{"base_run_id": "b", "mutate_delta": {"weights": {"semantic": 0.5}, "beta_fuse": 0.9}}`,
			lane.MutateRequest{BaseRunID: "b", Delta: lane.Delta{Weights: map[string]float64{"semantic": 0.5}, Beta: f(0.9)}, Limit: 100}},
		{"mutate", `{"request": {"run_id": "b", "delta": {"rrf_k": 10, "target_profile": {"G06V": 2}}, "limit": 3}}`,
			lane.MutateRequest{BaseRunID: "b", Delta: lane.Delta{K: f(10), Profile: lane.TargetProfile{FI: map[string]float64{"G06V": 2}}}, Limit: 3}},
		{"provenance", `{"run_id": "r"}`, lane.RunRequest{RunID: "r"}},
		{"provenance", `{"params": {"run_id_lane": "r"}}`, lane.RunRequest{RunID: "r"}},
		{"register", `{"pub_ids": ["JP1"], "category": "A", "run_id": "r"}`, lane.RegisterRequest{PubIDs: []string{"JP1"}, Category: "A", Whose: lane.Whose{RunID: "r"}}},
		{"peek", `{"run_id": "r"}`, lane.PeekRequest{RunID: "r", Limit: 30, Cutting: lane.Cutting{Context: true}}},
		{"peek", `{"run_id": "r", "offset": 5, "limit": "1000", "fields": ["title", "abstract", "claims", "description"], "per_field_chars": {"abstract": 10, "claims": 20, "abst": null}, "budget_bytes": 50}`,
			lane.PeekRequest{RunID: "r", Offset: 5, Limit: 1000, Cutting: cut}},
		{"peek", `{"run_id": "r", "per_field_chars": {"abst": 10, "abstract": 10}, "budget_bytes": 0}`,
			lane.PeekRequest{RunID: "r", Limit: 30, Cutting: lane.Cutting{Chars: map[string]int{"abst": 10}, Context: true, BudgetBytes: n(0)}}},
		{"snippets", `{"pub_ids": ["JP1", "JP2"]}`, lane.SnippetsRequest{PubIDs: []string{"JP1", "JP2"}, Cutting: lane.Cutting{Context: true}}},
		{"publication", `{"id": "JP1"}`, lane.PublicationRequest{ID: "JP1", IDType: "pub_id"}},
		{"publication", `{"id": "特願2023-1", "id_type": "app_id", "fields": ["claims"], "per_field_chars": {"claims": 9}}`,
			lane.PublicationRequest{ID: "特願2023-1", IDType: "app_id", Fields: []string{"claim"}, Chars: map[string]int{"claim": 9}}},
	} {
		got, err := decode(t, tc.tool, tc.args)
		if err != nil {
			t.Errorf("%s %s: %v", tc.tool, tc.args, err)
			continue
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s %s: %s", tc.tool, tc.args, diff)
		}
	}
}

func TestPublicationToolsRefuse(t *testing.T) {
	for _, tc := range []struct{ tool, args, parameter, says string }{
		{"blend", `{}`, "runs", "required"},
		{"blend", `{"runs": "r"}`, "runs", "list of runs"},
		{"blend", `{"runs": ["r", 3]}`, "runs.1", "an object or a string"},
		{"blend", `{"runs": [{"weight": 1}]}`, "runs.0.run_id_lane", "required"},
		{"blend", `{"runs": [{"run_id": "a", "run_id_lane": "b"}]}`, "runs.0.run_id", "differ"},
		{"blend", `{"runs": [{"run_id": "a", "wieght": 2}]}`, "runs.0.wieght", "did you mean runs.0.weight"},
		{"blend", `{"runs": ["r"], "rrf_k": true}`, "rrf_k", "a number"},
		{"blend", `{"runs": ["r"], "rrf_k": "NaN"}`, "rrf_k", "a number"},
		{"blend", `{"runs": ["r"], "rrf_k": 1e999}`, "rrf_k", "a number"},
		{"blend", `{"runs": ["r"], "weights": {"code": "x"}}`, "weights.code", "a number"},
		{"blend", `{"runs": ["r"], "weights": [1]}`, "weights", "an object, each of its values a number"},
		{"blend", `{"runs": ["r"], "facet_terms": {"A": "顔"}}`, "facet_terms.A", "a list of strings"},
		{"blend", `{"runs": ["r"], "facet_terms": {"A": ["顔", 1]}}`, "facet_terms.A", "a list of strings"},
		{"blend", `{"runs": ["r"], "target_profile": {"fi": {"G06V": 1}, "G06V": 2}}`, "target_profile.G06V", "not an argument"},
		{"blend", `{"runs": ["r"], "target_profile": "G06V"}`, "target_profile", "an object"},
		{"blend", `{"params": {"runs": ["r"]}, "rrf_k": 3}`, "params", "not an argument"},
		{"blend", `{"runs": ["r"], "limit": 0}`, "limit", "from 1"},
		{"blend", `{"runs": ["r"], "k_grid": [0]}`, "k_grid", "integers from 1"},
		{"blend", `{"runs": ["r"], "k_grid": []}`, "k_grid", "integers from 1"},
		{"blend", `{"runs": ["r"], "top_m_per_lane": {"fulltext": 0}}`, "top_m_per_lane.fulltext", "1 or more"},
		{"blend", `{"runs": ["r"], "peek": {"limit": 0}}`, "peek.limit", "from 1"},
		{"mutate", `{"base_run_id": "b"}`, "mutate_delta", "required"},
		{"mutate", `{"base_run_id": "b", "mutate_delta": {"filters": []}}`, "mutate_delta.filters", "needs a new search"},
		{"mutate", `{"base_run_id": "b", "mutate_delta": {}, "query": "q"}`, "query", "needs a new search"},
		{"mutate", `{"base_run_id": "b", "mutate_delta": {"beta": 1}}`, "mutate_delta.beta", "did you mean"},
		{"mutate", `{"base_run_id": "b", "mutate_delta": {}, "delta": {"rrf_k": 1}}`, "delta", "differ"},
		{"provenance", `{"run_id": " "}`, "run_id", "not empty"},
		{"register", `{"category": "A"}`, "pub_ids", "required"},
		{"register", `{"pub_ids": ["a"]}`, "category", "required"},
		{"register", `{"pub_ids": ["a"], "category": "a"}`, "category", "one of A, B, C"},
		{"peek", `{"run_id": "r", "limit": 1001}`, "limit", "from 1 to 1000"},
		{"peek", `{"run_id": "r", "fields": "title"}`, "fields", "a list of strings"},
		{"peek", `{"run_id": "r", "per_field_chars": {"title": -1}}`, "per_field_chars.title", "0 or more"},
		{"peek", `{"run_id": "r", "per_field_chars": {"abst": 1, "abstract": 2}}`, "per_field_chars.abstract", "given once"},
		{"peek", `{"run_id": "r", "budget_bytes": 1.5}`, "budget_bytes", "must be an integer"},
		{"peek", `{"run_id": "r", "budget_bytes": 1e30}`, "budget_bytes", "must be an integer"},
		{"snippets", `{}`, "pub_ids", "required"},
		{"publication", `{"id": "x", "id_type": "number"}`, "id_type", "pub_id, app_doc_id"},
	} {
		_, err := decode(t, tc.tool, tc.args)
		f, ok := errors.AsType[*toolset.Error](err)
		if !ok || f.Code != toolset.InvalidParameter || f.Details["parameter"] != tc.parameter || !strings.Contains(f.Message, tc.says) {
			t.Errorf("%s %s: %v, want one for %s that says %q", tc.tool, tc.args, err, tc.parameter, tc.says)
		}
	}
}

func TestARefusedFusionIsHandedBackCorrected(t *testing.T) {
	_, err := serve(&fakeEngine{}).Call(t.Context(), "rrf_blend_frontier", []byte(`{"request": {"runs": ["r"], "rrf_k": "many"}}`), nil)
	if err == nil {
		t.Fatal("taken")
	}
	if diff := cmp.Diff(map[string]any{"runs": []any{"r"}, "rrf_k": 60.0}, err.Details["example"]); diff != "" {
		t.Error(diff)
	}
}

func FuzzPublicationTools(f *testing.F) {
	f.Add("blend", []byte(`{"params": {"runs": [{"run_id": "r", "weight": "1e3"}], "target_profile": {"G06V": 1}}}`))
	f.Add("mutate", []byte(`{"run_id": "b", "delta": {"rrf_k": 10, "filters": []}}`))
	f.Add("peek", []byte(`{"run_id": "r", "per_field_chars": {"abstract": 10, "abst": 11}, "budget_bytes": -1}`))
	f.Fuzz(func(t *testing.T, tool string, raw []byte) {
		args, bad := toolset.ParseArguments(raw)
		if bad != nil || decoders[tool] == nil {
			return
		}
		_, err := decoders[tool](args)
		if f, ok := errors.AsType[*toolset.Error](err); err != nil && (!ok || f.Code != toolset.InvalidParameter || f.Details["parameter"] == nil) {
			t.Errorf("%s %s: %v", tool, raw, err)
		}
	})
}
