package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// oneManual returns a workspace of one file, its manual named m.
func oneManual(t *testing.T, text string) (workspace, file string) {
	t.Helper()
	workspace = t.TempDir()
	file = filepath.Join(workspace, "manuals", "m", "a.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return workspace, file
}

// Errors of a server name settings, not the folders of its host.
func TestVanishedManualsTellNoFolders(t *testing.T) {
	workspace, file := oneManual(t, "# Alpha\nalpha\n")
	c := connect(t, append(environment(t), "STRATEGY_TIME_MS=60000"), "--workspace", workspace)
	must[any](c, "manual_find", map[string]any{"query": "alpha"})
	for _, gone := range []string{file, filepath.Dir(file), filepath.Join(workspace, "manuals")} {
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
		for tool, arguments := range map[string]map[string]any{
			"manual_find": {"query": "alpha", "use_cache": false},
			"manual_ls":   {"id": "m"},
			"manual_toc":  {"manual_id": "m"},
			"manual_read": {"ref": map[string]any{"manual_id": "m", "path": "a.md"}},
		} {
			var answer json.RawMessage
			c.call(tool, arguments, &answer)
			if strings.Contains(string(answer), workspace) {
				t.Errorf("without %s, %s: %s", gone, tool, answer)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(workspace, "manuals"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var answer json.RawMessage
	if failed := c.call("manual_list", map[string]any{}, &answer); !failed || strings.Contains(string(answer), workspace) {
		t.Errorf("with a file in their place: %s", answer)
	}
}

// A proposal to read leads to the text that it is about, also where that was read before.
func TestProposalsLeadToWhatWasRead(t *testing.T) {
	workspace, _ := oneManual(t, "# Shop\n\n## Returns\n\nReturns are accepted within 14 days of delivery.\n\n## Hours\n\nThe shop opens at nine.\n")
	c := connect(t, append(environment(t), "STRATEGY_TIME_MS=60000"), "--workspace", workspace)
	for round := range 3 {
		answer := must[search.Answer](c, "manual_find", map[string]any{"query": "returns accepted within days", "passages": 0, "use_cache": round == 2})
		i := slices.IndexFunc(answer.NextActions, func(a toolset.Action) bool { return a.Type == "manual_read" })
		if i < 0 {
			t.Fatalf("no proposal to read: %+v", answer.NextActions)
		}
		r := must[manuals.Reading](c, "manual_read", answer.NextActions[i].Params)
		if !strings.HasPrefix(r.Text, "## Returns\n\nReturns are accepted within 14 days") {
			t.Errorf("round %d: %v gives %+v", round, answer.NextActions[i].Params, r)
		}
	}
}

// A ref from before an edit leads to its section, and copies no other one.
func TestRefsOutliveEdits(t *testing.T) {
	workspace, file := oneManual(t, "# S\n\n## アルファ条件\nアルファは10日。\n\n## ベータ条件\nベータは20日。\n")
	c := connect(t, append(environment(t), "STRATEGY_TIME_MS=60000"), "--workspace", workspace, "--toolsets", "manual,bridge,vault")
	answer := must[search.Answer](c, "manual_find", map[string]any{"query": "ベータ条件"})
	hits := must[search.Hits](c, "manual_hits", map[string]any{"trace_id": answer.TraceID})
	ref := hits.Items[0].Ref
	if ref.Title != "ベータ条件" || ref.StartLine != 6 {
		t.Fatalf("found %+v", ref)
	}
	from := map[string]any{"manual_id": "m", "path": ref.Path, "start_line": ref.StartLine, "title": ref.Title}
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, append([]byte("まえがき\n\n追記\n"), text...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r := must[manuals.Reading](c, "manual_read", map[string]any{"ref": from}); !strings.HasPrefix(r.Text, "## ベータ条件\n") || r.AppliedRange.StartLine != 9 {
		t.Errorf("read %+v", r)
	}
	copied := must[bridge.Copied](c, "bridge_copy_section", map[string]any{"from_ref": from, "to_path": "notes/b.md", "mode": "overwrite"})
	if got := must[vault.Reading](c, "vault_read", map[string]any{"path": "notes/b.md", "full": true}); !strings.HasSuffix(got.Text, "---\n## ベータ条件\nベータは20日。\n") || copied.Source.Lines != "9-10" {
		t.Errorf("copied %+v: %s", copied, got.Text)
	}
	from["title"] = "ガンマ条件"
	var bad struct{ Error toolset.Error }
	if !c.call("bridge_copy_section", map[string]any{"from_ref": from, "to_path": "notes/c.md", "mode": "overwrite"}, &bad) || bad.Error.Code != toolset.Conflict {
		t.Errorf("a section that is not there: %+v", bad)
	}
	must[manuals.Toc](c, "manual_toc", bad.Error.Details["example"].(map[string]any))
}
