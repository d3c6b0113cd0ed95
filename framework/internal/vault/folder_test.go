package vault_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func TestAVaultThatDisappearsIsNotMadeAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	must(t, os.Mkdir(dir, 0o755))
	v := vault.New(options(dir))
	must(t, os.Remove(dir))
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: "notes/a.md", Content: "one\n"})
	if _, again := os.Stat(dir); again == nil || code(err) != toolset.NotAvailable {
		t.Errorf("created beside it: %v; %v", again == nil, err)
	}
	if _, err := v.Read(session(t), vault.ReadArgs{Path: "notes/a.md", Full: true}); code(err) != toolset.NotAvailable {
		t.Errorf("read: %v", err)
	}
	must(t, os.Mkdir(dir, 0o755))
	if _, err = v.Create(t.Context(), vault.CreateArgs{Path: "notes/a.md", Content: "one\n"}); err != nil {
		t.Errorf("after it came back: %v", err)
	}
}

func TestALinkedSystemFolderIsNamed(t *testing.T) {
	v, dir := newVault(t)
	must(t, os.Mkdir(dir, 0o755))
	link(t, t.TempDir(), filepath.Join(dir, ".system"))
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: "notes/a.md", Content: "one\n"})
	if code(err) != toolset.NotAvailable || strings.Contains(toolset.AsError(err).Error(), "locks") ||
		toolset.AsError(err).Details["parameter"] != "VAULT_ROOT" {
		t.Errorf("%v, want VAULT_ROOT to be at fault", err)
	}
}
