package patents

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

const (
	// laneTime is what a lane gets for a search, unless STRATEGY_TIME_MS says otherwise:
	// it ranks up to 100,000 publications, and a searcher waits for all of them.
	laneTime = 60 * time.Second
	// laneMemory bounds the data of a lane's process: vectors of 500,000 publications in
	// three scopes, and what their making takes.
	laneMemory = 4 << 30
	// indexPatience is how long a search waits for an index under way.
	indexPatience = 30 * time.Second
)

// Definition returns the product as a program lists it.
func Definition() module.Definition {
	return module.Definition{
		Groups: []string{group}, Extra: []string{groupHuman}, Active: exists, IndexDir: IndexDir,
		Root: rootSetting, Problem: problem, Suffices: true, Settings: Settings{}, Check: check,
		Open: func(ctx context.Context, env *module.Env) (module.Module, error) { return Open(ctx, env) },
	}
}

// Module is the collection of a workspace with its index, its lanes and its runs. The methods
// of the engine are the tools, by type. Safe for concurrent use.
type Module struct {
	*lane.Engine
	workspace *workspace.Workspace
	lanes     *host.Host // whose processes start when they are searched first
	index     *index.Lazy
	progress  func()
}

var _ module.Module = (*Module)(nil)

// Open puts the collection together. Nothing is indexed and no process started before it is
// needed.
func Open(_ context.Context, env *module.Env) (*Module, error) {
	w := env.Workspace
	m := &Module{workspace: w}
	opts := index.Options{Dir: IndexDir(w), Source: publication.Source{}, Logger: env.Logger, Live: env.Live,
		Manuals: func(ctx context.Context) ([]corpus.Manual, error) { return files(ctx, w) }}
	opts.Progress, m.progress = env.Progress("indexing publications")
	m.index = index.NewLazy(opts)
	runs := lane.OpenRuns(env.Store)
	var err error
	if m.lanes, err = openLanes(env, IndexDir(w)); err != nil {
		return nil, err
	}
	m.Engine = lane.NewEngine(runs, lane.NewCollection(m.view), m.lanes)
	return m, nil
}

// openLanes makes the host of the lanes, which no search of manuals starts.
func openLanes(env *module.Env, indexDir string) (*host.Host, error) {
	w := env.Workspace
	limit := laneTime
	if w.Origin("STRATEGY_TIME_MS") != "default" {
		limit = workspace.Of[host.Settings](w).Time()
	}
	return host.New(host.Options{
		Entries: env.Entries(snapshot.KindPublication), Bundled: env.Bundled, IndexDir: indexDir,
		StateDir: filepath.Join(w.StateDir(), "lanes"), Logger: env.Logger, CallTimeout: limit, MemoryLimit: laneMemory,
	})
}

// IndexDir returns the directory of the index of a workspace's publications.
func IndexDir(w *workspace.Workspace) string {
	return index.Dir(w.CacheHome, snapshot.KindPublication, corpusID, rootOf(w))
}

// Toolset implements [module.Module].
func (m *Module) Toolset() toolset.Toolset { return toolsetOf(m.Engine) }

// view is View for a search.
func (m *Module) view(ctx context.Context) (index.View, error) { return m.View(ctx, indexPatience) }

// View returns the newest snapshot of the collection, and waits for a complete one at most that long. Where there is
// nothing to search, the error says how to give the workspace publications.
func (m *Module) View(ctx context.Context, patience time.Duration) (index.View, error) {
	v, err := m.index.View(ctx, patience)
	m.progress()
	if err != nil || v.Snapshot.Bound() > 0 || len(v.Lacking) > 0 {
		return v, err
	}
	v.Release()
	return index.View{}, toolset.Errorf(toolset.BackendError, "%s", hint(m.workspace)).
		With("backend", "collection").With("got", rootOf(m.workspace)).
		With("expected", "JSON Lines files of publications")
}

// Build implements [module.Module].
func (m *Module) Build(ctx context.Context) (*index.Report, error) {
	if !exists(m.workspace) {
		return nil, nil
	}
	report, err := m.index.Build(ctx)
	m.progress()
	return report, err
}

// Close implements [module.Module]. It ends the lanes before their index.
func (m *Module) Close() error {
	err := m.lanes.Close()
	return errors.Join(err, m.index.Close())
}
