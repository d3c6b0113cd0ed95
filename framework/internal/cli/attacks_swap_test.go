package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// TestAttacksBySwapping calls every tool that takes a path while the folder that it
// names is swapped with a link out of the vault, and back.
func TestAttacksBySwapping(t *testing.T) {
	dir := withVault(t)
	room, away := filepath.Join(dir, "vault"), filepath.Join(dir, "away")
	besieged(t, dir, room)
	for name, text := range map[string]string{"own.md": "# TOP-SECRET\n\nTOP-SECRET secret\n", "spec.json": `{"s": "TOP-SECRET"}`} {
		if err := os.MkdirAll(away, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(away, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := outside(t, dir, room)
	c := connect(t, environment(t), "--workspace", dir, "--allow-file-scope")
	swaps := swapping(t, filepath.Join(room, "notes"), filepath.Join(dir, "manuals", "swapped"), away)
	codes := map[string]int{}
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		for _, path := range []string{"notes/own.md", "notes/own.md/../own.md", "notes/new.md", "notes"} {
			for _, call := range attackCalls(path) {
				codes[swapped(t, c, call)]++
			}
		}
		found := must[vault.FindResult](c, "vault_find", map[string]any{"query": "TOP-SECRET"})
		codes[swapped(t, c, map[string]any{"tool": "vault_hits", "arguments": map[string]any{"trace_id": found.TraceID}})]++
		for _, tool := range []string{"manual_read", "manual_scan", "bridge_copy_section"} {
			ref := map[string]any{"manual_id": "swapped", "path": "own.md"}
			arguments := map[string]any{"ref": ref}
			switch tool {
			case "manual_scan":
				arguments = ref
			case "bridge_copy_section":
				arguments = map[string]any{"from_ref": ref, "to_path": "drafts/copy.md", "mode": "append"}
			}
			codes[swapped(t, c, map[string]any{"tool": tool, "arguments": arguments})]++
		}
	}
	t.Logf("%d swaps, replies by code %v", swaps(), codes)
	if diff := cmp.Diff(before, outside(t, dir, room)); diff != "" {
		t.Errorf("outside the vault:\n%s", diff)
	}
	if copied, err := os.ReadFile(filepath.Join(room, "drafts", "copy.md")); err == nil && strings.Contains(string(copied), "TOP-SECRET") {
		t.Error("what is outside was copied in")
	}
}

// swapped makes one call and gives the code of its answer.
func swapped(t *testing.T, c *client, call map[string]any) string {
	t.Helper()
	var reply json.RawMessage
	c.call(call["tool"].(string), call["arguments"].(map[string]any), &reply)
	var bad struct{ Error struct{ Code string } }
	if err := json.Unmarshal(reply, &bad); err != nil || bad.Error.Code == "internal" || strings.Contains(string(reply), "TOP-SECRET") {
		t.Errorf("%v: %s", call, reply)
	}
	return bad.Error.Code
}

// swapping swaps a folder of the vault, and one of the manuals, with links to a folder
// away until the returned function is called, which puts them back.
func swapping(t *testing.T, folder, manual, away string) (stop func() int) {
	t.Helper()
	if err := os.MkdirAll(manual, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(manual, "own.md"), []byte("# own\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	over, times := make(chan struct{}), 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for ; ; times++ {
			select {
			case <-over:
				return
			default:
			}
			for _, name := range []string{folder, manual} {
				os.Rename(name, name+"-aside")
				os.Symlink(away, name)
				os.RemoveAll(name) // the link, or a folder that a tool has made meanwhile
				os.Rename(name+"-aside", name)
			}
		}
	})
	return func() int {
		close(over)
		wg.Wait()
		if err := os.RemoveAll(manual); err != nil {
			t.Error(err)
		}
		return times
	}
}
