package cli

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// smallVault returns a server with a vault of a few files.
func smallVault(t *testing.T, arguments ...string) *client {
	t.Helper()
	c := connect(t, append(environment(t), "STRATEGY_TIME_MS=60000"), append([]string{"--workspace", withVault(t)}, arguments...)...)
	for path, text := range map[string]string{
		"notes/two.md": "one\ntwo\n", "notes/[x].md": "--- alpha\n", "notes/empty.md": "", "artifacts/empty.md": "",
		"artifacts/daily/2026-01-31.md": "- 10:00\n", "notes/front.md": "---\nsource: m\n---\n# A\nalpha\n# B\nbeta\n",
	} {
		must[vault.Written](c, "vault_create", map[string]any{"path": path, "content": text})
	}
	return c
}

// The corrected call of an error, sent back as it is, works and does no harm.
func TestCorrectedCallsWork(t *testing.T) {
	c := smallVault(t)
	type object = map[string]any
	lines := func(start, end int) object { return object{"start_line": start, "end_line": end} }
	trace := must[search.Answer](c, "manual_find", object{"query": "RAID"}).TraceID
	for _, call := range []struct {
		tool      string
		arguments object
		then      string // the tool that the example is for, where it is another
	}{
		{"vault_create", object{"path": "notes/two.md", "content": "three\n"}, ""},
		{"vault_create", object{"path": "artifacts/daily/2026-01-31.md", "content": "- 11:00\n"}, "vault_write"},
		{"vault_read", object{"path": "notes/two.md"}, ""},
		{"vault_read", object{"path": "notes/two.md", "full": true, "range": lines(1, 2)}, ""},
		{"vault_read", object{"path": "notes/two.md", "range": lines(1, 9)}, ""},
		{"vault_read", object{"path": "notes/two.md", "range": lines(9, 9)}, ""},
		{"vault_read", object{"path": "notes/empty.md", "range": lines(1, 1)}, ""},
		{"vault_read", object{"path": "notes/two.md", "full": true, "limits": object{"max_chars": 99_000_000}}, ""},
		{"vault_coverage", object{"path": "notes/two.md", "cited_ranges": []any{lines(1, 9)}}, ""},
		{"vault_coverage", object{"path": "notes/empty.md", "cited_ranges": []any{lines(1, 1)}}, ""},
		{"vault_scan", object{"path": "notes/two.md", "cited_ranges": []any{lines(1, 9)}}, ""},
		{"vault_scan", object{"path": "notes/two.md", "chunk_lines": 9999}, ""},
		{"vault_replace", object{"path": "notes/two.md", "find": "---", "replace": "x"}, "vault_search"},
		{"vault_replace", object{"path": "notes/[x].md", "find": "beta", "replace": "x"}, "vault_search"},
		{"vault_find", object{"query": "alpha", "expand_scope": true}, ""},
		{"manual_find", object{"query": "RAID", "qurey": 1}, ""},
		{"manual_read", object{"manual_id": "aoba-nas", "path": "12-hosho.md"}, ""},
		{"manual_scan", object{"ref": object{"manual_id": "aoba-nas", "path": "12-hosho.md"}}, ""},
		{"bridge_copy_section", object{"from_ref": object{"manual_id": "aoba-nas", "path": "12-hosho.md"}, "range": lines(2, 9999), "to_path": "drafts/x.md", "mode": "overwrite"}, ""},
		{"bridge_copy_section", object{"from_ref": object{"manual_id": "aoba-nas", "path": "12-hosho.md"}, "range": lines(9, 7), "to_path": "drafts/x.md", "mode": "overwrite"}, ""},
		{"manual_find", object{"query": "RAID", "budget": object{"time_ms": 0}}, ""},
		{"manual_hits", object{"trace_id": trace, "kind": "gaps", "format": "lines"}, ""},
		{"artifact_audit", object{"artifact_path": "artifacts/daily/2026-01-31.md", "source_path": "manual:aoba-nas"}, ""},
	} {
		var bad struct{ Error toolset.Error }
		if !c.call(call.tool, call.arguments, &bad) {
			t.Errorf("%s(%v) is taken", call.tool, call.arguments)
			continue
		}
		then := call.then
		if then == "" {
			then = call.tool
		}
		example, _ := bad.Error.Details["example"].(object)
		var again any
		if len(example) == 0 || c.call(then, example, &again) {
			t.Errorf("%s(%v): the example %v gives %v", call.tool, call.arguments, example, again)
		}
		if q := call.arguments["query"]; q != nil && example["query"] != q {
			t.Errorf("%s: the example asks for %v instead of %v", call.tool, example["query"], q)
		}
	}
	if text := must[vault.Reading](c, "vault_read", object{"path": "notes/two.md", "full": true}).Text; text != "one\ntwo\n" {
		t.Errorf("the examples left %q", text)
	}
}

