package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// TestBadVaultInput holds the rules of the contract against the arguments of the
// tools of the vault and the bridge.
func TestBadVaultInput(t *testing.T) {
	const (
		create  = `{"path":"a.md","content":"",%s}`
		write   = `{"path":"a.md","content":"","mode":"append",%s}`
		replace = `{"path":"a.md","find":"x","replace":"y",%s}`
		read    = `{"path":"a.md",%s}`
		search  = `{"query":"q",%s}`
		audit   = `{"artifact_path":"a.md","source_path":"s.md",%s}`
		section = `{"from_ref":{"manual_id":"m","path":"a.md"},"to_path":"a.md","mode":"append",%s}`
		file    = `{"manual_id":"m","from_path":"a.json","to_path":"a.json","mode":"append",%s}`
	)
	lines := append([]string{`0`, `-1`, `null`}, notIntegers...)
	arguments := []struct {
		tool, frame, name, parameter string
		bad                          []string
		code                         toolset.Code
	}{
		{"vault_ls", `{%s}`, "relative_dir", "relative_dir", notText, toolset.InvalidParameter},
		{"vault_ls", `{%s}`, "relative_dir", "relative_dir", badPaths, toolset.InvalidPath},
		{"vault_ls", `{%s}`, "include_system", "include_system", notBooleans, toolset.InvalidParameter},
		{"vault_create", `{"content":"",%s}`, "path", "path", append(notText, `null`), toolset.InvalidParameter},
		{"vault_create", `{"content":"",%s}`, "path", "path", badPaths, toolset.InvalidPath},
		{"vault_create", `{"path":"a.md",%s}`, "content", "content", append(notText, `null`), toolset.InvalidParameter},
		{"vault_create", create, "mode", "mode", []string{`"append"`}, toolset.InvalidParameter},
		{"vault_write", `{"path":"a.md","content":"",%s}`, "mode", "mode", append(badChoices, `null`, `"Append"`), toolset.InvalidParameter},
		{"vault_write", write, "expected_sha256", "expected_sha256", append(notText, `""`), toolset.InvalidParameter},
		{"vault_replace", `{"path":"a.md","replace":"",%s}`, "find", "find", append(notText, `""`, `null`), toolset.InvalidParameter},
		{"vault_replace", `{"path":"a.md","find":"x",%s}`, "replace", "replace", append(notText, `null`), toolset.InvalidParameter},
		{"vault_replace", replace, "max_replacements", "max_replacements", append(notIntegers, `0`), toolset.InvalidParameter},
		{"vault_read", read, "full", "full", notBooleans, toolset.InvalidParameter},
		{"vault_read", read, "range", "range", notObjects, toolset.InvalidParameter},
		{"vault_read", `{"path":"a.md","range":{"end_line":3,%s}}`, "start_line", "range.start_line", lines, toolset.InvalidParameter},
		{"vault_read", `{"path":"a.md","range":{"start_line":3,%s}}`, "end_line", "range.end_line", lines, toolset.InvalidParameter},
		{"vault_read", `{"path":"a.md","limits":{%s}}`, "max_chars", "limits.max_chars", append(notIntegers, `0`), toolset.InvalidParameter},
		{"vault_read", `{"path":"a.md","offset":{%s}}`, "char_offset", "offset.char_offset", append(notIntegers, `-1`), toolset.InvalidParameter},
		{"vault_scan", read, "cursor", "cursor", notObjects, toolset.InvalidParameter},
		{"vault_scan", `{"path":"a.md","cursor":{%s}}`, "start_line", "cursor.start_line", append(notIntegers, `0`), toolset.InvalidParameter},
		{"vault_scan", read, "chunk_lines", "chunk_lines", append(notIntegers, `0`), toolset.InvalidParameter},
		{"vault_scan", read, "cited_ranges", "cited_ranges", []string{`1`, `"x"`, `{}`}, toolset.InvalidParameter},
		{"vault_scan", read, "cited_ranges", "cited_ranges[1]", []string{`[{"start_line":1,"end_line":1},3]`, `[{"start_line":1,"end_line":1},[]]`}, toolset.InvalidParameter},
		{"vault_scan", read, "cited_ranges", "cited_ranges[0].end_line", []string{`[{"start_line":1}]`, `[{"start_line":1,"end_line":"x"}]`}, toolset.InvalidParameter},
		{"vault_search", `{%s}`, "query", "query", append(notText, `""`, `null`), toolset.InvalidParameter},
		{"vault_search", search, "mode", "mode", badChoices, toolset.InvalidParameter},
		{"vault_search", search, "limit", "limit", append(notIntegers, `0`, `1001`), toolset.InvalidParameter},
		{"vault_search", search, "relative_dir", "relative_dir", badPaths, toolset.InvalidPath},
		{"vault_find", `{%s}`, "query", "query", append(notText, `""`, `" "`, `null`), toolset.InvalidParameter},
		{"vault_find", search, "scope", "scope", notObjects, toolset.InvalidParameter},
		{"vault_find", `{"query":"q","scope":{%s}}`, "relative_dir", "scope.relative_dir", badPaths, toolset.InvalidPath},
		{"vault_find", `{"query":"q","budget":{%s}}`, "time_ms", "budget.time_ms", append(notIntegers, `0`), toolset.InvalidParameter},
		{"vault_hits", `{"trace_id":"t",%s}`, "kind", "kind", append(badChoices, `"conflicts"`), toolset.InvalidParameter},
		{"vault_coverage", read, "cited_ranges", "cited_ranges", []string{`1`, `null`, `{}`}, toolset.InvalidParameter},
		{"artifact_audit", `{"source_path":"s.md",%s}`, "artifact_path", "artifact_path", append(notText, `null`), toolset.InvalidParameter},
		{"artifact_audit", `{"source_path":"s.md",%s}`, "artifact_path", "artifact_path", badPaths, toolset.InvalidPath},
		{"artifact_audit", `{"artifact_path":"a.md",%s}`, "source_path", "source_path", badPaths, toolset.InvalidPath},
		{"artifact_audit", audit, "cited_ranges", "cited_ranges", []string{`1`, `"x"`, `{}`}, toolset.InvalidParameter},
		{"artifact_audit", audit, "cited_ranges", "cited_ranges[0].end_line", []string{`[{"start_line":1}]`}, toolset.InvalidParameter},
		{"artifact_audit", audit, "require_source_lines", "require_source_lines", notBooleans, toolset.InvalidParameter},
		{"artifact_audit", audit, "source_lines", "source_lines", []string{`true`}, toolset.InvalidParameter},
		{"bridge_copy_section", `{"to_path":"a.md","mode":"append",%s}`, "from_ref", "from_ref", append(notObjects, `null`), toolset.InvalidParameter},
		{"bridge_copy_section", `{"from_ref":{"manual_id":"m","path":"a.md"},"mode":"append",%s}`, "to_path", "to_path", badPaths, toolset.InvalidPath},
		{"bridge_copy_section", `{"from_ref":{"manual_id":"m",%s},"to_path":"a.md","mode":"append"}`, "path", "from_ref.path", badPaths, toolset.InvalidPath},
		{"bridge_copy_section", `{"from_ref":{"path":"a.md",%s},"to_path":"a.md","mode":"append"}`, "manual_id", "from_ref.manual_id", badIDs, toolset.InvalidPath},
		{"bridge_copy_section", `{"from_ref":{"manual_id":"m","path":"a.md",%s},"to_path":"a.md","mode":"append"}`, "target", "from_ref.target", []string{`"vault"`}, toolset.InvalidParameter},
		{"bridge_copy_section", section, "limits", "limits", notObjects, toolset.InvalidParameter},
		{"bridge_copy_file", file, "range", "range", []string{`{}`}, toolset.InvalidParameter},
		{"bridge_copy_file", `{"manual_id":"m","to_path":"a.md","mode":"append",%s}`, "from_path", "from_path", badPaths, toolset.InvalidPath},
	}
	s, _, _ := newFakes()
	for _, a := range arguments {
		for _, bad := range a.bad {
			call := strings.Replace(a.frame, "%s", `"`+a.name+`":`+bad, 1)
			err := refused(t, s, a.tool, call)
			if err.Code != a.code || err.Details["parameter"] != a.parameter {
				t.Errorf("%s %s: %v, details %v; want %s of %s", a.tool, call, err, err.Details, a.code, a.parameter)
			}
			if _, ok := err.Details["got"]; !ok || err.Details["expected"] == nil {
				t.Errorf("%s %s: details lack got or expected: %v", a.tool, call, err.Details)
			}
			exampleWorks(t, s, a.tool, call, err)
		}
	}
}

