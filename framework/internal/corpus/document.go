package corpus

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// MaxDocument is the size in bytes above which a document is not converted.
const MaxDocument = 256 << 20

// BeingConverted is the reason to skip a document that a server is converting.
const BeingConverted = "it is being converted"

// NotConverted is the reason why nothing is known of a document that was neither searched nor read before.
const NotConverted = "it is not converted yet; the next search converts it"

// Documents reads the files of manuals that must be converted to text. A value is comparable and safe for concurrent
// use.
type Documents interface {
	// Reads reports whether a file is a document, by its name.
	Reads(name string) bool
	// Read converts a document unless its text is kept. Errors are as for [Open]. With an error, the hash is set if
	// Kept knows of the document's failure.
	Read(ctx context.Context, d Stored) (File, error)
	// Kept returns what is kept of a converted document by its content, without the text, and why it could not be or is
	// not yet converted. If nothing is kept, the path is "".
	Kept(name string, sha256 [32]byte) (f File, failed string)
	// Version changes when documents are read differently.
	Version() string
}

// Stored is a document of a manual.
type Stored struct {
	Manual Manual
	Path   string // as stored
}

// Open opens the document, which the caller closes. Errors are as for [Open].
func (d Stored) Open() (*rootfs.File, error) {
	root, err := openManual(d.Manual)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Open(d.Path)
}

// Name returns the path of the document on this machine.
func (d Stored) Name() string { return filepath.Join(d.Manual.Dir, filepath.FromSlash(d.Path)) }

// Reads reports whether a file is a document of the manual, by its name.
func (m Manual) Reads(name string) bool {
	return m.Documents != nil && !besideOpen(name) && m.Documents.Reads(name)
}

// besideOpen reports whether a file is one that Office keeps next to an open document.
func besideOpen(name string) bool { return strings.HasPrefix(path.Base(name), "~$") }

// Kept returns what is kept of a document of a manual, see [Documents.Kept], and nothing for other files.
func (m Manual) Kept(name string, sha256 [32]byte) (f File, failed string) {
	if !m.Reads(name) {
		return File{}, ""
	}
	return m.Documents.Kept(name, sha256)
}

// OpenStored opens a document of a manual as stored, or the document from which a text was imported. The caller closes
// it. Errors are as for [Open].
func OpenStored(ctx context.Context, m Manual, path string) (*rootfs.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := openManual(m)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	if !m.belongs(f.Path) || !m.Reads(f.Path) {
		_ = f.Close() // opened for reading
		if r, err := ReadImported(root.Dir(), f.Path); err == nil && m.belongs(f.Path) {
			return r.open()
		}
		return nil, toolset.Errorf(toolset.OutOfScope, "%s is no document of the manual; manual_ls lists its files",
			f.Path).With("parameter", "path").With("got", path)
	}
	return f, nil
}

// Known returns what is known of a document without converting it: its hash, and what is kept of it or why it is not
// read, see [Documents.Kept]. It fails only when ctx ends.
func Known(ctx context.Context, m Manual, path string) (f File, failed string, err error) {
	in, err := OpenStored(ctx, m, path)
	if err != nil {
		return File{}, toolset.AsError(err).Message, ctx.Err()
	}
	defer in.Close()
	sum, err := in.SHA256()
	if err != nil {
		return File{}, "it cannot be read from the disk", ctx.Err()
	}
	f, failed = m.Kept(path, sum)
	f.SHA256 = sum
	return f, failed, ctx.Err()
}

// Placed is the line from which on a text is at a place of its document, see [sdk.Place].
type Placed struct {
	Line   int    `json:"line"`
	Page   int    `json:"page,omitempty"`
	Anchor string `json:"anchor,omitempty"`
	Sheet  string `json:"sheet,omitempty"`
}

// Places are the places of a text in its document, by line.
type Places []Placed

