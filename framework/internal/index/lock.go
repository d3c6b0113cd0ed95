package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockFile  = "builder.lock" // held by the process that publishes or retires
	mergeLock = "merge.lock"   // held by the process that merges
	useFile   = "use.lock"     // shared by all that have the index open
	// lockRetry is the interval between attempts to take a held lock.
	lockRetry = 10 * time.Millisecond
)

// fileLock is a lock that this process holds in an index directory.
type fileLock struct {
	lock *flock.Flock
	path string
	file fs.FileInfo // the locked file
}

// tryFileLock takes a lock, shared or exclusive. It returns nil if another process holds a
// conflicting lock.
func tryFileLock(dir, file string, shared bool) (*fileLock, error) {
	path := filepath.Join(dir, file)
	lock := flock.New(path)
	try := lock.TryLock
	if shared {
		try = lock.TryRLock
	}
	if ok, err := try(); !ok || err != nil {
		return nil, err
	}
	info, err := lock.Stat()
	l := &fileLock{lock, path, info}
	if err != nil || !l.valid() { // it was removed before it was locked
		return nil, errors.Join(err, l.unlock())
	}
	return l, nil
}

// valid reports whether the locked file is still the one at its path: the lock of a removed file
// excludes no process. While the file is open, no other file can be mistaken for it. If locks are
// refused, nil counts as valid.
func (l *fileLock) valid() bool {
	if l == nil {
		return true
	}
	there, err := os.Stat(l.path)
	return err == nil && os.SameFile(l.file, there)
}

func (l *fileLock) unlock() error {
	if l == nil {
		return nil
	}
	return l.lock.Close()
}

// tryLock takes a lock of the index directory if no process holds it.
func tryLock(dir, file string) (unlock func() error, ok bool) {
	l, err := tryFileLock(dir, file, false)
	if l == nil || err != nil {
		return nil, false
	}
	return l.unlock, true
}

// lockBuilder waits until this process may publish in the directory, and reports whether it had to
// wait. While another process builds, it follows what that publishes. The caller holds the update
// lock.
func (x *Index) lockBuilder(ctx context.Context) (lock *fileLock, waited bool, err error) {
	retry := time.NewTicker(lockRetry)
	defer retry.Stop()
	for ; ctx.Err() == nil; waited = true {
		err := os.MkdirAll(x.opts.Dir, 0o700)
		if err == nil {
			lock, err = tryFileLock(x.opts.Dir, lockFile, false)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // otherwise the directory was just removed
			return nil, waited, fmt.Errorf("lock index: %w", err)
		}
		if lock != nil {
			return lock, waited, nil
		}
		select {
		case <-retry.C:
			x.followOther()
		case <-ctx.Done():
		}
	}
	return nil, waited, context.Cause(ctx)
}

func (x *Index) unlock(lock *fileLock) {
	if err := lock.unlock(); err != nil {
		x.log.Warn("a lock could not be released", "error", err)
	}
}

// followOther installs what another builder has published.
func (x *Index) followOther() {
	x.mu.Lock()
	moved := x.superseded()
	x.mu.Unlock()
	if !moved {
		return
	}
	if err := x.follow(); err != nil {
		x.log.Debug("what another process publishes cannot be read yet", "error", err)
	}
}

// lockInUse marks an index directory as in use, so that [Clean] leaves it. It is best effort: if
// locks are refused, it returns nil, and the index works without the lock.
func lockInUse(dir string) *fileLock {
	for range 100 {
		lock, err := tryFileLock(dir, useFile, true)
		if lock != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return lock
		}
		time.Sleep(lockRetry) // it is being cleaned
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil
		}
	}
	return nil
}

// recoverDir marks the index directory as in use again after it was removed or replaced. Everything
// known about the old directory is dropped. The caller holds the update lock.
func (x *Index) recoverDir() {
	x.mu.Lock()
	last := x.inUse
	x.mu.Unlock()
	if last.valid() {
		return
	}
	x.log.Warn("the index directory was removed and is made again", "dir", x.opts.Dir)
	next := lockInUse(x.opts.Dir)
	x.mu.Lock()
	x.inUse, x.removedName = next, x.newestName
	x.mu.Unlock()
	x.unlock(last)
	_ = x.install(nil, nil) // cannot fail
	x.manuals = nil         // check all of them
}
