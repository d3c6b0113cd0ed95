package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"io"
	"iter"
	"sync"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// reader reads the files of manuals. It is safe for concurrent use.
type reader struct {
	source  corpus.Source
	records corpus.RecordSource // the source if its files are lists of records, else nil
	manuals map[string]corpus.Manual
	log     hclog.Logger

	mu    sync.Mutex
	roots map[string]*rootfs.Root // by manual, opened when the first file is read
}

func newReader(source corpus.Source, manuals []corpus.Manual, log hclog.Logger) *reader {
	r := &reader{source: source, manuals: map[string]corpus.Manual{}, log: log, roots: map[string]*rootfs.Root{}}
	r.records, _ = source.(corpus.RecordSource)
	for _, m := range manuals {
		r.manuals[m.ID] = m
	}
	return r
}

// root returns the open folder of a manual.
func (r *reader) root(manual string) (*rootfs.Root, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if root, ok := r.roots[manual]; ok {
		return root, nil
	}
	root, err := rootfs.OpenResolved(r.manuals[manual].Dir)
	if err == nil {
		r.roots[manual] = root
	}
	return root, err
}

func (r *reader) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, root := range r.roots {
		root.Close()
	}
	clear(r.roots)
}

// read reads a file and fills in its hash, or why it is skipped. For a document or a list of
// records it fills in only the hash. gone reports that the file no longer exists.
func (r *reader) read(f *snapshot.File) (src []byte, gone bool) {
	if f.Skipped != "" {
		return nil, false
	}
	root, err := r.root(f.Group)
	switch {
	case err != nil:
	case r.records != nil || r.converts(f):
		var in *rootfs.File
		if in, err = root.Open(f.Path); err == nil {
			f.SHA256, err = in.SHA256()
			_ = in.Close() // opened for reading
		}
	default:
		if src, err = root.ReadFile(f.Path); err == nil {
			f.SHA256 = sha256.Sum256(src)
			if src, f.Skipped = r.source.Text(f.Path, src); f.Skipped == "" {
				f.Skipped = corpus.ImportedLacks(root.Dir(), f.Path, f.SHA256)
			}
		}
	}
	if err != nil {
		bad := toolset.AsError(err)
		f.Skipped = bad.Message
		return nil, bad.Code == toolset.NotFound
	}
	return src, false
}

// outdated reports whether the cached conversion of a known, skipped document has changed.
func (r *reader) outdated(known *snapshot.File) bool {
	if known.Skipped == "" || corpus.Partial(known.Skipped) || !r.converts(known) {
		return false
	}
	_, failed := r.manuals[known.Group].Kept(known.Path, known.SHA256)
	return failed != known.Skipped
}

// reread is like read, but for a candidate. It keeps the remarks on skipped parts of a known document, since
// only a conversion can determine them.
func (r *reader) reread(c *candidate) (src []byte, gone bool) {
	src, gone = r.read(&c.File)
	known := &c.known.file
	touched := c.ModTime != known.ModTime && !corpus.Partial(known.Skipped) // a touched file is tried again
	if c.old && c.Skipped == "" && r.converts(&c.File) && c.SHA256 == known.SHA256 && !r.outdated(known) && !touched {
		c.Skipped = known.Skipped
	}
	return src, gone
}

// converts reports whether a file is a document to convert.
func (r *reader) converts(f *snapshot.File) bool { return r.manuals[f.Group].Reads(f.Path) }

// text returns the text of a document and fills in the hash of the converted content and the remarks on
// skipped parts.
func (r *reader) text(ctx context.Context, f *snapshot.File) []byte {
	m := r.manuals[f.Group]
	doc, err := m.Documents.Read(ctx, corpus.Stored{Manual: m, Path: f.Path})
	if f.SHA256 = doc.SHA256; err != nil { // without a hash it is tried again next time
		f.Skipped = corpus.WhyUnread(err)
		return nil
	}
	text, unfit := r.source.Text(f.Path, doc.Text)
	f.Skipped = cmp.Or(unfit, doc.Lacks())
	return text
}

// open opens a file for [corpus.RecordSource.AddRecords].
func (r *reader) open(f *snapshot.File) (io.ReadCloser, error) {
	root, err := r.root(f.Group)
	if err != nil {
		return nil, err
	}
	return root.Open(f.Path)
}

// cutFile is a candidate with its rows.
type cutFile struct {
	candidate
	rows    iter.Seq[corpus.Row] // nil for none
	missing bool                 // it no longer exists
}

// cut reads a file and cuts it unless it is unchanged or a list of records. If the cutter panics,
// only that file is skipped.
func (r *reader) cut(ctx context.Context, f candidate) (c cutFile) {
	c.candidate = f
	err := guard.Call(func() error {
		src, missing := r.reread(&c.candidate)
		if c.missing = missing; missing || c.same() {
			return nil
		}
		if r.converts(&c.File) && c.Skipped == "" {
			src = r.text(ctx, &c.File)
		}
		if (c.Skipped == "" || corpus.Partial(c.Skipped)) && !c.same() && r.records == nil {
			c.rows = r.source.Cut(f.Path, src)
		}
		return nil
	})
	if err != nil {
		c.rows, c.Skipped = nil, "it cannot be cut into sections: "+err.Error()
		guard.LogStack(r.log, err)
	}
	return c
}
