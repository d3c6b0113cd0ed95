package index

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// stat describes the file that names the published snapshot; nil when there is
// none.
func (x *Index) stat() fs.FileInfo {
	info, _ := os.Stat(filepath.Join(x.opts.Dir, snapshot.CurrentFile(x.schema.Kind)))
	return info
}

// superseded reports whether another process has published since the last look, or the directory
// was replaced. The caller holds mu.
func (x *Index) superseded() bool {
	now := x.stat()
	if !x.inUse.valid() {
		return true
	}
	if now == nil || x.stamp == nil {
		return now != x.stamp
	}
	return !os.SameFile(now, x.stamp) || !now.ModTime().Equal(x.stamp.ModTime())
}

// Published returns when the current snapshot was published, or the zero time if there is none.
func (x *Index) Published() time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stamp == nil {
		return time.Time{}
	}
	return x.stamp.ModTime()
}

func (x *Index) lease() *lease {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.current
}

// base returns the current snapshot, nil for none. It stays open while the caller
// holds the update lock.
func (x *Index) base() *snapshot.Snapshot {
	if l := x.lease(); l != nil {
		return l.snap
	}
	return nil
}

// follow opens and verifies the published snapshot if it is not the current one. After an error
// there is no current snapshot. The caller holds the update lock.
func (x *Index) follow() error {
	x.recoverDir()
	stamp := x.stat()
	name, err := snapshot.Current(x.opts.Dir, x.schema.Kind)
	if base := x.base(); err == nil && base != nil && base.Name() == name {
		if err = base.Check(); err == nil {
			x.mu.Lock()
			x.stamp = stamp
			x.mu.Unlock()
			return nil
		}
	}
	var snap *snapshot.Snapshot
	if err == nil {
		snap, err = x.openPublished(name)
	}
	return errors.Join(err, x.install(snap, stamp))
}

// openPublished opens a snapshot by name; when it was retired since the name
// was read, it opens its successor.
func (x *Index) openPublished(name string) (*snapshot.Snapshot, error) {
	snap, err := x.openVerified(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return snap, err
	}
	next, currentErr := snapshot.Current(x.opts.Dir, x.schema.Kind)
	if currentErr != nil || next == name {
		return nil, err
	}
	return x.openVerified(next)
}

// install makes an open snapshot the current one. If snap is nil, or after an error, there is no
// current snapshot. The caller holds the update lock.
func (x *Index) install(snap *snapshot.Snapshot, stamp fs.FileInfo) error {
	next, seen := (*lease)(nil), memory{}
	if snap != nil {
		if len(x.known) == 0 { // other processes may have read files again
			x.known = x.shared(checkedFile(x.schema.Kind))
		}
		if err := snap.Guard(func() error { seen = x.known.refreshed(snap); return nil }); err != nil {
			return errors.Join(err, snap.Close(), x.install(nil, stamp))
		}
		next = &lease{snap: snap, close: x.closeSnapshot, uses: 1}
	}
	x.known = seen
	x.mu.Lock()
	last := x.current
	x.current, x.stamp = next, stamp
	if snap != nil {
		next.reused = !newer(snap.Name(), x.removedName)
		if newer(snap.Name(), x.newestName) {
			x.newestName = snap.Name()
		}
		if x.job != nil && snap.Manifest().Pending > 0 {
			x.job.part()
		}
	}
	x.mu.Unlock()
	if last != nil {
		last.drop()
	}
	return nil
}

// newer reports whether snapshot a of a kind is newer than b, by the numbers in their names.
func newer(a, b string) bool { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) > 0 }

// closeSnapshot closes a snapshot after its last use, and removes it from disk if it is old and no
// process builds.
func (x *Index) closeSnapshot(snap *snapshot.Snapshot) {
	if err := snap.Close(); err != nil {
		x.log.Warn("a snapshot could not be closed", "snapshot", snap.Name(), "error", err)
	}
	if unlock, ok := tryLock(x.opts.Dir, lockFile); ok {
		x.retire()
		unlock()
	}
}

// retire removes old snapshots. The caller holds the builder's lock.
func (x *Index) retire() {
	if err := snapshot.Retire(x.opts.Dir, x.schema.Kind); err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.log.Debug("old snapshots stay until the next build", "error", err)
	}
}

// repair sets the published snapshot aside if err says that it is damaged. The
// caller holds the builder's lock.
func (x *Index) repair(err error) {
	bad, ok := errors.AsType[*snapshot.CorruptError](err)
	if !ok {
		return
	}
	x.log.Warn("the index is damaged and is rebuilt", "file", bad.File, "part", bad.Part, "reason", bad.Reason)
	name, _ := snapshot.Current(x.opts.Dir, x.schema.Kind)
	if err := snapshot.SetAside(x.opts.Dir, x.schema.Kind, name, bad.File); err != nil {
		x.log.Warn("a damaged file could not be set aside", "file", bad.File, "error", err)
	}
}
