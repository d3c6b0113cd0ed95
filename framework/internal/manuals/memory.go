package manuals

import (
	"hash/maphash"
	"slices"
	"sync"
)

// remembered is how many sections a session's memory holds; the oldest go first.
const remembered = 1000

// memory holds which sections a client's session has read and how far. It is
// safe for concurrent use; a nil memory is empty and stays so.
type memory struct {
	mu    sync.Mutex
	seed  maphash.Seed
	read  map[place]progress
	order []place // those of read, oldest first
}

// place identifies a section.
type place struct {
	manual, path string
	line         int
}

// progress is how far a section was read.
type progress struct {
	end     int    // byte after the text given last
	content uint64 // hash of the file: an edited one starts anew
}

// newMemory returns an empty memory.
func newMemory() *memory {
	return &memory{seed: maphash.MakeSeed(), read: map[place]progress{}}
}

// resume returns where to go on with a section of the file with this text; again is false for one
// that was not read, or whose file has changed.
func (m *memory) resume(at place, text []byte) (end int, again bool) {
	if m == nil {
		return 0, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.read[at]
	return p.end, ok && p.content == maphash.Bytes(m.seed, text)
}

// has reports whether the section that begins at a line was read, so that the same call
// would go on after it.
func (m *memory) has(manual, path string, line int) bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, read := m.read[place{manual, path, line}]
	return read
}

// keep notes how far a section was read; at the end of the file it forgets
// the section, which then starts anew.
func (m *memory) keep(at place, text []byte, end int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.read[at]
	if end >= len(text) {
		if delete(m.read, at); known {
			m.order = slices.DeleteFunc(m.order, func(p place) bool { return p == at })
		}
		return
	}
	if !known {
		m.order = append(m.order, at)
	}
	m.read[at] = progress{end, maphash.Bytes(m.seed, text)}
	for len(m.order) > remembered {
		delete(m.read, m.order[0])
		m.order = m.order[1:]
	}
}
