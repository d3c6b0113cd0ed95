package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockFile  = "builder.lock" // held by the one process that publishes or retires
	mergeLock = "merge.lock"   // held by the one process that merges
	useFile   = "use.lock"     // shared by all that have the index open
	// lockRetry is how often a held lock is tried again.
	lockRetry = 10 * time.Millisecond
)

// lockBuilder waits until this process alone may publish in the directory, and
// tells whether it had to wait. While another builds, what it publishes is
// followed. The caller holds the turn.
func (x *Index) lockBuilder(ctx context.Context) (unlock func(), waited bool, err error) {
	if err := os.MkdirAll(x.opts.Dir, 0o700); err != nil {
		return nil, false, fmt.Errorf("lock index: %w", err)
	}
	lock := flock.New(filepath.Join(x.opts.Dir, lockFile))
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for ; ctx.Err() == nil; waited = true {
		ok, err := lock.TryLock()
		if err != nil {
			return nil, waited, fmt.Errorf("lock index: %w", err)
		}
		if ok {
			return func() { x.unlock(lock) }, waited, nil
		}
		select {
		case <-retry.C:
			x.followOther()
		case <-ctx.Done():
		}
	}
	return nil, waited, ctx.Err()
}

func (x *Index) unlock(lock *flock.Flock) {
	if err := lock.Close(); err != nil {
		x.log.Warn("a lock could not be released", "error", err)
	}
}

// followOther adopts what another builder has published.
func (x *Index) followOther() {
	x.mu.Lock()
	moved := x.moved()
	x.mu.Unlock()
	if !moved {
		return
	}
	if err := x.follow(); err != nil {
		x.log.Debug("what another process publishes cannot be read yet", "error", err)
	}
}

// tryLock takes a lock of the index directory if nobody holds it.
func tryLock(dir, file string) (unlock func() error, ok bool) {
	lock := flock.New(filepath.Join(dir, file))
	if ok, err := lock.TryLock(); !ok || err != nil {
		return nil, false
	}
	return lock.Close, true
}

// use marks an index directory as in use, so that [Clean] leaves it.
type use struct{ lock *flock.Flock }

// takeUse is best effort: where locks are refused, the index works without.
func takeUse(dir string) *use {
	for range 100 {
		path := filepath.Join(dir, useFile)
		lock := flock.New(path)
		ok, err := lock.TryRLock()
		if err != nil {
			return nil
		}
		if ok && held(lock, path) {
			return &use{lock}
		}
		lock.Close()
		time.Sleep(lockRetry) // it is being cleaned
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil
		}
	}
	return nil
}

// held tells that the locked file is still the one at path.
func held(lock *flock.Flock, path string) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(locked, there)
}

func (u *use) end() error {
	if u == nil {
		return nil
	}
	return u.lock.Close()
}
