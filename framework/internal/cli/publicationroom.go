package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

const (
	// laneTime is what a lane gets for a search, unless STRATEGY_TIME_MS says otherwise:
	// it ranks up to 100,000 publications, and a searcher waits for all of them.
	laneTime = 60 * time.Second
	// publicationPatience is how long a search waits for an index under way.
	publicationPatience = 30 * time.Second
)

// publicationRoom is the collection of a run with its index, its lanes and its runs.
type publicationRoom struct {
	workspace *workspace.Workspace
	dir       string // of the index
	engine    *lane.Engine
	lanes     *host.Host // whose processes start when they are searched first
	progress  func()

	open   func() (*index.Index, error) // once, when the collection is searched first
	opened atomic.Pointer[index.Index]  // by open
}

// openPublications puts the collection together. Nothing is indexed and no process started
// before it is needed.
func (a *app) openPublications(logger hclog.Logger, watch io.Writer) error {
	w := a.workspace
	room := &publicationRoom{workspace: w, dir: publicationIndexDir(w), progress: func() {}}
	opts := index.Options{
		Dir: room.dir, Source: publication.Source{}, Manuals: w.Publications, Logger: logger, Live: a.serving,
	}
	if watch != nil {
		opts.Progress, room.progress = indexProgress(watch)
	} else {
		opts.Progress = func(p index.Progress) { a.tools.Announce(p.Done, p.Total, "indexing publications: "+string(p.Phase)) }
	}
	room.open = sync.OnceValues(func() (*index.Index, error) {
		x, err := index.Open(opts)
		room.opened.Store(x)
		return x, err
	})
	var err error
	if room.lanes, err = a.openLanes(logger, room.dir); err != nil {
		return err
	}
	a.publications = room
	runs, err := lane.OpenRuns(filepath.Join(w.StateDir(), "rrf"))
	if err != nil {
		return err
	}
	room.engine = lane.NewEngine(runs, lane.NewCollection(room.view), room.lanes)
	return nil
}

// publicationIndexDir is where the index of the workspace's publications lives.
func publicationIndexDir(w *workspace.Workspace) string {
	return index.Dir(w.CacheHome, publication.Source{}, "publications", w.PublicationsRoot)
}

// openLanes makes the host of the lanes, which no search of manuals starts.
func (a *app) openLanes(logger hclog.Logger, dir string) (*host.Host, error) {
	w := a.workspace
	limit := laneTime
	if w.Origin("STRATEGY_TIME_MS") != "default" {
		limit = w.StrategyTime()
	}
	return host.New(host.Options{
		Entries: a.lanes, Bundled: serveBundled, IndexDir: dir, StateDir: filepath.Join(w.StateDir(), "lanes"),
		Logger: logger, CallTimeout: limit, MemoryLimit: laneMemory,
	})
}

// laneMemory bounds the data of a lane's process: vectors of 500,000 publications in
// three scopes, and what their making takes.
const laneMemory = 4 << 30

// serveBundled are the arguments that make this binary serve a bundled strategy.
func serveBundled(name string) []string { return []string{"plugin", "serve", name} }

// view gives the newest snapshot of the collection; where there is nothing to search, the
// error says how to give the workspace publications.
func (r *publicationRoom) view(ctx context.Context) (index.View, error) {
	x, err := r.open()
	if err != nil {
		return index.View{}, err
	}
	v, err := x.View(ctx, publicationPatience)
	r.progress()
	if err != nil || v.Snapshot.Bound() > 0 || len(v.Lacking) > 0 {
		return v, err
	}
	v.Release()
	return index.View{}, toolset.Errorf(toolset.BackendError, "%s", r.workspace.PublicationsHint()).
		With("backend", "collection").With("got", r.workspace.PublicationsRoot).With("expected", "JSON Lines files of publications")
}

// build indexes the collection anew; nil where there is none.
func (r *publicationRoom) build(ctx context.Context) (*index.Report, error) {
	if !r.workspace.HasPublications() {
		return nil, nil
	}
	x, err := r.open()
	if err != nil {
		return nil, err
	}
	report, err := x.Build(ctx, nil)
	r.progress()
	return &report, err
}

func (r *publicationRoom) close() error {
	if r == nil {
		return nil
	}
	var errs []error
	if r.lanes != nil {
		errs = append(errs, r.lanes.Close())
	}
	if x := r.opened.Load(); x != nil {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}
