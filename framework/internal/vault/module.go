package vault

import (
	"context"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
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

	index *lazyIndex
}

// open opens the vault of a workspace. It returns nil if the workspace cannot have a vault.
func open(_ context.Context, env *module.Env) (module.Module, error) {
	w := env.Workspace
	settings := workspace.Of[Settings](w)
	if err := Problem(w); err != nil {
		if _, missing := os.Stat(settings.Root); missing == nil {
			env.Logger.Warn("the vault is off", "error", err)
		}
		return nil, nil
	}
	traces := env.Store("vault-traces", w.TraceMaxKeep, w.TraceTTL())
	x := newLazyIndex(w, env.Logger, env.Live)
	m := &Module{index: x}
	m.Vault = New(Options{
		Dir: settings.Root, HistoryBytes: int64(settings.HistoryMaxMB) << 20, MaxChars: settings.MaxChars,
		ChunkLines: settings.ChunkLines, MaxChunkLines: settings.MaxChunkLines,
		CoverageMin: settings.CoverageMin, GainMin: settings.GainMin,
		Manuals: w.Manuals, Used: env.Used, Changed: x.changed,
		Overfull: func(bytes, limit int64) {
			env.Logger.Warn("the newest earlier versions in the vault's history "+
				"take more than VAULT_HISTORY_MAX_MB; they are kept",
				"bytes", bytes, "limit", limit)
		},
		Gained: env.Recorder.Gained,
	})
	x.dir = m.Dir
	m.Bridge = bridge.New(bridge.Options{
		Manuals: w.Manuals, Vault: m.Vault, AllowFileScope: env.FileScope, Used: env.Used,
	})
	m.Finder = &Finder{
		Engine: search.New(search.Options{
			View: x.view, Strategies: search.Only(env.Strategies, strategyNormalized, strategyLoose),
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
	if !m.index.exists() {
		return nil, nil
	}
	x, err := m.index.open()
	if err != nil {
		return nil, err
	}
	report, err := x.Build(ctx)
	return &report, err
}

// Close implements [module.Module].
func (m *Module) Close() error {
	m.Engine.Close()
	return m.index.close()
}

// IndexDir returns the directory of the index of a workspace's vault, "" where there can be no vault.
func IndexDir(w *workspace.Workspace) string {
	if Problem(w) != nil {
		return ""
	}
	return index.Dir(w.CacheHome, corpus.VaultSource{}, corpusID, Root(w))
}

// lazyIndex is the index of a vault, opened when it is needed first.
type lazyIndex struct {
	dir    func() string                // of the vault, with its links resolved
	open   func() (*index.Index, error) // once
	opened atomic.Pointer[index.Index]
}

func newLazyIndex(w *workspace.Workspace, logger hclog.Logger, live bool) *lazyIndex {
	l := &lazyIndex{}
	l.open = sync.OnceValues(func() (*index.Index, error) {
		x, err := index.Open(index.Options{
			Dir: IndexDir(w), Source: corpus.VaultSource{}, Manuals: l.corpus, Logger: logger, Live: live,
		})
		l.opened.Store(x)
		return x, err
	})
	return l
}

// changed updates the index with a file that was written. An index that is opened later looks at
// all files.
func (l *lazyIndex) changed(name string) {
	if x := l.opened.Load(); x != nil {
		x.Changed(name)
	}
}

// view returns the newest snapshot of the vault.
func (l *lazyIndex) view(ctx context.Context, patience time.Duration) (index.View, error) {
	x, err := l.open()
	if err != nil {
		return index.View{}, err
	}
	return x.View(ctx, patience)
}

func (l *lazyIndex) exists() bool {
	info, err := os.Stat(l.dir())
	return err == nil && info.IsDir()
}

// corpus returns the vault as the only manual to index, once it exists.
func (l *lazyIndex) corpus(context.Context) ([]corpus.Manual, error) {
	if !l.exists() {
		return nil, nil
	}
	return []corpus.Manual{{ID: corpusID, Dir: l.dir()}}, nil
}

func (l *lazyIndex) close() error {
	if x := l.opened.Load(); x != nil {
		return x.Close()
	}
	return nil
}
