//go:build !linux && !darwin

package corpus

import "io/fs"

// systemStat returns zeros, since this system has no ctime and inode to return.
func systemStat(fs.FileInfo) (changed int64, inode uint64) { return 0, 0 }
