package index

import (
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// racy is the age below which a change may leave size and times unchanged.
const racy = 2 * time.Second

// key names a file.
type key struct{ group, path string }

// memo is the known state of an indexed file.
type memo struct {
	file  snapshot.File
	read  time.Time // not later than the content was hashed
	again bool      // read again since it was indexed
}

// memory is the known state of the files of the current snapshot.
type memory map[key]memo

// refreshed returns the memory of the files of snap. If the content is the same as in m, m's newer
// sizes and times are kept.
func (m memory) refreshed(snap *snapshot.Snapshot) memory {
	next := make(memory, len(m))
	for _, g := range snap.Segments() {
		for f := range g.Files() {
			old, ok := m[key{f.Group, f.Path}]
			if !ok || old.file.SHA256 != f.SHA256 || old.file.Skipped != f.Skipped {
				f.Group, f.Path, f.Skipped = strings.Clone(f.Group), strings.Clone(f.Path), strings.Clone(f.Skipped)
				old = memo{file: f, read: g.Info().Created}
			}
			next[key{old.file.Group, old.file.Path}] = old
		}
	}
	return next
}

// Unchanged reports whether a file that was read at a time, or later, is still the same by its size,
// times and inode.
func Unchanged(known snapshot.File, read time.Time, now snapshot.File) bool {
	return memo{file: known, read: read}.unchanged(now)
}

// unchanged reports whether f is known from its size, times and inode, and was
// hashed long enough after its last change.
func (m memo) unchanged(f snapshot.File) bool {
	k := m.file
	if k.Skipped != "" && k.SHA256 == ([32]byte{}) { // the file could not be read
		return false
	}
	same := k.Size == f.Size && k.ModTime == f.ModTime && k.ChangeTime == f.ChangeTime && k.Inode == f.Inode
	return same && m.read.UnixNano()-max(f.ModTime, f.ChangeTime) >= int64(racy)
}
