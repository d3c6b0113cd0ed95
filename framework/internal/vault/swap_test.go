package vault_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// A folder is swapped with a link while tools work in it: to a folder outside,
// whose files are neither read nor written, and to the daily folder, whose files
// only grow.
func TestSwappedFolders(t *testing.T) {
	for name, target := range map[string]string{"outside": "../outside", "inside": "artifacts/daily"} {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t)
			victim := filepath.Join(dir, filepath.FromSlash(target))
			put(t, dir, "notes/2026-01-31.md", "mine\n")
			put(t, victim, "2026-01-31.md", "secret\n")
			link(t, target, filepath.Join(dir, "probe"))
			stop := swap(filepath.Join(dir, "notes"), target, 400)
			tries := 0
			for tries = 0; ; tries++ {
				checkSwapped(t, v, tries)
				if stop(false) {
					break
				}
			}
			stop(true)
			if got := get(t, victim, "2026-01-31.md"); got != "secret\n" {
				t.Errorf("the other file is %.60q", got)
			}
			entries, err := os.ReadDir(victim)
			must(t, err)
			if len(entries) != 1 {
				t.Errorf("there are files beside it: %v", entries)
			}
			t.Logf("%d rounds", tries)
		})
	}
}

// swap swaps a folder with a link and back, some times. The returned function
// tells whether it is done, or waits for it.
func swap(folder, target string, times int) func(wait bool) bool {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(done)
		for range times {
			os.Rename(folder, folder+"-away")
			os.Symlink(target, folder)
			os.Remove(folder)
			os.Rename(folder+"-away", folder)
		}
	})
	return func(wait bool) bool {
		if wait {
			wg.Wait()
		}
		select {
		case <-done:
			return true
		default:
			return false
		}
	}
}

func checkSwapped(t *testing.T, v *vault.Vault, n int) {
	t.Helper()
	const path = "notes/2026-01-31.md"
	var err error
	text := ""
	switch n % 6 {
	case 0:
		_, err = v.Write(t.Context(), vault.WriteArgs{Path: path, Content: "overwritten\n", Mode: "overwrite"})
	case 1:
		_, err = v.Replace(t.Context(), vault.ReplaceArgs{Path: path, Find: "e", Replace: "E", MaxReplacements: 1})
	case 2:
		_, err = v.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(path), Content: "created\n"})
	case 3:
		_, err = v.Write(t.Context(), vault.WriteArgs{Path: path, Content: "appended\n", Mode: "append"})
	case 4:
		var r *vault.Reading
		if r, err = v.Read(t.Context(), vault.ReadArgs{Path: path, Full: true}); err == nil {
			text = r.Text
		}
	case 5:
		var r *vault.SearchResult
		if r, err = v.Search(t.Context(), vault.SearchArgs{Query: "s", Mode: "plain", Dir: "notes", Limit: 9}); err == nil && len(r.Results) > 0 {
			text = r.Results[0].Snippet
		}
	}
	if strings.Contains(text, "secret") {
		t.Fatalf("read %q through a link", text)
	}
	if err != nil && code(err) == toolset.Internal {
		t.Errorf("a race is internal: %v", err)
	}
}
