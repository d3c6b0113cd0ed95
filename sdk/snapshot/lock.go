package snapshot

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// sharedLock marks a snapshot as in use. It is best effort: a sandbox or a file system may refuse
// the lock, and reading works without it.
type sharedLock struct{ file *flock.Flock }

// lockShared opens the file for reading only and never creates it.
func lockShared(dir, file string) *sharedLock {
	f := flock.New(filepath.Join(dir, file), flock.SetFlag(os.O_RDONLY))
	if ok, err := f.TryRLock(); !ok || err != nil {
		return nil
	}
	return &sharedLock{f}
}

func (l *sharedLock) release() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}
