package manuals

import (
	"os"
	"path/filepath"
	"testing"
)

// WriteFiles puts files, by path, into a temporary folder that it returns.
func WriteFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Skip("the system has no such names: ", err)
		}
	}
	return dir
}
