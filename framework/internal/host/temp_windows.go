package host

import (
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// ownedByUser: the temporary directory is the user's own here.
func ownedByUser(fs.FileInfo) bool { return true }

// removeLocked lets the lock go first: an open file cannot be removed here.
func removeLocked(path string, lock *flock.Flock) {
	_ = lock.Close()
	_ = os.RemoveAll(path)
}
