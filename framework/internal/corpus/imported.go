package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ImportFolder is the folder in a manual's folder with the records of the texts that were imported into it. It is
// hidden, so its content is not part of the manual.
const ImportFolder = ".import"

// RecordPath returns the path of the record of a text in the folder of its manual.
func RecordPath(text string) string { return ImportFolder + "/" + text + ".json" }

// HoldsImports reports whether documents were imported into a folder, which makes it a manual, whatever else it
// contains.
func HoldsImports(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ImportFolder))
	return err == nil && info.IsDir()
}

// Imported is the record of an imported text.
type Imported struct {
	// Document is the document as cited: its path from the name of what was imported on, or its URL.
	Document string `json:"document"`
	// Source is where the document was read, and From what the user asked to import: paths of this machine or URLs.
	Source string `json:"source"`
	From   string `json:"from"`
	SHA256 string `json:"sha256"`               // of the document
	Text   string `json:"text_sha256"`          // of the text as it is or will be written
	Was    string `json:"was_sha256,omitempty"` // of the text that it replaced
	Coding string `json:"encoding,omitempty"`   // from which the text was decoded
	// Version is the ETag, or else the Last-Modified, that a server sent with the document, and Converters identifies
	// what reads documents. The text is unchanged as long as both are.
	Version    string `json:"version,omitempty"`
	Converters string `json:"converters,omitempty"`
	Lacks      string `json:"lacks,omitempty"` // what could not be read of the document
	Places     Places `json:"places,omitempty"`
}

// mostRecord and mostDocument limit a record and the name of a document, in bytes.
const (
	mostRecord   = 64 << 20
	mostDocument = 4 << 10
)

// ReadImported reads the record of a text in the folder of its manual.
func ReadImported(root *os.Root, text string) (r Imported, err error) {
	f, err := root.Open(RecordPath(text))
	if err != nil {
		return r, err
	}
	defer f.Close()
	return decodeImported(f)
}

// decodeImported reads a record, which a stranger may have written.
func decodeImported(from io.Reader) (r Imported, err error) {
	src, err := io.ReadAll(io.LimitReader(from, mostRecord))
	if err == nil {
		err = json.Unmarshal(src, &r)
	}
	switch {
	case err != nil:
		return Imported{}, err
	case r.Document == "" || len(r.Document) > mostDocument || !inOneLine(r.Document):
		return Imported{}, errors.New("the record names no document")
	case r.Lacks != "" && !(Partial(r.Lacks) && inOneLine(r.Lacks)):
		return Imported{}, errors.New("the record does not say what is missing")
	}
	last := 0
	for _, m := range r.Places {
		if m.Line <= last || m.Page < 0 || !inOneLine(m.Anchor) || !inOneLine(m.Sheet) {
			return Imported{}, errors.New("the places of the record are not in order")
		}
		last = m.Line
	}
	return r, nil
}

// inOneLine reports whether a string is one line of text.
func inOneLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// origin returns where the text with a hash came from. A text that was edited came from its document, but the places of
// its lines are unknown.
func (r Imported) origin(sha256 string) Origin {
	if r.Text != sha256 {
		return Origin{Document: r.Document}
	}
	return Origin{Document: r.Document, Places: r.Places, lacks: r.Lacks}
}

// originIn returns where a text in the folder of a manual was imported from.
func originIn(root *os.Root, stored string, sha256 [32]byte) Origin {
	if _, err := root.Lstat(ImportFolder); err != nil { // true of most manuals
		return Origin{}
	}
	r, err := ReadImported(root, stored)
	if err != nil {
		return Origin{}
	}
	return r.origin(fmt.Sprintf("%x", sha256))
}

// ImportedLacks returns what could not be read of the document of an imported text, or "" if all was.
func ImportedLacks(root *os.Root, stored string, sha256 [32]byte) string {
	return originIn(root, stored, sha256).lacks
}

// InArchive reports whether the document of an imported text was in a zip archive, by its citation.
func InArchive(document string) bool { return strings.Contains(strings.ToLower(document), ".zip/") }

// open opens the document of a text if it has not changed since the import. Its hash must be that of the record, so
// that a record written by a stranger only opens what the stranger already has.
func (r Imported) open() (*rootfs.File, error) {
	// The same message for every cause, so that a record does not reveal to a stranger which files exist.
	gone := toolset.Errorf(toolset.NotFound,
		"the source %s has changed since it was imported, or is gone; import it again", r.Document)
	if InArchive(r.Document) {
		return nil, toolset.Errorf(toolset.NotFound, "%s lies in an archive, which the page does not open", r.Document)
	}
	if !filepath.IsAbs(r.Source) {
		return nil, gone
	}
	dir, err := rootfs.Open(filepath.Dir(r.Source))
	if err != nil {
		return nil, gone
	}
	defer dir.Close()
	f, err := dir.Open(filepath.Base(r.Source))
	if err != nil {
		return nil, gone
	}
	sum, err := [32]byte{}, error(gone)
	if f.Info.Size() <= MaxDocument {
		sum, err = f.SHA256()
	}
	if err != nil || fmt.Sprintf("%x", sum) != r.SHA256 {
		_ = f.Close() // opened for reading
		return nil, gone
	}
	return f, nil
}
