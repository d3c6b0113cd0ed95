package exceptions

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// holders remembers which sections of the newest snapshot hold a word.
type holders struct {
	mu        sync.Mutex
	dir, name string
	sections  *roaring.Bitmap // read only
}

// of gives the sections that hold a word. The error is the context's.
func (h *holders) of(ctx context.Context, snap *snapshot.Snapshot, words dict.Vocabulary) (*roaring.Bitmap, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sections != nil && h.dir == snap.Dir() && h.name == snap.Name() {
		return h.sections, nil
	}
	found := roaring.New()
	for _, word := range words {
		for it := roaring.AndNot(lexical.Containing(ctx, snap, word), found).Iterator(); it.HasNext(); {
			if id := it.Next(); holds(snap, id, word) {
				found.Add(id)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	h.dir, h.name, h.sections = snap.Dir(), snap.Name(), found
	return found, nil
}

// holds reports whether a field of the section holds the word as a word.
func holds(snap *snapshot.Snapshot, section uint32, word string) bool {
	for f := range snap.Fields() {
		if dict.Index(snap.Normalized(section, f), word) >= 0 {
			return true
		}
	}
	return false
}
