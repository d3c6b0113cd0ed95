package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

const (
	// checkEvery is the least time between two walks over the files.
	checkEvery = time.Second
	// lockRetry is how often a held builder's lock is tried again.
	lockRetry = 50 * time.Millisecond
	lockFile  = "builder.lock"
)

// ErrClosed is what an Index answers after Close.
var ErrClosed = errors.New("the index is closed")

// Index keeps the newest snapshot of a corpus. It is safe for concurrent use.
type Index struct {
	opts Options
	log  hclog.Logger

	// turn is held by the one goroutine that checks, builds or adopts; it guards
	// seen.
	turn chan struct{}
	seen memory

	mu      sync.Mutex // guards what follows
	current *lease
	checked time.Time
	skipped []corpus.Skip // as of the last check
	closed  bool
}

// Open returns the index of opts.Dir. It reads nothing yet.
func Open(opts Options) (*Index, error) {
	if opts.Logger == nil {
		opts.Logger = hclog.NewNullLogger()
	}
	if err := os.MkdirAll(opts.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("open index: %w", err)
	}
	return &Index{opts: opts, log: opts.Logger, turn: make(chan struct{}, 1)}, nil
}

// Close lets go of the current snapshot and waits for a check or build under
// way; cancel its context to end it soon. Snapshots still acquired stay open
// until they are released.
func (x *Index) Close() error {
	x.turn <- struct{}{}
	defer x.release()
	x.mu.Lock()
	l := x.current
	x.current, x.closed = nil, true
	x.mu.Unlock()
	if l != nil {
		l.drop()
	}
	return nil
}

// Acquire returns the newest snapshot and what releases it. Files are checked
// for changes at most once a second; when there are any, or no usable snapshot
// exists, a new one is built first.
func (x *Index) Acquire(ctx context.Context) (*snapshot.Snapshot, func(), error) {
	if snap, release, ok := x.recent(); ok {
		return snap, release, nil
	}
	if err := x.wait(ctx); err != nil {
		return nil, nil, err
	}
	defer x.release()
	if snap, release, ok := x.recent(); ok { // checked while this one waited
		return snap, release, nil
	}
	if _, err := x.update(ctx, false, x.opts.Progress); err != nil {
		return nil, nil, err
	}
	l := x.lease()
	return l.snap, l.take(), nil
}

// Build builds and publishes a snapshot even when nothing changed. progress
// may be nil.
func (x *Index) Build(ctx context.Context, progress func(Progress)) (Report, error) {
	return x.exclusive(ctx, true, progress)
}

// Ensure builds a snapshot if files changed or no usable one exists.
func (x *Index) Ensure(ctx context.Context, progress func(Progress)) (Report, error) {
	return x.exclusive(ctx, false, progress)
}

func (x *Index) exclusive(ctx context.Context, force bool, progress func(Progress)) (Report, error) {
	if err := x.wait(ctx); err != nil {
		return Report{}, err
	}
	defer x.release()
	return x.update(ctx, force, progress)
}

// Invalidate makes the next Acquire check the files, however soon it comes.
func (x *Index) Invalidate() {
	x.mu.Lock()
	x.checked = time.Time{}
	x.mu.Unlock()
}

// recent is the current snapshot if its files were checked less than
// checkEvery ago.
func (x *Index) recent() (*snapshot.Snapshot, func(), bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.current == nil || time.Since(x.checked) >= checkEvery || x.current.snap.Err() != nil {
		return nil, nil, false
	}
	return x.current.snap, x.current.take(), true
}

// wait takes the turn.
func (x *Index) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case x.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		x.release()
		return ErrClosed
	}
	return nil
}

// release gives the turn back.
func (x *Index) release() { <-x.turn }

func (x *Index) lease() *lease {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.current
}

// adopt makes an open snapshot the current one; nil when there is none.
func (x *Index) adopt(snap *snapshot.Snapshot) {
	var next *lease
	if snap != nil {
		next = newLease(snap, x.closeSnapshot)
		x.seen = x.seen.adopt(snap)
	}
	x.mu.Lock()
	last := x.current
	x.current = next
	x.mu.Unlock()
	if last != nil {
		last.drop()
	}
}

func (x *Index) closeSnapshot(snap *snapshot.Snapshot) {
	if err := snap.Close(); err != nil {
		x.log.Warn("a snapshot could not be closed", "snapshot", snap.Name(), "error", err)
	}
}

// settle remembers that the files were checked just now.
func (x *Index) settle(walked []corpus.Skip) {
	x.setSkipped(walked)
	x.mu.Lock()
	x.checked = time.Now()
	x.mu.Unlock()
}

// lockBuilder waits until this process alone may publish in the directory.
func (x *Index) lockBuilder(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(x.opts.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("lock index: %w", err)
	}
	lock := flock.New(filepath.Join(x.opts.Dir, lockFile))
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("lock index: %w", err)
	}
	return func() {
		if err := lock.Close(); err != nil {
			x.log.Warn("the builder's lock could not be released", "error", err)
		}
	}, nil
}