// At returns the place of a line.
func (p Places) At(line int) sdk.Place {
	i, found := slices.BinarySearchFunc(p, line, func(at Placed, line int) int { return at.Line - line })
	if !found {
		i--
	}
	if i < 0 {
		return sdk.Place{}
	}
	return sdk.Place{Page: p[i].Page, Anchor: p[i].Anchor, Sheet: p[i].Sheet}
}

// Source returns where lines of a file came from, or nil if it was neither converted nor imported. Line 0 means the
// document as a whole.
func (f *File) Source(first, last int) *toolset.Source { return f.Origin.span(first, last) }

// Origin is where a text came from.
type Origin struct {
	// Document is what the text was converted or imported from, or "": the path of the file, or [Imported.Document].
	Document string
	// Places are where in the document the text is.
	Places Places
	lacks  string // what could not be read of an imported document
}

func (o *Origin) span(first, last int) *toolset.Source {
	if o.Document == "" {
		return nil
	}
	at := o.Places.At(first)
	out := &toolset.Source{Path: o.Document, Page: at.Page, Anchor: at.Anchor, Sheet: at.Sheet}
	if at.Page == 0 {
		return out
	}
	end := at.Page // footnotes may follow the text of the next page
	for _, p := range o.Places {
		if p.Line > first && p.Line <= last && p.Page > 0 {
			out.Page, end = min(out.Page, p.Page), max(end, p.Page)
		}
	}
	if end > out.Page {
		out.LastPage = end
	}
	return out
}

// inPart begins the reason why a part of a file is not searched. The rest is.
const inPart = "read in part: "

// Partial reports whether only a part of a file is skipped.
func Partial(skipped string) bool { return strings.HasPrefix(skipped, inPart) }

// mostReasons and mostPlaces limit the text about the problems of a document.
const (
	mostReasons = 5
	mostPlaces  = 8
)

// Lacks returns a phrase on what of a document could not be read, or "" if all was.
func (f *File) Lacks() string {
	if f.lacks != "" {
		return f.lacks
	}
	var reasons []string
	pages, places := map[string][]int{}, map[string][]string{}
	for _, p := range f.Problems {
		if !slices.Contains(reasons, p.Reason) {
			reasons = append(reasons, p.Reason)
		}
		switch {
		case p.Place.Page > 0:
			pages[p.Reason] = append(pages[p.Reason], p.Place.Page)
		case p.Place.Sheet != "" || p.Place.Anchor != "":
			places[p.Reason] = append(places[p.Reason], p.Place.Sheet+p.Place.Anchor)
		}
	}
	var said []string
	for _, reason := range reasons[:min(mostReasons, len(reasons))] {
		text := reason
		if at := runs(pages[reason]); len(at) > 0 {
			text += " on " + some(at)
		}
		if at := places[reason]; len(at) > 0 {
			text += " (" + some(at) + ")"
		}
		said = append(said, text)
	}
	if more := len(reasons) - mostReasons; more > 0 {
		said = append(said, fmt.Sprintf("%d more problems", more))
	}
	if len(said) == 0 {
		return ""
	}
	return inPart + strings.Join(said, "; ")
}

// some lists the first of the given places.
func some(at []string) string {
	if len(at) > mostPlaces {
		at = append(at[:mostPlaces:mostPlaces], fmt.Sprintf("%d more", len(at)-mostPlaces))
	}
	return strings.Join(at, ", ")
}

// runs formats pages, with consecutive ones as a range.
func runs(pages []int) (out []string) {
	slices.Sort(pages)
	pages = slices.Compact(pages)
	for i := 0; i < len(pages); {
		j := i
		for j+1 < len(pages) && pages[j+1] == pages[j]+1 {
			j++
		}
		if i == j {
			out = append(out, fmt.Sprintf("page %d", pages[i]))
		} else {
			out = append(out, fmt.Sprintf("pages %d–%d", pages[i], pages[j]))
		}
		i = j + 1
	}
	return out
}
