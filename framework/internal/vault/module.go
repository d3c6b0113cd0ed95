package vault

import (
	"context"
	"os"
	"slices"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// corpusID is used as the manual's id in the vault's index.
const corpusID = "vault"

// Definition returns the product as a program lists it. It opens nothing where there can be no vault.
func Definition() module.Definition {
	return module.Definition{
		Groups: []string{"vault", "bridge"}, Active: wanted, IndexDir: IndexDir, Shared: true,
		Root: rootSetting, Problem: Problem, Settings: Settings{}, Check: check, Open: open,
	}
}

// Module is the vault of a workspace: its files, their index and search, and the bridge from
// the manuals.
type Module struct {
	*Vault
	*bridge.Bridge
	*Finder

	index *index.Lazy
}

// open opens the vault of a workspace. It returns nil if the workspace cannot have a vault.
func open(_ context.Context, env *module.Env) (module.Module, error) {
	w := env.Workspace
	settings := workspace.Of[Settings](w)
	if err := Problem(w); err != nil {
		if _, missing := os.Lstat(settings.Root); missing == nil {
			env.Logger.Warn("the vault is off", "error", err)
		}
		return nil, nil
	}
	traces := env.Store("vault-traces", w.TraceMaxKeep, w.TraceTTL())
	m := &Module{}
	m.index = index.NewLazy(indexOptions(w, env.Logger, env.Live, func() string { return m.Dir() }))
	m.Vault = New(Options{
		Dir: settings.Root, HistoryBytes: int64(settings.HistoryMaxMB) << 20, MaxChars: settings.MaxChars,
		ChunkLines: settings.ChunkLines, MaxChunkLines: settings.MaxChunkLines,
		CoverageMin: settings.CoverageMin, GainMin: settings.GainMin,
		Manuals: w.Manuals, Used: env.Used, Changed: m.index.Changed,
		Overfull: func(bytes, limit int64) {
			env.Logger.Warn("the newest earlier versions in the vault's history "+
				"take more than VAULT_HISTORY_MAX_MB; they are kept",
				"bytes", bytes, "limit", limit)
		},
		Gained: env.Recorder.Gained,
	})
	m.Bridge = bridge.New(bridge.Options{
		Manuals: w.Manuals, Import: m.Vault.Import, AllowFileScope: env.FileScope, Used: env.Used,
	})
	m.Finder = &Finder{
		Engine: search.New(search.Options{
			View: m.index.View, Strategies: search.Only(env.Strategies, strategyNormalized, strategyLoose),
			Traces: traces, StoreFirst: env.Shared, Settings: env.Settings, Tool: "vault_find", Logger: env.Logger,
		}),
		Folder: m.Vault.Folder,
	}
	return m, nil
}

// Toolset implements [module.Module].
func (m *Module) Toolset() toolset.Toolset {
	return toolset.Toolset{
		Tools:        slices.Concat(m.Vault.Tools(), m.Finder.Tools(), m.Bridge.Tools()),
		Resources:    m.Vault.resources(),
		Instructions: instructions, Needs: "vault_create",
	}
}

// Build implements [module.Module].
func (m *Module) Build(ctx context.Context) (*index.Report, error) {
	if !isFolder(m.Dir()) {
		return nil, nil
	}
	return m.index.Build(ctx)
}

// Close implements [module.Module].
func (m *Module) Close() error {
	m.Engine.Close()
	return m.index.Close()
}

// IndexDir returns the directory of the index of a workspace's vault, "" where there can be no vault.
func IndexDir(w *workspace.Workspace) string {
	if Problem(w) != nil {
		return ""
	}
	return index.Dir(w.CacheHome, snapshot.KindVault, corpusID, Root(w))
}

// indexOptions are those of the index of a vault, the only manual in it once its folder exists. dir returns the folder
// with its links resolved.
func indexOptions(w *workspace.Workspace, logger hclog.Logger, live bool, dir func() string) index.Options {
	return index.Options{
		Dir: IndexDir(w), Source: corpus.VaultSource{}, Logger: logger, Live: live,
		Manuals: func(context.Context) ([]corpus.Manual, error) {
			if !isFolder(dir()) {
				return nil, nil
			}
			return []corpus.Manual{{ID: corpusID, Dir: dir()}}, nil
		},
	}
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
