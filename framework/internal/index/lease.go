package index

import (
	"sync"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// lease counts who uses an open snapshot and closes it after the last.
type lease struct {
	snap   *snapshot.Snapshot
	close  func(*snapshot.Snapshot)
	reused bool // its name may have been another's, in a directory that was removed

	mu   sync.Mutex
	uses int
}

// newLease returns a lease with one use.
func newLease(snap *snapshot.Snapshot, close func(*snapshot.Snapshot)) *lease {
	return &lease{snap: snap, close: close, uses: 1}
}

// complete reports whether the snapshot can stay as long as no file changes.
func (l *lease) complete() bool {
	return l != nil && !l.reused && l.snap.Manifest().Pending == 0
}

// take adds a use and returns what ends it, which may be called again.
func (l *lease) take() func() {
	l.mu.Lock()
	l.uses++
	l.mu.Unlock()
	return sync.OnceFunc(l.drop)
}

func (l *lease) drop() {
	l.mu.Lock()
	l.uses--
	last := l.uses == 0
	l.mu.Unlock()
	if last {
		l.close(l.snap)
	}
}
