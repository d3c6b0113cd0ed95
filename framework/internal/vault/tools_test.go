package vault_test

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// callTool calls a tool of a vault that holds nothing.
func callTool(t *testing.T, name, args string) *toolset.Error {
	t.Helper()
	o := options(filepath.Join(t.TempDir(), "vault"))
	o.MaxChars = toolset.Unbounded
	files := vault.New(o)
	m := &vault.Module{Vault: files, Bridge: bridge.New(bridge.Options{
		Import: files.Import, Manuals: func(context.Context) ([]corpus.Manual, error) { return nil, nil },
	})}
	tools := m.Toolset().Tools
	i := slices.IndexFunc(tools, func(tool toolset.Tool) bool { return tool.Name == name })
	_, _, err := tools[i].Call(t.Context(), json.RawMessage(args))
	return err
}

// refused calls a tool that must refuse its arguments, and calls it again with the corrected ones.
func refused(t *testing.T, tool, args string) *toolset.Error {
	t.Helper()
	err := callTool(t, tool, args)
	if err == nil {
		t.Fatalf("%s %s was answered", tool, args)
	}
	example, bad := json.Marshal(err.Details["example"])
	if bad != nil {
		t.Fatal(bad)
	}
	again := callTool(t, tool, string(example))
	if again != nil && (again.Code == toolset.InvalidParameter || again.Code == toolset.InvalidPath) {
		t.Errorf("%s %s: the example %s is refused: %v", tool, args, example, again)
	}
	return err
}

var (
	notText     = []string{`1`, `true`, `[]`, `{}`, `["a"]`}
	notIntegers = []string{`10.5`, `"10.5"`, `"ten"`, `""`, `"010"`, `"１０"`, `true`, `[]`, `{}`, `1e99`, `9223372036854775808`}
	notBooleans = []string{`"true"`, `1`, `0`, `""`, `[]`, `{}`}
	notObjects  = []string{`1`, `"x"`, `true`, `[]`}
	badChoices  = []string{`"nonsense"`, `""`, `1`, `true`, `[]`, `{}`}
	badPaths    = []string{
		`""`, `" "`, `"."`, `".."`, `"../a.md"`, `"a/../../b.md"`, `"..\\a.md"`, `"/etc/passwd"`, `"\\a.md"`,
		`"C:/a.md"`, `"c:a.md"`, `"C:\\a.md"`, `"a\u0000.md"`, `"a\nb.md"`,
	}
	badIDs = append([]string{`"a/b"`, `"m/.."`}, badPaths...)
)

// TestBadArguments holds the rules of the contract against the arguments of the tools of the
// vault and the bridge.
func TestBadArguments(t *testing.T) {
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
		{"vault_read", `{"path":"a.md","range":{"start_line":1,"end_line":1},%s}`, "full", "full", notBooleans, toolset.InvalidParameter},
		{"vault_read", read, "range", "range", notObjects, toolset.InvalidParameter},
		{"vault_read", `{"path":"a.md","range":{"end_line":3,%s}}`, "start_line", "range.start_line", lines, toolset.InvalidParameter},
		{"vault_read", `{"path":"a.md","range":{"start_line":3,%s}}`, "end_line", "range.end_line", lines, toolset.InvalidParameter},
		{"vault_read", `{"path":"a.md","full":true,"limits":{%s}}`, "max_chars", "limits.max_chars", append(notIntegers, `0`), toolset.InvalidParameter},
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
	for _, a := range arguments {
		for _, bad := range a.bad {
			call := strings.Replace(a.frame, "%s", `"`+a.name+`":`+bad, 1)
			err := refused(t, a.tool, call)
			if err.Code != a.code || err.Details["parameter"] != a.parameter {
				t.Errorf("%s %s: %v, details %v; want %s of %s", a.tool, call, err, err.Details, a.code, a.parameter)
			}
			if _, ok := err.Details["got"]; !ok || err.Details["expected"] == nil {
				t.Errorf("%s %s: details lack got or expected: %v", a.tool, call, err.Details)
			}
		}
	}
}