// TestGoodVaultInput shows what the rooms are asked.
func TestGoodVaultInput(t *testing.T) {
	three, twelve := 3, 12
	cases := []struct {
		tool, args string
		want       any
	}{
		{"vault_ls", `{}`, []any{"", false}},
		{"vault_ls", `{"relative_dir":"a\\b","include_system":true}`, []any{"a/b", true}},
		{"vault_create", `{"path":" ./a.md ","content":" x\n"}`, []any{"a.md", " x\n"}},
		{"vault_write", `{"path":"a.md","content":"x","mode":"append"}`, vault.WriteRequest{Path: "a.md", Content: "x", Mode: "append"}},
		{"vault_replace", `{"path":"a.md","find":" ","replace":"","max_replacements":"3"}`, vault.ReplaceRequest{Path: "a.md", Find: " ", MaxReplacements: 3}},
		{"vault_read", `{"path":"a.md","range":{"start_line":3,"end_line":12.0}}`, vault.ReadRequest{Path: "a.md", Range: &toolset.Range{StartLine: 3, EndLine: 12}}},
		{"vault_read", `{"path":"a.md","full":true,"limits":{"max_chars":12}}`, vault.ReadRequest{Path: "a.md", Full: true, MaxChars: &twelve}},
		{"vault_scan", `{"path":"a.md","cursor":{"start_line":3,"char_offset":12},"cited_ranges":[]}`, vault.ScanRequest{Path: "a.md", Cursor: &toolset.LineCursor{StartLine: &three, CharOffset: &twelve}, Cited: []toolset.Range{}}},
		{"vault_scan", `{"path":"a.md","cursor":null,"chunk_lines":3}`, vault.ScanRequest{Path: "a.md", ChunkLines: &three}},
		{"vault_search", `{"query":"q"}`, vault.SearchRequest{Query: "q", Mode: "regex", Limit: 50}},
		{"vault_find", `{"query":"q","scope":{"relative_dir":"a/","glob":"*.md"}}`, vault.FindArgs{Query: "q", Scope: vault.FindScope{Dir: "a", Glob: "*.md"}, Budget: vault.FindBudget{MaxCandidates: 200, TimeMS: 60000}}},
		{"vault_hits", `{"trace_id":"t"}`, vault.HitsArgs{TraceID: "t", Kind: "candidates", Limit: 50}},
		{"vault_coverage", `{"path":"a.md","cited_ranges":[{"start_line":3,"end_line":12}]}`, []any{"a.md", []toolset.Range{{StartLine: 3, EndLine: 12}}}},
		{"artifact_audit", `{"artifact_path":"a.md","source_path":"s\\s.md"}`, vault.AuditRequest{Artifact: "a.md", Source: "s/s.md"}},
		{"artifact_audit", `{"artifact_path":"a.md","source_path":"s.md","cited_ranges":[],"require_source_lines":false}`,
			vault.AuditRequest{Artifact: "a.md", Source: "s.md", Cited: []toolset.Range{}, AllowUncited: true}},
		{"bridge_copy_section", `{"from_ref":{"target":"manual","manual_id":"m","path":"a.md","start_line":3,"title":"t","signals":["x"],"json_path":null},"to_path":"b.md","mode":"append","limits":{"max_sections":3,"max_chars":12,"allow_file":true}}`,
			bridge.SectionRequest{ManualID: "m", Path: "a.md", StartLine: &three, Title: "t", To: bridge.Target{Path: "b.md", Mode: "append"}, AllowFile: true, MaxSections: &three, MaxChars: &twelve}},
		{"bridge_copy_file", `{"manual_id":"m","from_path":"a.json","to_path":"b.json","mode":"overwrite","limits":null}`,
			bridge.FileRequest{ManualID: "m", Path: "a.json", To: bridge.Target{Path: "b.json", Mode: "overwrite"}}},
	}
	shelf := &fakeShelf{}
	s := New(Options{Vault: shelf, VaultFind: vault.FindTools(shelf), Bridge: shelf})
	for _, c := range cases {
		if _, err := s.Call(t.Context(), c.tool, json.RawMessage(c.args), nil); err != nil {
			t.Errorf("%s %s: %v", c.tool, c.args, err)
		}
		if diff := cmp.Diff(c.want, shelf.asked); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
}

// An example has all that an object in it needs, or leaves the object out.
func TestExamplesHaveWholeObjects(t *testing.T) {
	s, _, _ := newFakes()
	call := `{"path":"a.md","range":{"start":1}}`
	err := refused(t, s, "vault_read", call)
	if diff := cmp.Diff(map[string]any{"path": "a.md", "range": map[string]any{"start_line": json.Number("1"), "end_line": 40.0}}, err.Details["example"]); diff != "" {
		t.Error(diff)
	}
	exampleWorks(t, s, "vault_read", call, err)

	tool, _ := s.tool("bridge_copy_section")
	args, bad := ParseArguments(json.RawMessage(`{"from_ref":{"manual_id":"m","path":"a.md"},"range":{"start_line":500,"end_line":600},"to_path":"b.md","mode":"append"}`))
	if bad != nil {
		t.Fatal(bad)
	}
	got := withExample(toolset.Invalid("range.start_line", 500, "a line of the file, 1 to 56"), tool, args).Details["example"]
	want := map[string]any{"from_ref": map[string]any{"manual_id": "m", "path": "a.md"}, "to_path": "b.md", "mode": "append"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
