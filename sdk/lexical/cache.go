package lexical

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// maxCacheBytes is the maximum size of a [Cache].
const maxCacheBytes = 4 << 20

// Cache records which sections of a snapshot contain a word, since many queries share frequent words and verifying one
// reads many texts. It keeps the words of the latest snapshot that was asked for. The zero value is ready to use. It is
// safe for concurrent use.
type Cache struct {
	mu        sync.Mutex
	dir, name string
	sections  map[string]*roaring.Bitmap
	bytes     uint64
}

// Sections returns the sections that contain a word, from the cache or else from find. The result
// must not be changed. It is not cached if ctx has ended.
func (c *Cache) Sections(
	ctx context.Context, snap *snapshot.Snapshot, word string, find func() *roaring.Bitmap,
) *roaring.Bitmap {
	if held := c.get(snap, word); held != nil {
		return held
	}
	held := find()
	if ctx.Err() == nil {
		c.put(snap, word, held)
	}
	return held
}

func (c *Cache) get(snap *snapshot.Snapshot, word string) *roaring.Bitmap {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir != snap.Dir() || c.name != snap.Name() {
		c.dir, c.name = snap.Dir(), snap.Name()
		c.reset()
	}
	return c.sections[word]
}

// put adds a word. It empties the cache first if it is full.
func (c *Cache) put(snap *snapshot.Snapshot, word string, held *roaring.Bitmap) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dir != snap.Dir() || c.name != snap.Name() {
		return // another snapshot has come meanwhile
	}
	size := held.GetSizeInBytes() + uint64(len(word))
	if c.bytes+size > maxCacheBytes {
		c.reset()
	}
	if size <= maxCacheBytes {
		c.sections[word] = held
		c.bytes += size
	}
}

func (c *Cache) reset() { c.sections, c.bytes = map[string]*roaring.Bitmap{}, 0 }
