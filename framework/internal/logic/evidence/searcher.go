package evidence

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// patience is how long a search waits for a running build of the index.
const patience = 30 * time.Second

// Options specify which repository is searched and where its index is.
type Options struct {
	// Dir is the index directory, see [IndexDir].
	Dir string
	// Root is the folder of the repository, LOGIC_ROOT.
	Root  string
	Globs repo.Globs
	// Live is for servers, see [index.Options].
	Live bool
	// Logger may be nil.
	Logger hclog.Logger
	// Progress, if not nil, gets the progress of builds that searches start.
	Progress func(index.Progress)
}

// Searcher finds evidence in a repository. It is safe for concurrent use.
type Searcher struct {
	opts  Options
	index *index.Lazy

	mu      sync.Mutex // guards the following field
	lexicon *lexicon   // of the snapshot that was last searched
}

// IndexDir returns the index directory of a repository below base, the user's cache.
func IndexDir(base, root string, globs repo.Globs) string {
	return index.Dir(base, snapshot.KindLogic, root, fmt.Sprintf("%q", globs))
}

// New returns the searcher of a repository. It opens nothing before the first search.
func New(opts Options) *Searcher {
	return &Searcher{opts: opts, index: index.NewLazy(index.Options{
		Dir: opts.Dir, Source: unit.Source{Globs: opts.Globs}, Live: opts.Live, Logger: opts.Logger,
		Progress: opts.Progress,
		Manuals:  func(context.Context) ([]corpus.Manual, error) { return repository(opts.Root), nil },
	})}
}

// repository returns what to index: the one root, while it exists.
func repository(root string) []corpus.Manual {
	dir, err := filepath.Abs(root)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil
	}
	return []corpus.Manual{{Dir: dir}}
}

// Close ends the background work.
func (s *Searcher) Close() error { return s.index.Close() }

// Build rebuilds the index.
func (s *Searcher) Build(ctx context.Context) (*index.Report, error) { return s.index.Build(ctx) }

// Find returns at most most places that may decide a question. It fails with not_available if no file is code or a
// specification.
func (s *Searcher) Find(ctx context.Context, question string, most int) (Found, error) {
	v, err := s.index.View(ctx, patience)
	if err != nil {
		return Found{}, internal(ctx, err)
	}
	defer v.Release()
	if v.Unwritten != nil { // an error, since an answer has no field for a warning
		return Found{}, v.Unwritten
	}
	if v.Snapshot.Bound() == 0 && len(v.Lacking) == 0 {
		return Found{}, s.empty(ctx)
	}
	root, err := rootfs.Open(s.opts.Root)
	if err != nil {
		return Found{}, s.empty(ctx)
	}
	defer root.Close()
	f := &finding{opts: s.opts, files: root}
	err = v.Snapshot.Guard(func() error {
		f.ranking = rank(ctx, v.Snapshot, s.lexiconOf(v.Snapshot), question)
		return f.find(ctx, most, len(v.Lacking) > 0)
	})
	return f.found, internal(ctx, err)
}

// internal turns an unexpected failure into an internal error, unless ctx has ended.
func internal(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	if _, ok := errors.AsType[*toolset.Error](err); ok {
		return err
	}
	return toolset.Errorf(toolset.Internal, "the search for evidence failed: %w", err)
}

// lexiconOf returns the lexicon of a snapshot and keeps it until another snapshot is searched.
func (s *Searcher) lexiconOf(snap *snapshot.Snapshot) *lexicon {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lexicon == nil || s.lexicon.name != snap.Name() {
		s.lexicon = newLexicon(snap, s.opts.Globs)
	}
	return s.lexicon
}

// empty reports which files were expected and what exists instead.
func (s *Searcher) empty(ctx context.Context) *toolset.Error {
	g := s.opts.Globs
	why := g.Lacking(ctx, s.opts.Root, repo.Code, repo.ChangeSpec, repo.MainSpec)
	return toolset.Errorf(toolset.NotAvailable, "%s", why).With("parameter", "LOGIC_CODE_GLOBS").
		With("got", g.All()).With("expected", "patterns that name files below LOGIC_ROOT")
}
