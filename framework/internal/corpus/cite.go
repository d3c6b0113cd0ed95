package corpus

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Citer returns where in their documents the sections of a snapshot are. A nil Citer knows no documents. It is for one
// goroutine.
type Citer struct {
	ctx     context.Context // of the answer
	manuals []Manual
	last    int             // index of the last manual that was asked for, since files are grouped by manual
	imports map[string]bool // whether a manual holds imported texts, if that was looked up
	snap    *snapshot.Snapshot
	hashes  map[citedFile][32]byte // nil until one is needed
	files   map[citedFile]Origin
	until   time.Time // deadline for converting documents again; zero before the first
}

// convertAgain is how long a Citer waits in total for documents whose text is no longer kept. Their conversion
// continues for the next Citer.
const convertAgain = time.Second

type citedFile struct{ manual, path string }

// NewCiter returns a Citer of a snapshot of manuals for one answer with context ctx. The snapshot must stay open.
func NewCiter(ctx context.Context, manuals []Manual, snap *snapshot.Snapshot) *Citer {
	return &Citer{ctx: ctx, manuals: manuals, imports: map[string]bool{}, snap: snap, files: map[citedFile]Origin{}}
}

func (c *Citer) manual(id string) (Manual, bool) {
	if c.last < len(c.manuals) && c.manuals[c.last].ID == id {
		return c.manuals[c.last], true
	}
	for i, m := range c.manuals {
		if m.ID == id {
			c.last = i
			return m, true
		}
	}
	return Manual{}, false
}

// Span returns where lines of a file came from, or nil if it was neither converted nor imported.
func (c *Citer) Span(manual, path string, first, last int) *toolset.Source {
	if first == 0 {
		return nil
	}
	from := c.origin(manual, path)
	return from.span(first, last)
}

// Places returns where in its document the text of a file is, or nothing if it was neither converted nor imported.
func (c *Citer) Places(manual, path string) Places { return c.origin(manual, path).Places }

func (c *Citer) origin(manual, path string) Origin {
	if c == nil || !c.mayCite(manual, path) {
		return Origin{}
	}
	f := citedFile{manual, path}
	known, ok := c.files[f]
	if !ok {
		f = citedFile{strings.Clone(manual), strings.Clone(path)} // the snapshot may be closed before the answer ends
		known = c.file(f)
		c.files[f] = known
	}
	return known
}

// mayCite reports whether a file may come from a document.
func (c *Citer) mayCite(manual, path string) bool {
	m, known := c.manual(manual)
	if !known || m.Reads(path) {
		return known
	}
	holds, looked := c.imports[manual]
	if !looked {
		holds = HoldsImports(m.Dir)
		c.imports[manual] = holds
	}
	return holds
}

func (c *Citer) file(f citedFile) Origin {
	m, _ := c.manual(f.manual)
	if m.Reads(f.path) {
		sum := c.hash(f)
		kept, failed := m.Kept(f.path, sum)
		if kept.Path == "" && failed == "" && sum != ([32]byte{}) {
			kept = c.again(m, f.path, sum)
		}
		return Origin{Document: f.path, Places: kept.Places}
	}
	root, err := os.OpenRoot(m.Dir)
	if err != nil {
		return Origin{}
	}
	defer root.Close()
	return originIn(root, f.path, c.hash(f))
}

// again converts an indexed document whose text is no longer kept because it was not read for so long. It returns an
// empty file if that takes too long or the document has changed.
func (c *Citer) again(m Manual, path string, sum [32]byte) File {
	if c.until.IsZero() {
		c.until = time.Now().Add(convertAgain)
	}
	ctx, cancel := context.WithDeadline(c.ctx, c.until)
	defer cancel()
	if f, err := m.Documents.Read(ctx, Stored{Manual: m, Path: path}); err == nil && f.SHA256 == sum {
		return f
	}
	return File{}
}

func (c *Citer) hash(f citedFile) [32]byte {
	if c.hashes == nil {
		c.hashes = map[citedFile][32]byte{}
		for f := range c.snap.Files() {
			if c.mayCite(f.Group, f.Path) {
				c.hashes[citedFile{f.Group, f.Path}] = f.SHA256
			}
		}
	}
	return c.hashes[f]
}
