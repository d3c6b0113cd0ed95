package rootfs

import (
	"os"
	"strings"
	"sync"
)

// keepEvery is the distance in folders between two that a trail keeps open: in a tree of 2,000 levels, that makes 125,
// and a lookup passes at most keepEvery folders twice.
const keepEvery = 16

// trails holds the trails of earlier lookups in a root. A lookup starts where it leaves such a trail; otherwise a walk
// of deep folders would take time quadratic in their depth.
type trails struct {
	mu     sync.Mutex
	idle   []*trail
	closed bool
}

// trail is the folders that a lookup keeps open, outermost first.
type trail struct{ kept []spot }

// take returns a trail that no other lookup uses, cut to the folders on the way to cleaned.
func (t *trails) take(cleaned string) *trail {
	t.mu.Lock()
	way := &trail{}
	if n := len(t.idle); n > 0 {
		way, t.idle = t.idle[n-1], t.idle[:n-1]
	}
	t.mu.Unlock()
	for n := len(way.kept); n > 0 && !strings.HasPrefix(cleaned, way.kept[n-1].asked+"/"); n-- {
		way.drop(n - 1)
	}
	return way
}

// give makes a trail available to later lookups.
func (t *trails) give(way *trail) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		way.drop(0)
		return
	}
	t.idle = append(t.idle, way)
}

func (t *trails) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, way := range t.idle {
		way.drop(0)
	}
	t.idle, t.closed = nil, true
}

// drop closes all kept folders except the first n.
func (w *trail) drop(n int) {
	for _, s := range w.kept[n:] {
		s.dir.Close()
	}
	w.kept = w.kept[:n]
}

// keep appends a folder. It replaces the last one unless that is at a depth divisible by keepEvery.
func (w *trail) keep(s spot) {
	if n := len(w.kept); n > 0 && w.kept[n-1].depth%keepEvery != 0 {
		w.drop(n - 1)
	}
	w.kept = append(w.kept, s)
}

// spot is an open folder below a root.
type spot struct {
	asked, stored string // its path
	depth         int
	dir           *os.Root
}

// below returns the spot of a folder in this one.
func (s spot) below(asked, stored string, dir *os.Root) spot {
	if s.depth > 0 {
		asked, stored = s.asked+"/"+asked, s.stored+"/"+stored
	}
	return spot{asked, stored, s.depth + 1, dir}
}
