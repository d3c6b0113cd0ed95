package vault_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// A workspace in which there can be no vault has no module, and one whose vault does not exist
// yet has one that indexes nothing.
func TestModulesOpen(t *testing.T) {
	for _, vaults := range []string{"a file", "a link to nothing", "nothing"} {
		dir, off := t.TempDir(), vaults != "nothing"
		switch vaults {
		case "a file":
			must(t, os.WriteFile(filepath.Join(dir, "vault"), nil, 0o644))
		case "a link to nothing":
			link(t, filepath.Join(dir, "none"), filepath.Join(dir, "vault"))
		}
		given := map[string]string{"HOME": dir, "WORKSPACE_ROOT": dir}
		w, err := workspace.Load(workspace.LoadOptions{Schema: workspace.Schema{vault.Settings{}}, Dir: dir, Temp: dir, Getenv: func(name string) string { return given[name] }})
		must(t, err)
		m, err := vault.Definition().Open(t.Context(), &module.Env{Workspace: w, Store: store.In(dir), Logger: hclog.NewNullLogger()})
		must(t, err)
		if (m == nil) != off {
			t.Fatalf("%s: module %v", vaults, m)
		}
		if off {
			continue
		}
		if report, err := m.Build(t.Context()); report != nil || err != nil {
			t.Errorf("built %v, %v", report, err)
		}
		must(t, m.Close())
	}
}
