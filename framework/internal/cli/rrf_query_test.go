package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// inventedPatents are those of the sample collection.
func inventedPatents(t *testing.T) (out []*publication.Publication) {
	t.Helper()
	for _, name := range []string{"ja.jsonl", "en.jsonl"} {
		f, err := os.Open(filepath.Join(publicationSample(t), name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := publication.NewReader(f)
		for p, err := in.Next(); err == nil; p, err = in.Next() {
			out = append(out, p)
		}
	}
	return out
}

// A code in a query finds what a filter by prefix finds, in any place of the query.
func TestCodesInQueriesAreFilters(t *testing.T) {
	e := laneEngine(t, inventedPatents(t))
	ids := func(query string, filters ...map[string]any) []string {
		t.Helper()
		raw, _ := json.Marshal(filters)
		all := 1000
		out, err := e.PubIDs(t.Context(), lane.Ask{Lane: lane.Fulltext, Query: query, Options: lane.Options{Filters: raw, TopK: &all}})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(out.PubIDs)
		return out.PubIDs
	}
	filter := func(lop, field, op string, value any) map[string]any {
		return map[string]any{"lop": lop, "field": field, "op": op, "value": value}
	}
	for _, tc := range []struct {
		query, same string
		filters     []map[string]any
	}{
		{"ipc:G06V40 AND 装置", "装置", []map[string]any{filter("and", "ipc", "prefix", "G06V40")}},
		{"fi:G06V40/16 顔", "顔", []map[string]any{filter("and", "fi", "prefix", "G06V40/16")}},
		{`cpc:"g06v 40" AND face`, "face", []map[string]any{filter("and", "cpc", "prefix", "G06V40")}},
		{"ft:(5L096 OR 5H029) 装置", "装置", []map[string]any{filter("or", "ft", "prefix", "5L096"), filter("or", "ft", "prefix", "5H029")}},
		{"装置 NOT ipc:G06V40", "装置", []map[string]any{filter("not", "ipc", "prefix", "G06V40")}},
		{"fi:G06V40/16B 装置", "装置", []map[string]any{filter("and", "fi", "prefix", "G06V40/16@B")}},
		{"ipc:G06V 40/16 装置", "装置", []map[string]any{filter("and", "ipc", "prefix", "G06V40/16")}},
		{"inventor:川辺澄子 装置", "装置", []map[string]any{filter("and", "inventor", "contains", "川辺 澄子")}},
		{"applicant:アオゾラ 装置", "装置", []map[string]any{filter("and", "applicant", "contains", "アオゾラ")}},
	} {
		got, want := ids(tc.query), ids(tc.same, tc.filters...)
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 || len(got) == len(ids(tc.same)) {
			t.Errorf("%s: %d found: %s", tc.query, len(got), diff)
		}
	}
	alone, either := ids("ipc:G06V"), ids("ipc:G06V OR 電池")
	if len(alone) == 0 || len(either) <= len(alone) || len(either) < len(ids("電池")) {
		t.Errorf("%d by a code alone, %d by it or a word", len(alone), len(either))
	}
}

// The call that an error gives as an example works on this collection, of which our own examples know nothing.
func TestExamplesOfErrorsAreCallsThatWork(t *testing.T) {
	c := connectPublications(t, environment(t), "--toolsets", "rrf,rrf-human")
	one := must[lane.Handle](c, "rrf_search_fulltext_raw", map[string]any{"query": "battery"})
	two := must[lane.Handle](c, "rrf_search_semantic_raw", map[string]any{"text": "A battery pack that watches its cells.", "include": map[string]any{"scores": true, "code_freqs": true}, "fields": []string{"title"}})
	if len(two.Items) != min(two.TopK, 30) || two.Items[0].Title == nil || two.Items[0].Score == nil || len(two.Items[0].Metadata.CPC) > 0 || len(two.CodeFreqs.CPC) == 0 {
		t.Errorf("%d items of %d, %+v", len(two.Items), two.TopK, two.CodeFreqs)
	}
	fused := must[lane.Result](c, "rrf_blend_frontier", map[string]any{"runs": []string{one.RunID, two.RunID}, "peek": map[string]any{"count": 3}})
	if fused.Peek == nil || fused.Peek.Returned != 3 || len(fused.Frontier) != 7 {
		t.Errorf("%+v", fused.Peek)
	}
	for _, tc := range []struct {
		tool string
		args map[string]any
	}{
		{"rrf_search_fulltext_raw", map[string]any{}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "("}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "batt?ry"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "(a", "top_k": 0, "sorted": 1, "feature_scope": 5, "filters": []any{map[string]any{"field": "x"}}}},
		{"rrf_search_semantic_raw", map[string]any{"txt": 3}},
		{"peek_snippets", map[string]any{"limit": 0, "offset": -1, "y": 1}},
		{"search_fulltext", map[string]any{"query": "battery", "include": map[string]any{"codes": true}}},
		{"rrf_blend_frontier", map[string]any{}},
		{"rrf_blend_frontier", map[string]any{"runs": []any{"x", one.RunID}, "rrf_k": "y"}},
		{"rrf_blend_frontier", map[string]any{"runs": []any{map[string]any{"run_id": fused.RunID, "lane": "fulltext"}}, "limit": 0}},
		{"rrf_blend_frontier", map[string]any{"runs": []any{one.RunID, two.RunID, one.RunID}}},
		{"rrf_blend_frontier", map[string]any{"runs": []any{map[string]any{"run_id_lane": one.RunID, "lane": "semantic"}, two.RunID}}},
		{"rrf_blend_frontier", map[string]any{"runs": []any{two.RunID, map[string]any{"run_id_lane": one.RunID, "weight": -1}}}},
		{"rrf_mutate_run", map[string]any{"base_run_id": one.RunID, "mutate_delta": map[string]any{"beta": 1}}},
		{"rrf_mutate_run", map[string]any{"base_run_id": one.RunID, "mutate_delta": map[string]any{}}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "battery", "filters": []any{map[string]any{"lop": "and", "field": "country", "value": "US"}}}},
		{"get_provenance", map[string]any{}},
		{"peek_snippets", map[string]any{"run_id": "x", "limit": 0}},
		{"get_snippets", map[string]any{"pub_ids": []string{}}},
		{"get_publication", map[string]any{"id": "JP1900-000001A"}},
		{"register_representatives", map[string]any{"pub_ids": []string{"JP1900-000001A"}, "category": "D"}},
		{"remove_representatives", map[string]any{}},
		{"list_representatives", map[string]any{"run_id": one.RunID, "topic": "x"}},
	} {
		var failed struct {
			Error struct {
				Details struct {
					Example map[string]any `json:"example"`
				} `json:"details"`
			} `json:"error"`
		}
		if !c.call(tc.tool, tc.args, &failed) || failed.Error.Details.Example == nil {
			t.Errorf("%s %v: no error with an example", tc.tool, tc.args)
			continue
		}
		var again json.RawMessage
		if example := failed.Error.Details.Example; c.call(tc.tool, example, &again) {
			t.Errorf("%s %v: the example %v: %s", tc.tool, tc.args, example, again)
		}
	}
}

