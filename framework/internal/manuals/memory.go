package manuals

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// maxRemembered is how many sections a session's memory holds; the oldest go first.
const maxRemembered = 1000

// memory holds which sections a client's session has read and how far. It is
// safe for concurrent use; a nil memory is empty and stays so.
type memory struct {
	mu   sync.Mutex
	seed maphash.Seed
	read []progress // the section that was begun first comes first
}

// progress is how far a section was read.
type progress struct {
	section toolset.Ref
	end     int    // byte after the text returned last
	content uint64 // hash of the file: an edited one starts anew
}

// newMemory returns an empty memory.
func newMemory() *memory { return &memory{seed: maphash.MakeSeed()} }

func (m *memory) index(section toolset.Ref) int {
	return slices.IndexFunc(m.read, func(p progress) bool { return p.section == section })
}

// resume returns where to go on with a section of the file with this text; again is false for one
// that was not read, or whose file has changed.
func (m *memory) resume(section toolset.Ref, text []byte) (end int, again bool) {
	if m == nil {
		return 0, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.index(section)
	if i < 0 || m.read[i].content != maphash.Bytes(m.seed, text) {
		return 0, false
	}
	return m.read[i].end, true
}

// has reports whether a section was read, so that the same call would go on after it.
func (m *memory) has(section toolset.Ref) bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.index(section) >= 0
}

// keep notes how far a section was read; at the end of the file it forgets
// the section, which then starts anew.
func (m *memory) keep(section toolset.Ref, text []byte, end int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p := progress{section, end, maphash.Bytes(m.seed, text)}
	switch i := m.index(section); {
	case end >= len(text):
		m.read = slices.DeleteFunc(m.read, func(p progress) bool { return p.section == section })
	case i >= 0:
		m.read[i] = p
	default:
		m.read = append(m.read, p)
		m.read = m.read[max(0, len(m.read)-maxRemembered):]
	}
}