// What guards a file is not lost from a corrected call, nor does it write words of ours.
func TestCorrectedCallsHarmNothing(t *testing.T) {
	c := smallVault(t)
	for _, arguments := range []map[string]any{
		{"path": "notes/two.md", "content": "x", "mode": "overwrite", "expected_sha256": 5},
		{"path": "notes/two.md", "content": 5, "mode": "overwrite"},
	} {
		var bad struct{ Error toolset.Error }
		if !c.call("vault_write", arguments, &bad) {
			t.Fatalf("%v is taken", arguments)
		}
		var again any
		c.call("vault_write", bad.Error.Details["example"].(map[string]any), &again)
		if text := must[vault.Reading](c, "vault_read", map[string]any{"path": "notes/two.md", "full": true}).Text; text != "one\ntwo\n" {
			t.Errorf("the example of %v left %q", arguments, text)
		}
	}
}

// The corrected call of a sum that is none guards the file as it is now.
func TestACorrectedSumIsThatOfTheFile(t *testing.T) {
	c := smallVault(t)
	for tool, arguments := range map[string]map[string]any{
		"vault_write":   {"path": "notes/two.md", "content": "x", "mode": "append", "expected_sha256": "abc"},
		"vault_replace": {"path": "notes/two.md", "find": "two", "replace": "2", "expected_sha256": "the sha256 of the file"},
	} {
		before := must[vault.Reading](c, "vault_read", map[string]any{"path": "notes/two.md", "full": true}).Text
		var bad struct{ Error toolset.Error }
		if !c.call(tool, arguments, &bad) {
			t.Fatalf("%v is taken", arguments)
		}
		example := bad.Error.Details["example"].(map[string]any)
		if want := fmt.Sprintf("%x", sha256.Sum256([]byte(before))); example["expected_sha256"] != want {
			t.Errorf("%s: %v, want %s", tool, example, want)
		}
		must[any](c, tool, example)
	}
}

// Proposals for odd queries and files are valid calls, too.
func TestOddProposalsWork(t *testing.T) {
	c := smallVault(t)
	var proposed []toolset.Action
	for _, query := range []string{"？", "--", "(", "nothing of it", "alpha"} {
		for _, scope := range []any{nil, map[string]any{"relative_dir": "notes", "glob": "*.md"}} {
			proposed = append(proposed, must[vault.FindResult](c, "vault_find", map[string]any{"query": query, "scope": scope}).NextActions...)
		}
	}
	report := must[audit.Report](c, "artifact_audit", map[string]any{"artifact_path": "artifacts/empty.md", "source_path": "notes/two.md"})
	if len(report.Findings) == 0 {
		t.Error("an empty artifact has no defect")
	}
	for _, a := range append(proposed, report.NextActions...) {
		var answer any
		if a.Type != "stop" && c.call(a.Type, a.Params, &answer) {
			t.Errorf("%s(%v): %v", a.Type, a.Params, answer)
		}
	}
}

// Front matter tells of a text and is no part of it that a search could have missed.
func TestFrontMatterIsNoGap(t *testing.T) {
	c := smallVault(t)
	answer := must[vault.FindResult](c, "vault_find", map[string]any{"query": "alpha", "scope": map[string]any{"glob": "front.md"}})
	gaps := must[search.Hits](c, "vault_hits", map[string]any{"trace_id": answer.TraceID, "kind": "gaps"})
	if len(gaps.Items) != 1 || gaps.Items[0].Ref.StartLine != 6 || gaps.Items[0].Ref.EndLine != 7 {
		t.Errorf("gaps %+v, want lines 6 to 7", gaps.Items)
	}
}

// A tool that is switched off is told from one that does not exist.
func TestSwitchedOffToolsSayWhy(t *testing.T) {
	for _, off := range []struct {
		arguments   []string
		tool, cause string
	}{
		{[]string{"--workspace", withVault(t), "--read-only"}, "vault_write", "READ_ONLY"},
		{[]string{"--workspace", withVault(t), "--toolsets", "manual"}, "vault_ls", "TOOLSETS"},
		{[]string{"--workspace", emptyWorkspace(t, environment(t))}, "vault_ls", "vault"},
	} {
		c := connect(t, environment(t), off.arguments...)
		var bad struct{ Error toolset.Error }
		if !c.call(off.tool, map[string]any{}, &bad) || !strings.Contains(bad.Error.Message, off.cause) {
			t.Errorf("%s: %v, want %s to be named", off.tool, bad.Error.Message, off.cause)
		}
	}
}
