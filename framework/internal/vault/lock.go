package vault

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const (
	locksDir = systemDir + "/locks"
	// stripes is the number of locks that the files of a vault share, which limits the number
	// of lock files.
	stripes     = 64
	historyLock = "history"

	firstRetry = time.Millisecond
	lastRetry  = 16 * time.Millisecond
	// lockTimeout is how long a call waits for other writers.
	lockTimeout = 30 * time.Second
)

// lockFile waits until this call alone may write the file with a key.
func lockFile(ctx context.Context, vault *os.Root, key string) (unlock func(), err error) {
	h := fnv.New32a()
	h.Write([]byte(key))
	return lock(ctx, vault, fmt.Sprintf("%02d", h.Sum32()%stripes))
}

// lock takes one of the vault's locks. The system releases it when the process ends.
func lock(ctx context.Context, vault *os.Root, name string) (unlock func(), err error) {
	f, err := openLock(vault, name)
	if err != nil {
		return nil, fmt.Errorf("open a lock: %w", err)
	}
	end := time.Now().Add(lockTimeout)
	for retry := firstRetry; ; retry = min(2*retry, lastRetry) {
		taken, err := tryLock(f)
		if taken {
			return func() { f.Close() }, nil
		}
		if err == nil && time.Now().After(end) {
			err = toolset.Errorf(toolset.NotAvailable, "others have been writing here for %v; try again", lockTimeout).
				With("expected", "a vault that nobody else is writing to for so long")
		}
		if err == nil {
			select {
			case <-time.After(retry):
			case <-ctx.Done():
				err = ctx.Err()
			}
		}
		if err != nil {
			f.Close()
			return nil, err
		}
	}
}

func openLock(vault *os.Root, name string) (*os.File, error) {
	dir, err := enter(vault, placeOf(locksDir+"/"+name), true)
	if err != nil {
		return nil, err
	}
	defer dir.close()
	if info, err := dir.root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: name, Err: fs.ErrInvalid}
	}
	return dir.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
}
