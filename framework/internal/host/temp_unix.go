//go:build unix

package host

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// ownedByUser reports whether nobody else could have made a directory.
func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm() == 0o700
}

// removeLocked removes a directory under the protection of its lock.
func removeLocked(path string, _ *flock.Flock) { _ = os.RemoveAll(path) }
