package vault_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// newVault returns an empty vault with small bounds.
func newVault(t testing.TB) (*vault.Vault, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "vault")
	return vault.New(options(dir)), dir
}

func options(dir string) vault.Options {
	return vault.Options{
		Dir: dir, HistoryBytes: 64 << 20, MaxChars: 12000, ChunkLines: 80, MaxChunkLines: 200, CoverageMin: 0.9, GainMin: 0.02,
	}
}

// session returns the context of the calls of one client.
func session(t interface{ Context() context.Context }) context.Context {
	return toolset.WithSession(t.Context(), &toolset.Session{})
}

func put(t testing.TB, dir, name, content string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	must(t, os.MkdirAll(filepath.Dir(full), 0o755))
	must(t, os.WriteFile(full, []byte(content), 0o644))
}

func get(t testing.TB, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	must(t, err)
	return string(text)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// code returns the code of a failure, "" for none.
func code(err error) toolset.Code {
	if err == nil {
		return ""
	}
	return toolset.AsError(err).Code
}

// leftovers are files that are half written, or locks beyond the fixed few.
func leftovers(t testing.TB, dir string) (temporary []string) {
	t.Helper()
	locks := 0
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if strings.Contains(path, ".sagasu-tmp-") {
			temporary = append(temporary, path)
		}
		if filepath.Base(filepath.Dir(path)) == "locks" {
			locks++
		}
		return err
	}))
	if locks > 65 {
		t.Errorf("%d lock files", locks)
	}
	return temporary
}

// link makes a symbolic link, or skips the test where there are none.
func link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}
