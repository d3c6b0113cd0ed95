package vault_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func TestWithoutPermission(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("permissions do not bind this user")
	}
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: "drafts/warm.md", Content: "x"}) // makes what is reserved
	must(t, err)
	closed := func(name string, mode os.FileMode, do func() error) {
		t.Helper()
		full := filepath.Join(dir, name)
		must(t, os.Chmod(full, mode))
		err := do()
		must(t, os.Chmod(full, 0o755))
		if code(err) != toolset.NotAvailable {
			t.Errorf("%s closed: %v", name, err)
		}
	}
	overwrite := func() error {
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: "two\n", Mode: "overwrite"})
		return err
	}
	closed("notes", 0o555, overwrite)
	closed("notes", 0, overwrite)
	closed("notes/a.md", 0, overwrite)
	closed(".system", 0o555, overwrite)
	closed("notes", 0o555, func() error {
		_, err := v.Create(t.Context(), vault.CreateArgs{Path: "notes/b.md", Content: "x"})
		return err
	})
	closed(".", 0o555, func() error {
		_, err := v.Create(t.Context(), vault.CreateArgs{Path: "new/b.md", Content: "x"})
		return err
	})
	closed("notes", 0, func() error {
		_, err := v.Read(t.Context(), vault.ReadArgs{Path: "notes/a.md", Full: true})
		return err
	})
	closed("notes", 0, func() error {
		found, err := v.Search(t.Context(), vault.SearchArgs{Query: "one", Mode: "plain", Glob: "*.txt", Limit: 9})
		must(t, err)
		if len(found.Skipped) != 1 || found.Skipped[0].Path != "notes" || len(found.Warnings) > 0 {
			t.Errorf("a search of what cannot be read: %+v", found)
		}
		return toolset.Errorf(toolset.NotAvailable, "as skipped says")
	})
	if got := get(t, dir, "notes/a.md"); got != "one\n" {
		t.Errorf("%q", got)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A file that a group or all may write stays so, whatever the mask of the process.
func TestModesAreKept(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	v, dir := newVault(t)
	for _, mode := range []os.FileMode{0o600, 0o664, 0o666} {
		put(t, dir, "notes/a.md", "one\n")
		full := filepath.Join(dir, "notes/a.md")
		must(t, os.Chmod(full, mode))
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: mode.String(), Mode: "overwrite"})
		must(t, err)
		info, err := os.Stat(full)
		must(t, err)
		if info.Mode() != mode {
			t.Errorf("%v became %v", mode, info.Mode())
		}
	}
}

// A rename would replace a file that its owner has protected.
func TestWriteProtectedFileStays(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	full := filepath.Join(dir, "notes/a.md")
	must(t, os.Chmod(full, 0o444))
	t.Cleanup(func() { _ = os.Chmod(full, 0o644) }) // Windows does not remove a protected file
	for _, mode := range []string{vault.ModeOverwrite, vault.ModeAppend} {
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: "two\n", Mode: mode})
		if code(err) != toolset.NotAvailable {
			t.Errorf("%s: %v", mode, err)
		}
	}
	_, err := v.Replace(t.Context(), vault.ReplaceArgs{Path: "notes/a.md", Find: "one", Replace: "two", MaxReplacements: 1})
	if code(err) != toolset.NotAvailable {
		t.Errorf("replace: %v", err)
	}
	if got := get(t, dir, "notes/a.md"); got != "one\n" {
		t.Errorf("%q", got)
	}
}
