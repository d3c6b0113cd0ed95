package corpus

import (
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Citer says where in documents the sections of a snapshot stand. A nil one knows no documents. It is for one
// goroutine.
type Citer struct {
	documents Documents
	snap      *snapshot.Snapshot
	hashes    map[citedFile][32]byte // nil until one is needed
	places    map[citedFile]Places
}

type citedFile struct{ manual, path string }

// NewCiter returns a Citer of a snapshot, nil where there are no documents. The snapshot must stay open.
func NewCiter(documents Documents, snap *snapshot.Snapshot) *Citer {
	if documents == nil {
		return nil
	}
	return &Citer{documents: documents, snap: snap, places: map[citedFile]Places{}}
}

// At is where a line of a file came from, nil where the file itself holds the text.
func (c *Citer) At(manual, path string, line int) *toolset.Source {
	if c == nil || line == 0 || !c.documents.Reads(path) {
		return nil
	}
	f := citedFile{manual, path}
	places, known := c.places[f]
	if !known {
		kept, _ := c.documents.Kept(path, c.hash(f))
		places = kept.Places
		c.places[f] = places
	}
	return places.Source(path, line)
}

func (c *Citer) hash(f citedFile) [32]byte {
	if c.hashes == nil {
		c.hashes = map[citedFile][32]byte{}
		for f := range c.snap.Files() {
			if c.documents.Reads(f.Path) {
				c.hashes[citedFile{f.Group, f.Path}] = f.SHA256
			}
		}
	}
	return c.hashes[f]
}
