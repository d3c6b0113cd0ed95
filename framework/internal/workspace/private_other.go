//go:build !unix

package workspace

import "io/fs"

// private always returns true: the temporary folder belongs to the user on this system.
func private(fs.FileInfo) bool { return true }
