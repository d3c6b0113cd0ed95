package manuals

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// group is the name by which TOOLSETS switches the tools on.
const group = "manual"

// Definition returns the product's entry in a program's list.
func Definition() module.Definition {
	return module.Definition{
		Groups: []string{group}, IndexDir: indexDir, Shared: true, Settings: Settings{}, Check: check,
		Open: open,
	}
}

// Module searches, lists and reads the manuals of a workspace. It is safe for concurrent use.
type Module struct {
	*Library
	*search.Engine
	env     *module.Env
	index   *index.Index // of files; empty with a collection
	ours    corpus.ManualSource
	indexed func() // ends the report of progress once the index is there

	collection *collection.Collection // nil if the manuals are files
}

// open opens the manuals of a workspace. For a collection it checks whether it is reachable.
func open(ctx context.Context, env *module.Env) (module.Module, error) {
	w := env.Workspace
	settings := workspace.Of[Settings](w)
	traces := env.Store("traces", w.TraceMaxKeep, w.TraceTTL())
	m := &Module{env: env, ours: source(w)}
	opts := index.Options{Dir: indexDir(w), Source: m.ours, Manuals: w.Manuals, Aside: w.Aside, Logger: env.Logger,
		Live: env.Live}
	opts.Progress, m.indexed = env.Progress("indexing")
	var err error
	if m.index, err = index.Open(opts); err != nil {
		return nil, err
	}
	if w.Documents != nil {
		w.Documents.Converted = m.index.Changed
	}
	options := search.Options{
		View: m.View, Strategies: env.Strategies, Traces: traces, StoreFirst: env.Shared, Recorder: env.Recorder,
		Settings: env.Settings, DefaultManual: settings.DefaultID, Logger: env.Logger,
	}
	if env.Live && !w.ReadOnly {
		options.Cache = settings.cache()
		if env.Fleet {
			options.Answers = env.Store("answers-"+env.Version, options.Cache.Keep, options.Cache.TTL)
		}
	}
	files := Options{Snapshot: m.index.Peek, Files: m.index.Files}
	if env.Gatherer != "" {
		if m.collection, err = openCollection(ctx, env); err != nil {
			return nil, errors.Join(err, m.index.Close())
		}
		options.Collection, files = m.collection, Options{Collection: m.collection}
	}
	m.Engine = search.New(options)
	env.Used, env.FileScope = m.Used, settings.AllowFileScope
	files.Manuals, files.AllowFileScope, files.Used = m.manuals, settings.AllowFileScope, m.Used
	files.Exceptions = sync.OnceValue(func() dict.Vocabulary {
		return append(dict.Exceptions(), env.Dictionary.Exceptions...)
	})
	m.Library = New(files)
	return m, nil
}

// source returns the source for the manuals of a workspace.
func source(w *workspace.Workspace) corpus.ManualSource {
	if w.Documents == nil {
		return corpus.ManualSource{}
	}
	return corpus.ManualSource{Documents: w.Documents}
}

// indexDir returns the directory of the index of a workspace's manuals, or of the snapshots gathered from their
// collection.
func indexDir(w *workspace.Workspace) string {
	if url := workspace.Of[Settings](w).Collection; url != "" {
		return index.Dir(w.CacheHome, snapshot.KindManual, "collection", url)
	}
	names := w.Sources()
	if w.Documents != nil {
		names = append(names, w.Documents.Version())
	}
	return index.Dir(w.CacheHome, snapshot.KindManual, names...)
}

// firstIndexTime is how long a call to a server waits for the first part of an index, in addition
// to the call's own wait.
const firstIndexTime = 30 * time.Second

// View returns the newest snapshot, see [index.Index.View]. It fails with not_available if there is
// nothing to search, and the error says how to add manuals to the workspace.
func (m *Module) View(ctx context.Context, maxWait time.Duration) (index.View, error) {
	if m.collection != nil {
		return index.View{}, errNeedsFiles()
	}
	m.env.Strategies.Warm() // the strategies start while the index is opened and the files are looked at
	caller := ctx
	if m.env.Live {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, firstIndexTime+maxWait)
		defer cancel()
	}
	v, err := m.index.View(ctx, maxWait)
	m.indexed()
	if err != nil && ctx.Err() != nil && caller.Err() == nil {
		return index.View{}, toolset.Errorf(toolset.NotAvailable,
			"the index is still being built; ask again later, and run sagasu doctor if this goes on")
	}
	if err != nil || v.Snapshot.Bound() > 0 || len(v.Lacking) > 0 {
		return v, err
	}
	v.Release()
	return index.View{}, m.nothing(caller)
}

// manuals lists the manuals of the workspace. It fails like [Module.View] if there are none.
func (m *Module) manuals(ctx context.Context) ([]corpus.Manual, error) {
	if m.collection != nil {
		return nil, errNeedsFiles()
	}
	found, err := m.env.Workspace.Manuals(ctx)
	if err == nil && len(found) == 0 {
		err = m.nothing(ctx)
	}
	return found, err
}

// nothing returns the error for a workspace that has nothing to search.
func (m *Module) nothing(ctx context.Context) error {
	return toolset.Errorf(toolset.NotAvailable, "%s", m.env.Workspace.Hint(ctx, m.env.Live))
}

// Strategies returns the state of the strategies that searches call.
func (m *Module) Strategies() []host.Status {
	converts := func(s host.Status) bool { return s.Stage == host.StageConvert }
	return slices.DeleteFunc(m.env.Strategies.Status(), converts)
}

// Index returns the index of the manuals.
func (m *Module) Index() *index.Index { return m.index }

// Collection returns the collection that is searched instead of files, or nil if the manuals are files.
func (m *Module) Collection() *collection.Collection { return m.collection }

// Build rebuilds the index regardless of its state.
func (m *Module) Build(ctx context.Context) (*index.Report, error) {
	report, err := m.index.Build(ctx)
	m.indexed()
	if err != nil {
		return nil, err
	}
	return &report, nil
}

// Close waits until the traces are stored and closes the index. The strategies, which read the index, must be closed
// before.
func (m *Module) Close() error {
	m.Engine.Close()
	if m.collection != nil {
		return errors.Join(m.collection.Close(), m.index.Close())
	}
	return m.index.Close()
}
