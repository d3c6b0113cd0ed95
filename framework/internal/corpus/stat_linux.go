package corpus

import (
	"io/fs"
	"syscall"
)

// systemStat returns the ctime in nanoseconds and the inode.
func systemStat(info fs.FileInfo) (changed int64, inode uint64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ctim.Nano(), st.Ino
}
