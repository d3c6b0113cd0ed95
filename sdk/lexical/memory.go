package lexical

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// mostRemembered bounds what a [Memory] holds, in bytes.
const mostRemembered = 4 << 20

// Memory remembers which sections of the newest snapshot hold a word: the words
// that many sections hold come in many queries, and their texts need reading once.
// The zero value is ready. Safe for concurrent use.
type Memory struct {
	mu        sync.Mutex
	dir, name string
	held      map[string]*roaring.Bitmap
	bytes     uint64
}

// Holding gives what find says holds the word; it is asked when the word is not
// remembered. The result is read only, and not remembered when ctx has ended.
func (m *Memory) Holding(ctx context.Context, snap *snapshot.Snapshot, word string, find func() *roaring.Bitmap) *roaring.Bitmap {
	if held := m.get(snap, word); held != nil {
		return held
	}
	held := find()
	if ctx.Err() == nil {
		m.put(snap, word, held)
	}
	return held
}

func (m *Memory) get(snap *snapshot.Snapshot, word string) *roaring.Bitmap {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dir != snap.Dir() || m.name != snap.Name() {
		m.dir, m.name = snap.Dir(), snap.Name()
		m.forget()
	}
	return m.held[word]
}

// put adds a word; a full memory begins anew.
func (m *Memory) put(snap *snapshot.Snapshot, word string, held *roaring.Bitmap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dir != snap.Dir() || m.name != snap.Name() {
		return // a newer snapshot has come meanwhile
	}
	size := held.GetSizeInBytes() + uint64(len(word))
	if m.bytes+size > mostRemembered {
		m.forget()
	}
	if size <= mostRemembered {
		m.held[word] = held
		m.bytes += size
	}
}

func (m *Memory) forget() { m.held, m.bytes = map[string]*roaring.Bitmap{}, 0 }
