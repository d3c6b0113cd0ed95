package manuals

import (
	"context"
	"iter"
	"path"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Limits of an answer, in code points and sections (docs/reference/tools/).
const (
	maxChars    = 12000 // of one text in an answer
	maxSections = 20    // of scope "sections"
	mostTokens  = 50000 // that a call may ask for with max_tokens
)

// Options configure a library.
type Options struct {
	// Manuals lists the manuals as they are now.
	Manuals func(ctx context.Context) ([]corpus.Manual, error)
	// AllowFileScope permits reading whole Markdown files.
	AllowFileScope bool
	// Exceptions returns the words that manual_excepts looks for.
	Exceptions func() dict.Vocabulary
	// Snapshot, if not nil, returns the open snapshot of the manuals and a function to release it, or nil if none is
	// open. The library does not wait for the snapshot, and does not trust it for a file that has changed.
	Snapshot func() (*snapshot.Snapshot, func())
	// Files, if not nil, returns the files of a manual by path, as last indexed.
	Files func(manual string) map[string]snapshot.File
	// Collection, if not nil, holds the files in place of folders.
	Collection *collection.Collection
	// SearchTime limits a search of lines or links; 0 means 20 seconds.
	SearchTime time.Duration
	// Used, if not nil, is called with what was read or scanned: a section by its first line, or a file with line 0.
	Used func(manual, path string, line int)
}

// Library lists and reads manuals. It keeps nothing between calls and is safe
// for concurrent use.
type Library struct {
	options Options
}

// New returns a library.
func New(options Options) *Library { return &Library{options} }

// find returns the manual with an id.
func (l *Library) find(ctx context.Context, id corpus.ManualID) (corpus.Manual, error) {
	manuals, err := l.options.Manuals(ctx)
	if err != nil {
		return corpus.Manual{}, err
	}
	return corpus.Find(manuals, string(id))
}

// document is a file that is being read.
type document struct {
	corpus.File
	manual, path string
	text         []byte
	lines        corpus.Lines
	cutUp        iter.Seq[corpus.Section] // set on first use
}

// sections yields the sections of the document.
func (d *document) sections() iter.Seq[corpus.Section] {
	if d.cutUp == nil {
		d.cutUp = corpus.Sections(d.path, d.text)
	}
	return d.cutUp
}

func (l *Library) open(ctx context.Context, id corpus.ManualID, path rootfs.Path) (*document, error) {
	if l.options.Collection != nil {
		return l.openGathered(ctx, id, path)
	}
	m, err := l.find(ctx, id)
	if err != nil {
		return nil, err
	}
	f, err := corpus.Open(ctx, m, string(path))
	if err != nil {
		return nil, namesakes(ctx, m, string(path), err)
	}
	return &document{File: f, manual: m.ID, path: f.Path, text: f.Text, lines: corpus.NewLines(f.Text)}, nil
}

// namesakes adds to a not_found without suggestions the files of the same name in other folders.
func namesakes(ctx context.Context, m corpus.Manual, name string, err error) error {
	missing := toolset.AsError(err)
	if missing.Code != toolset.NotFound || missing.Details["did_you_mean"] != nil {
		return err
	}
	files, _, walkErr := corpus.Walk(ctx, m)
	if walkErr != nil {
		return err
	}
	near, want := []string{}, rootfs.Key(path.Base(name))
	for _, f := range files {
		if rootfs.Key(path.Base(f.Path)) == want && len(near) < 3 {
			near = append(near, f.Path)
		}
	}
	return missing.With("did_you_mean", near)
}

// checkLine fails if the document does not have the line.
func (d *document) checkLine(param string, line *int) error {
	if line == nil || *line >= 1 && *line <= d.lines.Count() {
		return nil
	}
	return toolset.Errorf(toolset.InvalidParameter, "%s must be a line of the file, 1 to %d", param, d.lines.Count()).
		Argument(param, *line, "1 to the number of lines").With("total_lines", d.lines.Count()).
		With("nearest", min(max(*line, 1), d.lines.Count()))
}

// Document opens a document of a manual as it is stored, or the document from which a text was imported. The caller
// closes it. A plain text file is out_of_scope.
func (l *Library) Document(ctx context.Context, id corpus.ManualID, path rootfs.Path) (*rootfs.File, error) {
	m, err := l.find(ctx, id)
	if err != nil {
		return nil, err
	}
	return corpus.OpenStored(ctx, m, string(path))
}
