package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// publicationSample returns the sample collection.
func publicationSample(t testing.TB) string {
	return filepath.Join(repository(t), "testdata", "publications")
}

// connectPublications serves an empty workspace with the sample collection.
func connectPublications(t testing.TB, env []string, args ...string) *client {
	return connect(t, env, append([]string{"--workspace", emptyWorkspace(t, env), "--publications-root", publicationSample(t)}, args...)...)
}

// emptyWorkspace is one workspace for all processes of an environment.
func emptyWorkspace(t testing.TB, env []string) string {
	t.Helper()
	home, _ := strings.CutPrefix(env[0], "HOME=")
	dir := filepath.Join(home, "workspace")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// patentSearcher is what one language's searcher asks.
type patentSearcher struct {
	name                    string
	wide, recall, precision string
	text                    string
	kind                    string // of the codes of the profile
	facets                  map[string]any
	holds                   string // in the title of what is sought
}

var patentSearchers = []patentSearcher{
	{
		"Japanese", "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "顔認証 OR マスク OR 遮蔽", `*N30"顔 (遮蔽 OR 隠)" AND title:顔認証`,
		"マスクで口元が隠れていても、隠れた領域を除いて特徴量を照合し本人を認証する顔認証装置。", "fi",
		map[string]any{"A": []string{"顔認証"}, "B": []string{"マスク", "遮蔽"}}, "顔認証",
	},
	{
		"English", `face AND (mask OR occlu*)`, "face OR mask", `*N40"hidden face" AND title:face`,
		"A face authentication device that matches features although a mask covers the mouth.", "cpc",
		map[string]any{"A": []string{"face authentication"}, "B": []string{"mask", "hidden"}}, "FACE AUTHENTICATION",
	},
}

// The whole workflow, in both languages, and the same ranking from a new process.
func TestTheSearchersWorkflow(t *testing.T) {
	for _, s := range patentSearchers {
		t.Run(s.name, func(t *testing.T) {
			env := environment(t)
			c := connectPublications(t, env)
			fused := s.search(t, c)
			c.in.Close()
			c.cmd.Wait()
			c = connectPublications(t, env)
			again := must[lane.Snippets](c, "peek_snippets", map[string]any{"run_id": fused.RunID, "limit": 5})
			for i, row := range again.Snippets {
				if row.PubID != fused.RankedDocs[i].PubID {
					t.Errorf("rank %d is %s after a restart and was %s", i+1, row.PubID, fused.RankedDocs[i].PubID)
				}
			}
			s.tune(t, c, fused)
			s.replay(t, env, fused.RunID)
		})
	}
}

// search goes from the wide search to the fusion.
func (s patentSearcher) search(t *testing.T, c *client) lane.Result {
	t.Helper()
	wide := must[lane.Handle](c, "rrf_search_fulltext_raw", map[string]any{"query": s.wide, "top_k": 500})
	if wide.HitCount == 0 || wide.Truncated || len(wide.Warnings) > 0 {
		t.Fatalf("wide search: %+v", wide)
	}
	codes := s.codes(t, must[map[string]any](c, "get_provenance", map[string]any{"run_id": wide.RunID}))
	peek := must[lane.Snippets](c, "peek_snippets", map[string]any{"run_id": wide.RunID, "limit": 3})
	best := peek.Snippets[0]
	if !strings.Contains(strings.ToUpper(*best.Title), s.holds) || best.Claim == nil || *best.Abst == "" {
		t.Errorf("best of the wide search: %+v", best)
	}
	registered := must[lane.Registered](c, "register_representatives", map[string]any{"pub_ids": []string{best.PubID, "JP1900-000001A"}, "category": "A"})
	if registered.Count != 1 || !slices.Equal(registered.Unknown, []string{"JP1900-000001A"}) {
		t.Errorf("registered %+v", registered)
	}
	runs := s.lanes(t, c)
	fused := must[lane.Result](c, "rrf_blend_frontier", map[string]any{
		"runs": runs, "target_profile": map[string]any{s.kind: codes}, "facet_terms": s.facets, "lane_weights": map[string]any{"recall": 1, "precision": 1, "semantic": 0.8},
	})
	if len(fused.Warnings) > 0 || fused.RankedDocs[0].PiCode == 0 || fused.RankedDocs[0].PiFacet == 0 || fused.Total < len(fused.RankedDocs) {
		t.Errorf("fusion: %q, best %+v", fused.Warnings, fused.RankedDocs[0])
	}
	at := slices.IndexFunc(fused.RankedDocs, func(d lane.RankedDoc) bool { return d.PubID == best.PubID })
	if at < 0 || at > 4 || fused.RankedDocs[at].PiRep != 1 {
		t.Errorf("the representative %s has place %d", best.PubID, at)
	}
	return fused
}

// codes takes the two most frequent codes of a run as a profile.
func (s patentSearcher) codes(t *testing.T, provenance map[string]any) map[string]any {
	t.Helper()
	counts, _ := provenance["code_freqs"].(map[string]any)[s.kind].(map[string]any)
	if len(counts) == 0 {
		t.Fatalf("no %s codes in %v", s.kind, provenance)
	}
	profile := map[string]any{}
	for code, n := range counts {
		if n.(float64) > 2 {
			profile[code] = 1.0
		}
	}
	return profile
}

// lanes runs recall, precision and semantic lanes beside one that fails.
func (s patentSearcher) lanes(t *testing.T, c *client) (runs []any) {
	t.Helper()
	out := must[struct {
		Runs []struct {
			Status, Lane string
			LaneName     string `json:"lane_name"`
			RunID        string `json:"run_id_lane"`
			HitCount     int    `json:"hit_count"`
			Error        *toolset.Error
		}
	}](c, "run_multilane_search", map[string]any{"lanes": []any{
		map[string]any{"lane_name": "fulltext_recall", "query": s.recall, "top_k": 400},
		map[string]any{"lane_name": "fulltext_precision", "query": s.precision, "field_boosts": map[string]any{"title": 80}},
		map[string]any{"lane_name": "fulltext_broken", "query": s.recall + " AND ("},
		map[string]any{"lane_name": "semantic", "text": s.text, "top_k": 100, "feature_scope": "title_abst_claims"},
	}})
	for i, r := range out.Runs {
		if broken := i == 2; broken != (r.Status == lane.StatusError) || broken != (r.Error != nil) {
			t.Fatalf("lane %d: %+v", i, r)
		}
		if r.Error != nil {
			if r.Error.Code != toolset.InvalidQuery || r.RunID != "" {
				t.Errorf("the broken lane: %+v", r)
			}
			continue
		}
		if r.HitCount == 0 {
			t.Errorf("lane %s found nothing", r.LaneName)
		}
		runs = append(runs, map[string]any{"lane": r.Lane, "run_id_lane": r.RunID})
	}
	return runs
}

// tune explains the fusion and mutates it twice.
func (s patentSearcher) tune(t *testing.T, c *client, fused lane.Result) {
	t.Helper()
	p := must[lane.Provenance](c, "get_provenance", map[string]any{"run_id": fused.RunID})
	sum := 0.0
	for _, share := range p.LaneContributions {
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 || len(p.LaneContributions) != 3 || p.Metrics == nil || len(p.Frontier) == 0 || len(p.Lineage.Lanes) != 3 {
		t.Errorf("provenance: contributions %v, %d points, lineage %+v", p.LaneContributions, len(p.Frontier), p.Lineage)
	}
	same := must[lane.Result](c, "rrf_mutate_run", map[string]any{"base_run_id": fused.RunID, "mutate_delta": map[string]any{}})
	if diff := cmp.Diff(fused.RankedDocs, same.RankedDocs); diff != "" || len(same.Changed) > 0 {
		t.Errorf("a mutation of nothing changes %v: %s", same.Changed, diff)
	}
	first := must[lane.Result](c, "rrf_mutate_run", map[string]any{"base_run_id": fused.RunID, "mutate_delta": map[string]any{"beta_fuse": 0, "weights": map[string]any{"semantic": 0}}})
	second := must[lane.Result](c, "rrf_mutate_run", map[string]any{"base_run_id": first.RunID, "mutate_delta": map[string]any{"beta_fuse": 1.2, "weights": map[string]any{"semantic": 1}}})
	if len(first.Changed) != 2 || first.RunID == fused.RunID || first.RankedDocs[0].Score != first.RankedDocs[0].RRF {
		t.Errorf("first mutation: %+v", first.Changed)
	}
	for i := range fused.RankedDocs {
		if fused.RankedDocs[i].PubID != second.RankedDocs[i].PubID {
			t.Fatalf("tuned back, rank %d is %s and was %s", i+1, second.RankedDocs[i].PubID, fused.RankedDocs[i].PubID)
		}
	}
	record := must[lane.Record](c, "get_publication", map[string]any{"id": fused.RankedDocs[0].PubID, "id_type": "pub_id"})
	if *record.Claim == "" || *record.Desc == "" || len(record.Truncated) > 0 {
		t.Errorf("publication %+v", record)
	}
}

// replay makes the run again at the shell.
func (s patentSearcher) replay(t *testing.T, env []string, run string) {
	t.Helper()
	cmd := exec.Command(binary, "rrf", "replay", run, "--json", "--workspace", emptyWorkspace(t, env), "--publications-root", publicationSample(t))
	cmd.Env = env
	out, err := cmd.Output()
	var r lane.Replay
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil || !r.Same || !r.SameCollection || r.Lanes != 3 || len(r.PubIDs) == 0 {
		t.Errorf("replay: %+v, %v", r, err)
	}
}

func TestPublicationToolsInADefaultServer(t *testing.T) {
	c := connectPublications(t, environment(t))
	var listed struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(c.request("tools/list", map[string]any{}), &listed); err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	for name, want := range map[string]bool{"manual_find": true, "rrf_blend_frontier": true, "run_multilane_search": true, "search_fulltext": false, "search_semantic": false} {
		if slices.Contains(names, name) != want {
			t.Errorf("%s is listed: %t, want %t", name, !want, want)
		}
	}
	var prompts struct{ Prompts []struct{ Name string } }
	if err := json.Unmarshal(c.request("prompts/list", map[string]any{}), &prompts); err != nil {
		t.Fatal(err)
	}
	ours := prompts.Prompts[:0]
	for _, p := range prompts.Prompts {
		if strings.HasPrefix(p.Name, "patent_") {
			ours = append(ours, p)
		}
	}
	if len(ours) != 2 {
		t.Errorf("prompts %+v", prompts)
	}
	for _, p := range ours {
		text := string(c.request("prompts/get", map[string]any{"name": p.Name, "arguments": map[string]any{"invention": "隠れた顔の認証"}}))
		if !strings.Contains(text, "隠れた顔の認証") || !strings.Contains(text, "rrf_mutate_run") {
			t.Errorf("prompt %s: %s", p.Name, text)
		}
	}
}

// Every error code of the tools, and what an error must tell.
func TestPublicationErrorsAreStructured(t *testing.T) {
	c := connectPublications(t, environment(t), "--toolsets", "rrf,rrf-human")
	run := must[lane.Handle](c, "rrf_search_fulltext_raw", map[string]any{"query": "装置"}).RunID
	filter := func(lop, field, op string, value any) []any {
		return []any{map[string]any{"lop": lop, "field": field, "op": op, "value": value}}
	}
	for _, tc := range []struct {
		tool      string
		arguments map[string]any
		code      toolset.Code
		parameter string
		details   []string // that must be there
	}{
		{"rrf_search_fulltext_raw", map[string]any{"query": ""}, toolset.InvalidQuery, "query", []string{"position", "found", "expected", "example"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "(顔 AND マスク"}, toolset.InvalidQuery, "query", []string{"position", "found", "expected", "example"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": strings.Repeat("語 OR ", 1000) + "語"}, toolset.InvalidQuery, "query", []string{"position", "found", "expected", "example"}},
		{"search_fulltext", map[string]any{"query": `*N30"a"`}, toolset.InvalidQuery, "query", []string{"position"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "filters": []any{map[string]any{"field": "fi", "op": "in", "value": []string{"G06V"}}}}, toolset.FilterError, "filters[0].lop", []string{"entry", "example"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "filters": filter("and", "fli", "in", "x")}, toolset.FilterError, "filters[0].field", []string{"did_you_mean"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "filters": filter("and", "date", ">=", "soon")}, toolset.FilterError, "filters[0].value", []string{"expected"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "filters": "fi"}, toolset.FilterError, "filters", []string{"example"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "top_k": 0}, toolset.InvalidRRFCall, "top_k", []string{"expected", "example"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "top_k": 100_001}, toolset.InvalidRRFCall, "top_k", nil},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "field_boosts": map[string]any{"titel": 2}}, toolset.InvalidRRFCall, "field_boosts.titel", []string{"did_you_mean"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "field_boosts": map[string]any{"title": -1}}, toolset.InvalidRRFCall, "field_boosts.title", nil},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "feature_scope": "claims"}, toolset.InvalidRRFCall, "feature_scope", []string{"expected"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "sort": "date"}, toolset.InvalidRRFCall, "sort", []string{"expected"}},
		{"rrf_search_fulltext_raw", map[string]any{"query": "顔", "lanes": 1}, toolset.InvalidRRFCall, "lanes", []string{"example"}},
		{"search_semantic", map[string]any{"text": " "}, toolset.InvalidRRFCall, "text", nil},
		{"search_semantic", map[string]any{"text": "顔を認証する。", "feature_scope": "top_claim"}, toolset.InvalidRRFCall, "feature_scope", []string{"expected"}},
		{"rrf_blend_frontier", map[string]any{"runs": []string{"fulltext-0"}}, toolset.RunNotFound, "runs.0.run_id_lane", []string{"newest_runs"}},
		{"rrf_mutate_run", map[string]any{"base_run_id": "fusion-0", "mutate_delta": map[string]any{}}, toolset.RunNotFound, "base_run_id", []string{"newest_runs"}},
		{"get_provenance", map[string]any{"run_id": "x"}, toolset.RunNotFound, "run_id", nil},
		{"peek_snippets", map[string]any{"run_id": "x"}, toolset.RunNotFound, "run_id", nil},
		{"peek_snippets", map[string]any{"run_id": run, "budget_bytes": 0}, toolset.InvalidRRFCall, "budget_bytes", []string{"minimum"}},
		{"peek_snippets", map[string]any{"run_id": run, "budget_bytes": 1}, toolset.InvalidRRFCall, "budget_bytes", []string{"minimum"}},
		{"peek_snippets", map[string]any{"run_id": run, "budget_bytes": 50}, toolset.InvalidRRFCall, "budget_bytes", []string{"minimum"}},
		{"register_representatives", map[string]any{"pub_ids": []string{"x"}, "category": "D"}, toolset.InvalidRRFCall, "category", nil},
		{"get_publication", map[string]any{"id": "JP1900-000001A"}, toolset.InvalidRRFCall, "id", nil},
		{"get_publication", map[string]any{"id": "?", "id_type": "app_id"}, toolset.InvalidRRFCall, "id", nil},
	} {
		var result struct {
			Error toolset.Error `json:"error"`
		}
		name := fmt.Sprintf("%s(%.80v)", tc.tool, tc.arguments)
		if !c.call(tc.tool, tc.arguments, &result) || result.Error.Code != tc.code || result.Error.Details["parameter"] != tc.parameter {
			t.Errorf("%s: %+v, want %s for %s", name, result.Error, tc.code, tc.parameter)
		}
		for _, detail := range tc.details {
			if result.Error.Details[detail] == nil {
				t.Errorf("%s: no %s in %v", name, detail, result.Error.Details)
			}
		}
	}
	got := must[lane.Snippets](c, "get_snippets", map[string]any{"pub_ids": []string{"JP1900-000001A", "JP2023-002513A"}})
	if !slices.Equal(got.Missing, []string{"JP1900-000001A"}) || len(got.Snippets) != 1 {
		t.Errorf("snippets of an unknown id: %+v", got)
	}
}