// Without a run no call that needs one works, so an error gives none.
func TestWithoutARunNoExampleNamesOne(t *testing.T) {
	c := connectPublications(t, environment(t))
	for tool, args := range map[string]map[string]any{
		"rrf_blend_frontier": {"runs": []any{}}, "rrf_mutate_run": {}, "get_provenance": {}, "peek_snippets": {},
	} {
		var failed struct{ Error *toolset.Error }
		if !c.call(tool, args, &failed) || failed.Error.Details["example"] != nil {
			t.Errorf("%s: %v", tool, failed.Error)
		}
	}
}

// A query or a filter is put right in the call that it stands in.
func TestTheExampleOfABadQueryIsTheWholeCall(t *testing.T) {
	c := connectPublications(t, environment(t))
	filter := map[string]any{"lop": "and", "field": "country", "op": "=", "value": "US"}
	bare := map[string]any{"lop": "and", "field": "country", "value": "US"}
	for _, tc := range []struct{ call, want map[string]any }{
		{map[string]any{"query": "batt?", "top_k": 3.0, "filters": []any{filter}}, map[string]any{"query": "batt*", "top_k": 3.0, "filters": []any{filter}}},
		{map[string]any{"query": "battery", "filters": []any{filter, bare}},
			map[string]any{"query": "battery", "filters": []any{filter, map[string]any{"lop": "and", "field": "country", "op": "in", "value": "US"}}}},
	} {
		var failed struct{ Error *toolset.Error }
		if !c.call("rrf_search_fulltext_raw", tc.call, &failed) {
			t.Fatalf("%v is taken", tc.call)
		}
		if diff := cmp.Diff(any(tc.want), failed.Error.Details["example"]); diff != "" {
			t.Errorf("%v: %s", tc.call, diff)
		}
	}
}

// A person is told of flags, not of arguments.
func TestErrorsOfTheCommandLineNameFlags(t *testing.T) {
	env := environment(t)
	for says, args := range map[string][]string{
		"--category is required":                         {"rrf", "representatives", "register", "JP2023-123456A"},
		"--sort must be one of":                          {"rrf", "fulltext", "battery", "--sort", "date"},
		"pub_ids must be a list":                         {"rrf", "representatives", "remove"},
		`no flag such as "-e"; put -- before words that`: {"rrf", "fulltext", "-heat"},
	} {
		cmd := exec.Command(binary, append(args, "--workspace", emptyWorkspace(t, env), "--publications-root", publicationSample(t))...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), says) {
			t.Errorf("%q: %v, %s", args, err, out)
		}
	}
}
