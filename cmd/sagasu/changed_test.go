package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oneManual is a workspace of one file, its manual named m.
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
