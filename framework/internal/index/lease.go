package index

import (
	"sync"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// lease counts who uses an open snapshot and closes it after the last.
type lease struct {
	snap   *snapshot.Snapshot
	close  func(*snapshot.Snapshot)
	reused bool // another snapshot, in a removed directory, may have had the same name

	mu   sync.Mutex
	uses int
}

// complete reports whether the snapshot is complete, so that it stays valid until a file changes.
func (l *lease) complete() bool {
	return l != nil && !l.reused && l.snap.Manifest().Pending == 0
}

// take adds a use and returns a function that ends it. Further calls of that function have no effect.
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
