package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/plugins"
)

// punctuation returns what stands before, in and after the words of people.
func punctuation() (marks []string) {
	for _, r := range ".,;:!?-+*/\\|&~^$%#@'\"`()[]{}<>=_" {
		marks = append(marks, string(r), string(r-'!'+'！'))
	}
	for _, r := range "「」『』・…、。〜ー　" {
		marks = append(marks, string(r))
	}
	return marks
}

// odd returns the texts that hold a mark, alone, repeated and beside words.
func odd(mark string) []string {
	many := strings.Repeat(mark, 7)
	return []string{
		mark, many, mark + "RAID 交換", many + "RAID 交換", "RAID" + mark + "交換", "RAID " + many + " 交換",
		"RAID 交換" + mark, "RAID 交換" + many, mark + "交換" + mark,
	}
}

// entryPoint is a tool that takes a text.
type entryPoint struct {
	tool string
	// arguments are those of a call with a text.
	arguments func(text string) map[string]any
	// then, if not nil, are calls with what the first returned.
	then func(text string, result map[string]any) []toolCall
}

type toolCall struct {
	tool      string
	arguments map[string]any
}

func with(name string, more ...any) func(string) map[string]any {
	return func(text string) map[string]any {
		out := map[string]any{name: text}
		for i := 0; i < len(more); i += 2 {
			out[more[i].(string)] = more[i+1]
		}
		return out
	}
}

// byTrace pages what a search found.
func byTrace(tool string) func(string, map[string]any) []toolCall {
	return func(_ string, found map[string]any) []toolCall {
		return []toolCall{{tool, map[string]any{"trace_id": found["trace_id"]}}}
	}
}

// byRun reads the run of a lane, and fuses it with facets that hold the text.
func byRun(text string, run map[string]any) []toolCall {
	id := run["run_id"]
	return []toolCall{
		{"peek_snippets", map[string]any{"run_id": id}},
		{"get_provenance", map[string]any{"run_id": id}},
		{"rrf_blend_frontier", map[string]any{
			"runs": []any{map[string]any{"run_id_lane": id}}, "facet_terms": map[string]any{"A": []any{text, "装置"}},
			"target_profile": map[string]any{"fi": map[string]any{text: 1}}, "lane_weights": map[string]any{text: 1},
		}},
	}
}

// entryPoints returns the tools that take a query or a text.
func entryPoints() []entryPoint {
	const path, source = "artifacts/marks.md", "drafts/source.md"
	return []entryPoint{
		{"manual_find", with("query", "inline_hits", map[string]any{"limit": 3}, "include_claim_graph", true),
			byTrace("manual_hits")},
		{"manual_find", with("query", "manual_id", "aoba-nas", "expand_scope", true, "use_cache", false), nil},
		{"vault_find", with("query"), byTrace("vault_hits")},
		{"vault_search", with("query", "mode", "regex"), nil},
		{"vault_search", with("query", "mode", "plain"), nil},
		{"vault_search", with("query", "mode", "loose"), nil},
		{"vault_search", with("glob", "query", "RAID"), nil},
		{"rrf_search_fulltext_raw", with("query"), byRun},
		{"search_fulltext", with("query"), nil},
		{"search_semantic", with("text"), byRun},
		{"run_multilane_search", func(text string) map[string]any {
			return map[string]any{"lanes": []any{
				map[string]any{"lane": "fulltext", "query": text}, map[string]any{"lane": "semantic", "text": text},
				map[string]any{"lane_name": text, "lane": "fulltext", "query": "装置"},
				map[string]any{"lane": "fulltext", "query": "装置", "filters": []any{
					map[string]any{"field": "applicant", "lop": "and", "op": "contains", "value": text}}},
			}}
		}, nil},
		{"get_publication", with("id"), nil},
		{"find_logic_evidence", with("question", "scope", "backend"),
			func(text string, found map[string]any) []toolCall {
				return []toolCall{{"ask_logic_qa", map[string]any{"question": text, "evidence": found["evidence"]}}}
			}},
		{"vault_write", func(text string) map[string]any {
			content := fmt.Sprintf("# %[1]s\n\n- %[1]s (source_lines: 1-2)\n\n| %[1]s | b |\n|---|---|\n| %[1]s | source_lines: 1 |\n\n"+
				"```mermaid\nflowchart TD\n%[1]s --> b[%[1]s]\n```\n\n[%[1]s](%[1]s)\n", text)
			return map[string]any{"path": path, "content": content, "mode": "overwrite"}
		}, func(string, map[string]any) []toolCall {
			return []toolCall{
				{"artifact_audit", map[string]any{"artifact_path": path, "source_path": source}},
				{"vault_find", map[string]any{"query": "source_lines"}},
			}
		}},
		{"vault_replace", with("find", "path", path, "replace", "x"), nil},
		{"vault_read", with("path", "full", true), nil},
		{"vault_ls", with("relative_dir"), nil},
		{"manual_toc", with("manual_id"), nil},
		{"manual_scan", with("path", "manual_id", "aoba-nas"), nil},
	}
}

