//go:build unix

package host

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// maxSocketPath is the maximum length of a socket's path.
const maxSocketPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// ownedByUser reports whether only this user could have made a directory.
func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm() == 0o700
}

// adopt does nothing here: on Linux the death signal binds a process to the host, on other systems only the standard
// input.
func adopt(*exec.Cmd) (release func()) { return func() {} }
