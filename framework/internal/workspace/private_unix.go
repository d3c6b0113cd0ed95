//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"syscall"
)

// private reports whether a folder belongs to this user and is closed to all others.
func private(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid() && info.Mode().Perm()&0o077 == 0
}
