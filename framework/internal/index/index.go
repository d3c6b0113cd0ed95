package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// checkEvery is the minimum time between two walks over the files if the system does not report
// changes.
const checkEvery = time.Second

// ErrClosed is the error of calls after Close.
var ErrClosed = errors.New("the index is closed")

// Index keeps the newest snapshot of a corpus. It is safe for concurrent use.
type Index struct {
	opts   Options
	log    hclog.Logger
	pace   pace
	schema snapshot.Schema

	ctx  context.Context // of what runs in the background
	stop context.CancelFunc
	work guard.Group

	// updateLock is held by the one goroutine that scans, builds or installs. It guards the following fields.
	updateLock chan struct{}
	known      memory
	rechecked  bool            // known has more than is saved
	manuals    []corpus.Manual // as of the last look
	walked     []toolset.Skip  // what walking skipped
	logged     map[toolset.Skip]bool
	watchAgain time.Time // when watching may be tried again

	mu          sync.Mutex // guards the following fields
	inUse       *fileLock  // of the directory, nil where locks are refused
	current     *lease
	stamp       fs.FileInfo // of the file that names the current snapshot
	newestName  string      // the newest name seen
	removedName string      // the newest name seen in a directory that was removed
	pending     pendingChanges
	checked     time.Time
	watcher     *watcher // nil when changes are not reported
	noFolders   bool     // there is no folder to watch
	job         *job     // the update under way in the background
	unindexed   []snapshot.File
	listed      []corpus.Manual // as of the last look, like the following fields
	skipped     []toolset.Skip
	writeErr    *toolset.Error // why the last update could not be written
	merging     bool
	closed      bool
}

// Open returns the index in opts.Dir. It does not read it yet.
func Open(opts Options) (*Index, error) {
	if opts.Logger == nil {
		opts.Logger = hclog.NewNullLogger()
	}
	x := &Index{
		opts: opts, log: opts.Logger, pace: usualPace, schema: opts.Source.Schema(), updateLock: make(chan struct{}, 1),
		known: memory{}, logged: map[toolset.Skip]bool{}, pending: pendingChanges{all: true},
	}
	if err := os.MkdirAll(opts.Dir, 0o700); err != nil {
		return nil, x.unwritten(fmt.Errorf("open index: %w", err))
	}
	x.work.Log = x.log
	x.ctx, x.stop = context.WithCancel(context.Background())
	x.inUse = lockInUse(opts.Dir)
	return x, nil
}

// Close ends background work, releases the current snapshot and waits for a running Build; cancel
// its context to end it early. Acquired snapshots stay open until they are released.
func (x *Index) Close() error {
	x.mu.Lock()
	x.closed = true
	x.mu.Unlock()
	x.stop()
	_ = x.work.Wait() // it has logged what failed
	x.updateLock <- struct{}{}
	defer x.unlockUpdates()
	x.mu.Lock()
	l, u := x.current, x.inUse
	x.current, x.inUse = nil, nil
	x.mu.Unlock()
	if l != nil {
		l.drop()
	}
	return u.unlock()
}

// Build builds and publishes a snapshot of one segment even when nothing changed.
func (x *Index) Build(ctx context.Context) (Report, error) { return x.exclusive(ctx, true, nil) }

// exclusive brings the snapshot up to date, by force as [Index.Build] does, and returns
// when nothing is left to do. progress may be nil.
func (x *Index) exclusive(ctx context.Context, force bool, progress func(Progress)) (Report, error) {
	if err := x.lockUpdates(ctx); err != nil {
		return Report{}, err
	}
	defer x.unlockUpdates()
	return x.update(ctx, force, progress)
}

// Changed makes the next View check a file, given by its absolute path as stored, so that its
// writer need not wait for the system to report the change.
func (x *Index) Changed(name string) {
	x.addPending(pendingChanges{paths: map[string]bool{name: true}})
}

// lockUpdates waits for the update lock.
func (x *Index) lockUpdates(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case x.updateLock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		x.unlockUpdates()
		return ErrClosed
	}
	return nil
}

// unlockUpdates releases the update lock.
func (x *Index) unlockUpdates() { <-x.updateLock }
