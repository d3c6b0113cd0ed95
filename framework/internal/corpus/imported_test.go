package corpus

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const importedText = "# Fees\n\nA courier costs 900 yen.\n"

// record returns the record of importedText, with parts of it replaced.
func record(replace ...string) string {
	r := fmt.Sprintf(`{"document": "terms.pdf", "source": "/x/terms.pdf", "text_sha256": "%x", `+
		`"lacks": "read in part: no text", `+
		`"places": [{"line": 1, "page": 2}, {"line": 3, "page": 4}]}`, sha256.Sum256([]byte(importedText)))
	return strings.NewReplacer(replace...).Replace(r)
}

// textRecord is the record of importedText if no converter made it.
var textRecord = fmt.Sprintf(`{"document": "terms.pdf.md", "source": "/x/terms.pdf.md", "text_sha256": "%x"}`,
	sha256.Sum256([]byte(importedText)))

// TestImported reads a text with its record, which anybody may have written.
func TestImported(t *testing.T) {
	at := func(page int) *toolset.Source { return &toolset.Source{Path: "terms.pdf", Page: page} }
	for _, tc := range []struct {
		name, text, record string
		want               *toolset.Source // of line 3
		lacks              string
	}{
		{"as imported", importedText, record(), at(4), "read in part: no text"},
		{"edited", importedText + "Mine.\n", record(), at(0), ""},
		{"its own file", importedText, record(`"terms.pdf"`, `"terms.pdf.md"`),
			&toolset.Source{Path: "terms.pdf.md", Page: 4}, "read in part: no text"},
		{"a text as it was", importedText, textRecord, &toolset.Source{Path: "terms.pdf.md"}, ""},
		{"no record", importedText, "", nil, ""},
		{"no JSON", importedText, "{", nil, ""},
		{"no document", importedText, record("terms.pdf", ""), nil, ""},
		{"a document of two lines", importedText, record("terms.pdf", `a\nb`), nil, ""},
		{"a document that hides", importedText, record("terms.pdf", `a\u202eb`), nil, ""},
		{"a long document", importedText, record("terms.pdf", strings.Repeat("a", 5000)), nil, ""},
		{"places out of order", importedText, record(`"line": 3`, `"line": 1`), nil, ""},
		{"a page below one", importedText, record(`"page": 4`, `"page": -4`), nil, ""},
		{"an anchor of two lines", importedText, record(`"page": 4`, `"anchor": "a\nb"`), nil, ""},
		{"a reason that leaves the file out", importedText, record("read in part: ", ""), nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				name = filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			write("terms.pdf.md", tc.text)
			if tc.record != "" {
				write(RecordPath("terms.pdf.md"), tc.record)
			}
			f, err := Open(t.Context(), Manual{Dir: dir}, "terms.pdf.md")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, f.Source(3, 3)); diff != "" || f.Lacks() != tc.lacks {
				t.Error(diff, f.Lacks())
			}
		})
	}
}

// FuzzImported reads any record: its content is safe to show, and its places are in order.
func FuzzImported(f *testing.F) {
	f.Add(record())
	f.Add(`{"document": "a", "places": [{"line": 1}, {"line": 1}]}`)
	f.Fuzz(func(t *testing.T, src string) {
		r, err := decodeImported(strings.NewReader(src))
		if err != nil {
			return
		}
		if !inOneLine(r.Document) || r.Document == "" || !inOneLine(r.Lacks) || r.Lacks != "" && !Partial(r.Lacks) {
			t.Errorf("%q %q", r.Document, r.Lacks)
		}
		from := r.origin(r.Text)
		last := 0
		for _, p := range from.Places {
			if p.Line <= last || p.Page < 0 {
				t.Errorf("%v", from.Places)
			}
			last = p.Line
		}
		from.span(7, 7)
	})
}

// A document too large to be hashed is not opened, whatever hash a stranger wrote into the record.
func TestARecordOpensNoDocumentThatIsNotHashed(t *testing.T) {
	dir, large := t.TempDir(), filepath.Join(t.TempDir(), "large.pdf")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, ImportFolder), 0o755),
		os.WriteFile(filepath.Join(dir, "a.md"), []byte(importedText), 0o644),
		os.WriteFile(large, nil, 0o644), os.Truncate(large, MaxDocument+1)); err != nil { // a sparse file
		t.Fatal(err)
	}
	for _, sum := range [][32]byte{{}, sha256.Sum256(nil)} {
		src := fmt.Sprintf(`{"document": "large.pdf", "source": %q, "sha256": "%x"}`, large, sum)
		if err := os.WriteFile(filepath.Join(dir, RecordPath("a.md")), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		if f, err := OpenStored(t.Context(), Manual{ID: "m", Dir: dir}, "a.md"); toolset.AsError(err).Code != toolset.NotFound {
			t.Errorf("hash %x: %v, %v", sum, f, err)
		}
	}
}
