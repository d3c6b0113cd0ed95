package rootfs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// TestDeepFolders reads a chain of folders from top to bottom and back up: twice the levels may take only about twice
// the steps. Each opened folder allocates.
func TestDeepFolders(t *testing.T) {
	steps := func(levels int) float64 {
		dir := t.TempDir()
		deep := filepath.Join(dir, strings.Repeat("d/", levels))
		must(t, os.MkdirAll(deep, 0o755))
		for at := deep; at != dir; at = filepath.Dir(at) {
			must(t, os.WriteFile(filepath.Join(at, "a.md"), []byte("text"), 0o644))
		}
		return testing.AllocsPerRun(1, func() {
			root, err := rootfs.Open(dir)
			must(t, err)
			defer root.Close()
			for i := 1; i < 2*levels; i++ {
				folder := strings.Repeat("d/", min(i, 2*levels-i))
				if _, err := root.ReadDir(strings.TrimSuffix(folder, "/")); err != nil {
					t.Fatal(err)
				}
				if text, err := root.ReadFile(folder + "a.md"); err != nil || string(text) != "text" {
					t.Fatalf("%q, %v", text, err)
				}
			}
		})
	}
	few, many := steps(100), steps(200)
	if many > 2.5*few {
		t.Errorf("100 levels take %v allocations, 200 take %v", few, many)
	}
	t.Log(few, many)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
