package manuals

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// maxRemembered is the maximum number of sections in a session's memory. The oldest are dropped first.
const maxRemembered = 1000

// memory holds which sections a client's session has read. It is safe for concurrent use; a nil
// memory is empty and stays so.
type memory struct {
	mu   sync.Mutex
	seed maphash.Seed
	read []known // the section that was read first comes first
}

// known is a section that was read.
type known struct {
	section toolset.Ref
	content uint64 // hash of the file: an edited one starts anew
}

// newMemory returns an empty memory.
func newMemory() *memory { return &memory{seed: maphash.MakeSeed()} }

// again records that a section of the file with this text is read, and reports whether it was read before.
func (m *memory) again(section toolset.Ref, text []byte) bool {
	if m == nil {
		return false
	}
	k := known{section, maphash.Bytes(m.seed, text)}
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.Contains(m.read, k) {
		return true
	}
	m.read = append(slices.DeleteFunc(m.read, func(old known) bool { return old.section == section }), k)
	m.read = m.read[max(0, len(m.read)-maxRemembered):]
	return false
}