// read checks how arguments are read.
func read[A any](t *testing.T, raw string, want A) {
	t.Helper()
	args, bad := toolset.ParseArguments([]byte(raw))
	if bad != nil {
		t.Fatal(bad)
	}
	got, err := toolset.Decode[A](args)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%s: %v (-want +got):\n%s", raw, err, diff)
	}
	// What a command makes of flags is read as it is.
	if again, err := toolset.Check(got); err != nil || !cmp.Equal(got, again) {
		t.Errorf("%s: %v, checked %+v", raw, err, again)
	}
}

func TestGoodArguments(t *testing.T) {
	three, twelve := 3, 12
	read(t, `{}`, vault.LsArgs{})
	read(t, `{"relative_dir":"a\\b","include_system":true}`, vault.LsArgs{Dir: "a/b", System: true})
	read(t, `{"path":" ./a.md ","content":" x\n"}`, vault.CreateArgs{Path: "a.md", Content: " x\n"})
	read(t, `{"path":"a.md","content":"x","mode":"append"}`, vault.WriteArgs{Path: "a.md", Content: "x", Mode: "append"})
	read(t, `{"path":"a.md","find":" ","replace":"","max_replacements":"3"}`, vault.ReplaceArgs{Path: "a.md", Find: " ", MaxReplacements: 3})
	read(t, `{"path":"a.md","find":"x","replace":"y"}`, vault.ReplaceArgs{Path: "a.md", Find: "x", Replace: "y", MaxReplacements: 1})
	read(t, `{"path":"a.md","range":{"start_line":3,"end_line":12.0}}`, vault.ReadArgs{Path: "a.md", Range: &toolset.Range{StartLine: 3, EndLine: 12}})
	read(t, `{"path":"a.md","full":true,"limits":{"max_chars":12}}`, vault.ReadArgs{Path: "a.md", Full: true, Limits: vault.Limits{MaxChars: &twelve}})
	read(t, `{"path":"a.md","cursor":{"start_line":3,"char_offset":12},"cited_ranges":[]}`,
		vault.ScanArgs{Path: "a.md", Cursor: &toolset.LineCursor{StartLine: &three, CharOffset: &twelve}, Cited: []toolset.Range{}})
	read(t, `{"path":"a.md","cursor":null,"chunk_lines":3}`, vault.ScanArgs{Path: "a.md", ChunkLines: &three})
	read(t, `{"query":"q"}`, vault.SearchArgs{Query: "q", Mode: "regex", Limit: 50})
	read(t, `{"path":"a.md","cited_ranges":[{"start_line":3,"end_line":12}]}`, vault.CoverageArgs{Path: "a.md", Cited: []toolset.Range{{StartLine: 3, EndLine: 12}}})
	read(t, `{"artifact_path":"a.md","source_path":"s\\s.md"}`, vault.AuditArgs{Artifact: "a.md", Source: "s/s.md", RequireSourceLines: true})
	read(t, `{"artifact_path":"a.md","source_path":"s.md","cited_ranges":[],"require_source_lines":false}`,
		vault.AuditArgs{Artifact: "a.md", Source: "s.md", Cited: []toolset.Range{}})
	read(t, `{"from_ref":{"target":"manual","manual_id":"m","path":"a.md","start_line":3,"title":"t","signals":["x"],"json_path":null},"to_path":"b.md","mode":"append","limits":{"max_sections":3,"max_chars":12,"allow_file":true}}`,
		bridge.CopySectionArgs{
			From: bridge.Ref{Target: "manual", ManualID: "m", Path: "a.md", StartLine: &three, Title: "t", Signals: []string{"x"}},
			To:   "b.md", Mode: "append", Limits: bridge.SectionLimits{MaxSections: &three, MaxChars: &twelve, AllowFile: true},
		})
	read(t, `{"manual_id":"m","from_path":"a.json","to_path":"b.json","mode":"overwrite","limits":null}`,
		bridge.CopyFileArgs{ManualID: "m", Path: "a.json", To: "b.json", Mode: "overwrite"})
}