// Without publications the tools that are asked for by name say what is missing.
func TestNoPublications(t *testing.T) {
	env := environment(t)
	c := connect(t, env, "--workspace", emptyWorkspace(t, env), "--toolsets", "rrf")
	var result struct {
		Error toolset.Error `json:"error"`
	}
	if !c.call("rrf_search_fulltext_raw", map[string]any{"query": "a"}, &result) || result.Error.Code != toolset.BackendError || !strings.Contains(result.Error.Message, "sagasu import") || result.Error.Details["backend"] != "collection" {
		t.Errorf("%+v", result.Error)
	}
}

// A lane whose strategy is switched off fails alone.
func TestALaneThatIsSwitchedOff(t *testing.T) {
	env := environment(t)
	settings := "[strategies.semantic]\nenabled = false\n"
	if err := os.WriteFile(filepath.Join(emptyWorkspace(t, env), "sagasu.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connectPublications(t, env)
	out := must[struct {
		Runs []struct {
			Status string
			Error  *toolset.Error
		}
	}](c, "run_multilane_search", map[string]any{"lanes": []any{
		map[string]any{"lane_name": "semantic", "text": "顔を認証する装置。"}, map[string]any{"lane_name": "fulltext", "query": "顔"},
	}})
	if out.Runs[0].Status != lane.StatusError || out.Runs[0].Error.Code != toolset.BackendError || out.Runs[1].Status != lane.StatusOK {
		t.Errorf("%+v", out.Runs)
	}
}