// No punctuation, wherever it stands in a text, is an unexpected failure of any tool, or of a
// strategy or a judgement below it, which would cost a warning and stand in the log.
func TestPunctuation(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of calls")
	}
	const share = 3 // of the texts with a mark; each tool is asked for other ones
	for _, kv := range environment(t) {
		name, value, _ := strings.Cut(kv, "=")
		t.Setenv(name, value)
	}
	var log lockedBuffer
	a := openPunctuated(t, hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Debug}))
	calls := 0
	call := func(tool string, arguments map[string]any) map[string]any {
		calls++
		raw, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		result, failed := a.Tools.Call(t.Context(), tool, raw, nil)
		if failed != nil {
			if failed.Code == toolset.Internal || failed.Code == toolset.BackendError {
				t.Errorf("%s %s: %v", tool, raw, failed)
			}
			return nil
		}
		data, err := json.Marshal(result)
		if err != nil {
			t.Fatalf("%s %s: %v", tool, raw, err)
		}
		var out map[string]any
		if err := json.Unmarshal(data, &out); err != nil {
			t.Fatal(err)
		}
		for _, broken := range []string{"did not contribute", "was not judged", `"internal"`, `"BACKEND_ERROR"`} {
			if bytes.Contains(data, []byte(broken)) {
				t.Errorf("%s %s: %s in %s", tool, raw, broken, data)
			}
		}
		return out
	}
	answered := map[string]bool{}
	for _, path := range []string{"artifacts/marks.md", "drafts/source.md"} {
		call("vault_create", map[string]any{"path": path, "content": "# RAID\n\n交換\n"})
	}
	for i, e := range entryPoints() {
		for j, mark := range punctuation() {
			for k, text := range odd(mark) {
				if (i+j+k)%share != 0 {
					continue
				}
				result := call(e.tool, e.arguments(text))
				if result == nil {
					continue
				}
				answered[e.tool] = true
				if e.then == nil {
					continue
				}
				for _, c := range e.then(text, result) {
					answered[c.tool] = call(c.tool, c.arguments) != nil || answered[c.tool]
				}
			}
		}
	}
	if said := log.String(); strings.Contains(said, "panic") {
		t.Errorf("the log tells of a panic:\n%s", said[max(0, strings.Index(said, "panic")-500):])
	}
	for _, tool := range []string{
		"manual_hits", "vault_hits", "peek_snippets", "rrf_blend_frontier", "search_fulltext", "search_semantic", "ask_logic_qa",
		"artifact_audit",
	} {
		if !answered[tool] {
			t.Errorf("no call of %s was answered", tool)
		}
	}
	t.Logf("%d calls", calls)
}

// openPunctuated opens the samples of all products.
func openPunctuated(t *testing.T, log hclog.Logger) *app.App {
	t.Helper()
	vault := filepath.Join(t.TempDir(), "vault")
	if err := os.CopyFS(vault, os.DirFS(filepath.Join(repository(t), "testdata", "vault"))); err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), app.Options{
		Strategies: plugins.Bundled(), Version: "test", Logger: func(*workspace.Workspace) hclog.Logger { return log },
		Sources: workspace.LoadOptions{Flags: workspace.Flags{Values: map[string]string{
			"WORKSPACE_ROOT": t.TempDir(), "MANUALS_ROOT": filepath.Join(sample(t), "manuals"), "VAULT_ROOT": vault,
			"PUBLICATIONS_ROOT": publicationSample(t), "LOGIC_ROOT": logicSample(t), "STRATEGY_TIME_MS": "20000",
			"TOOLSETS": "manual,vault,bridge,rrf,rrf-human,logic",
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// lockedBuffer may be written to by many.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