// What a caller has said is kept in the corrected call, at the place where it belongs, and an
// object in it has all that it needs or is left out.
func TestCorrectedCalls(t *testing.T) {
	for _, c := range []struct{ tool, args, want string }{
		{"bridge_copy_section", `{"manual_id":"nas","path":"12.md","start_line":3,"end_line":5,"to_path":"b.md","mode":"append"}`,
			`{"from_ref":{"manual_id":"nas","path":"12.md","start_line":3},"range":{"start_line":3,"end_line":5},"to_path":"b.md","mode":"append"}`},
		{"bridge_copy_section", `{"ref":{"manual_id":"nas","path":"12.md"},"to_path":"b.md","mode":"append"}`, `{"from_ref":{"manual_id":"nas","path":"12.md"},"to_path":"b.md","mode":"append"}`},
		{"vault_read", `{"path":"b.md","start_line":3,"end_line":5}`, `{"path":"b.md","range":{"start_line":3,"end_line":5}}`},
		{"vault_read", `{"path":"a.md","range":{"start":1}}`, `{"path":"a.md","range":{"start_line":1,"end_line":40}}`},
	} {
		err := refused(t, c.tool, c.args)
		got, bad := json.Marshal(err.Details["example"])
		var example, want any
		if bad != nil || json.Unmarshal(got, &example) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
			t.Fatal(bad, c.want)
		}
		if diff := cmp.Diff(want, example); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
	args, bad := toolset.ParseArguments([]byte(`{"from_ref":{"manual_id":"m","path":"a.md"},"range":{"start_line":500,"end_line":600},"to_path":"b.md","mode":"append"}`))
	if bad != nil {
		t.Fatal(bad)
	}
	outside := toolset.Invalid("range.start_line", 500, "a line of the file, 1 to 56")
	got := toolset.Corrected(outside, bridge.New(bridge.Options{}).Tools()[0], args).Details["example"]
	want := map[string]any{"from_ref": map[string]any{"manual_id": "m", "path": "a.md"}, "to_path": "b.md", "mode": "append"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A call of vault_read that says neither what to read nor all else rightly is corrected in both.
func TestCorrectedReadsAreAnswered(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", "one\ntwo\n")
	read := v.Tools()[slices.IndexFunc(v.Tools(), func(tool toolset.Tool) bool { return tool.Name == "vault_read" })]
	for _, args := range []string{
		`{"path":"a.md","full":"yes"}`, `{"path":"a.md","full":1}`, `{"path":"a.md","limits":{"max_chars":0}}`,
		`{"path":"a.md","limits":{"max_chars":"many"}}`, `{"path":"a.md","full":false,"limits":{"max_chars":0}}`,
		`{"path":"a.md","full":true,"range":{"start_line":1,"end_line":2},"limits":{"max_chars":0}}`,
		`{"path":"a.md","full":true,"limits":{"max_chars":999999}}`,
	} {
		_, _, failed := read.Call(t.Context(), json.RawMessage(args))
		if failed == nil {
			t.Fatalf("%s was answered", args)
		}
		example, err := json.Marshal(failed.Details["example"])
		must(t, err)
		if _, _, failed := read.Call(t.Context(), example); failed != nil {
			t.Errorf("%s: the example %s is refused: %v", args, example, failed)
		}
	}
}

// A folder that may be left out and is given as the root is refused with a call that leaves it out.
func TestTheRootIsLeftOut(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	for _, root := range []string{"", ".", "./", "/", `\`} {
		for name, want := range map[string]map[string]any{"vault_ls": {}, "vault_search": {"query": "one"}} {
			call := maps.Clone(want)
			call["relative_dir"] = root
			var none any
			err := ask(t, v.Tools(), name, call, &none)
			if err == nil || err.Code != toolset.InvalidPath || !strings.Contains(err.Message, "leave it out") {
				t.Fatalf("%s of %q: %v", name, root, err)
			}
			if diff := cmp.Diff(want, err.Details["example"]); diff != "" {
				t.Errorf("%s of %q: %s", name, root, diff)
			}
		}
		var none any
		if err := ask(t, v.Tools(), "vault_read", map[string]any{"path": root, "full": true}, &none); err == nil || strings.Contains(err.Message, "leave it out") {
			t.Errorf("a path that is needed, %q: %v", root, err)
		}
	}
}
