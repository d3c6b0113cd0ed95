package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// Options configure a bridge.
type Options struct {
	// Manuals lists the manuals as they are now.
	Manuals func(ctx context.Context) ([]corpus.Manual, error)
	// Import writes a file of the vault, which it makes with the folders above it when it is missing.
	Import func(ctx context.Context, in Import) (*Imported, error)
	// AllowFileScope permits copying whole Markdown files.
	AllowFileScope bool
	// Used, if not nil, is called with what was copied: a section by the line it begins at,
	// a file with line 0.
	Used func(manual, path string, line int)
}

// Import is a file of a vault that is about to be written.
type Import struct {
	// Param is the argument that gave Path.
	Param, Path string
	Mode        string // overwrite or append, of a file that exists
	// Build returns the file's content. old is the text that stays, nil for none.
	Build func(old []byte) (Content, error)
}

// Content is the new content of a file, and what to note of it beside.
type Content struct {
	Text []byte
	// Note, if not nil, returns the file's new note in the reserved folder. Its argument is the
	// old note, or nil if there is none or the file is overwritten.
	Note func(old json.RawMessage) (any, error)
}

// Imported is a file that was written.
type Imported struct {
	Path     string // as stored
	NotePath string // of the file's note, whether or not there is one
	SHA256   string
	Warnings []string
	Replaced bool // other text, which is kept as an earlier version
}

// Bridge copies from manuals into a vault. It keeps nothing between calls and is
// safe for concurrent use.
type Bridge struct{ options Options }

// New returns a bridge.
func New(options Options) *Bridge { return &Bridge{options} }

// write appends a piece to a file of the vault, or overwrites the file with it.
func (b *Bridge) write(ctx context.Context, p piece, to rootfs.Path, mode string) (*Copied, error) {
	var out Content
	file, err := b.options.Import(ctx, Import{
		Param: "to_path", Path: string(to), Mode: mode,
		Build: func(old []byte) (Content, error) {
			out = assemble(p, old, corpus.IsMarkdown(string(to)))
			return out, nil
		},
	})
	if err != nil {
		return nil, err
	}
	noted := "front_matter"
	if out.Note != nil {
		noted = file.NotePath
	}
	p.source.SHA256 = "" // noted, and nothing that a caller needs
	return &Copied{
		WrittenPath: file.Path, WrittenBytes: len(p.text), Truncated: p.truncated,
		NotedIn: noted, SHA256: file.SHA256, Source: Cited{p.source, p.lacks},
		Warnings: file.Warnings, Replaced: file.Replaced,
	}, nil
}

// assemble appends a piece to the content of a file. If the piece starts a Markdown file, its origin goes into the
// front matter, else into a note, since front matter would shift the lines that citations refer to.
func assemble(p piece, old []byte, markdown bool) Content {
	if len(old) > 0 {
		tail := bytes.TrimPrefix(p.text, []byte(bom))
		return Content{Text: slices.Concat(old, gap(old), tail), Note: note(p.source)}
	}
	if markdown {
		if stamped, ok := stamp(p.text, p.source); ok {
			return Content{Text: stamped}
		}
	}
	return Content{Text: p.text, Note: note(p.source)}
}

// gap returns the line breaks to append to a text so that an empty line follows it.
func gap(old []byte) []byte {
	switch n := len(old); {
	case old[n-1] != '\n':
		return []byte("\n\n")
	case n > 1 && (old[n-2] == '\n' || n > 2 && string(old[n-3:]) == "\n\r\n"):
		return nil
	}
	return []byte("\n")
}
