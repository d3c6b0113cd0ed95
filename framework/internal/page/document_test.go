package page

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

// leaves is a converter that is compiled in. Its documents are pages with a form feed between them.
type leaves struct{}

func (leaves) DescribeConverter() sdk.ConverterDescription {
	return sdk.ConverterDescription{Name: "leaves", Version: "1",
		Formats: []sdk.Format{{MediaType: "application/pdf", Extensions: []string{".pdf", ".html"}}}}
}

func (leaves) Convert(_ context.Context, doc sdk.Document) (*sdk.Converted, error) {
	src, err := io.ReadAll(io.NewSectionReader(doc.Content, 0, doc.Size))
	out := &sdk.Converted{}
	for i, page := range strings.Split(string(src), "\f") {
		heading, text, _ := strings.Cut(page, "\n")
		out.Blocks = append(out.Blocks, sdk.Block{Level: 1, Heading: heading, Text: text, Place: sdk.Place{Page: i + 1}})
	}
	return out, err
}

// imported returns the record of a text on the third page of a document with some content.
func imported(source, document, content, text string) string {
	return fmt.Sprintf(`{"document": %q, "source": %q, "sha256": "%x", "text_sha256": "%x", "places": [{"line": 1, "page": 3}]}`,
		document, source, sha256.Sum256([]byte(content)), sha256.Sum256([]byte(text)))
}

func TestDocuments(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "f.pdf")
	if err := os.WriteFile(outside, []byte("of a barge"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serve(t, map[string]string{
		"m/a b.pdf": "Before\nNothing.\fFees\nA courier costs 900 yen.", "m/c.html": "Script\n<script>alert(1)</script>",
		"m/d.md": "# Text\n\nNothing.\n", "m/.git/e.pdf": "Hidden\nNothing.",
		"m/f.md": "# Imported\n\nA barge.\n", "m/.import/f.md.json": imported(outside, "f.pdf", "of a barge",
			"# Imported\n\nA barge.\n"),
		"m/g.md": "# Gathered\n\nA dinghy.\n", "m/.import/g.md.json": imported("https://docs.example/g.pdf",
			"https://docs.example/g.pdf", "", "# Gathered\n\nA dinghy.\n"),
		"m/z.md": "# Packed\n\nA punt.\n", "m/.import/z.md.json": imported("/a/b.zip/f.pdf", "b.zip/f.pdf", "",
			"# Packed\n\nA punt.\n"),
		"m/h.md": "# Guessed\n", "m/.import/h.md.json": imported(outside, "f.pdf", "of something else", ""),
		"m/i.md": "# Folder\n", "m/.import/i.md.json": imported(filepath.Dir(outside), "f.pdf", "", ""),
		"m/j.md": "# Near\n", "m/.import/j.md.json": imported("j.md", "f.pdf", "# Near\n", ""),
	}, nil)
	for what, want := range map[string]string{
		"barge":  `<a href="file/m/f.md#page=3" title="f.pdf"><bdi>p. 3</bdi></a>`,
		"dinghy": `<a href="https://docs.example/g.pdf#page=3" title="https://docs.example/g.pdf"><bdi>p. 3</bdi></a>`,
		"punt":   `<span title="b.zip/f.pdf"><bdi>p. 3</bdi></span>`,
	} {
		if html := s.get("?q="+what, "en").Body.String(); !strings.Contains(html, want) {
			t.Errorf("%s: the hit does not say where in its document it stands: %s", what, html)
		}
	}
	if html := s.get("?q=courier", "en").Body.String(); !strings.Contains(html, `<a href="file/m/a%20b.pdf#page=2"><bdi>p. 2</bdi></a>`) {
		t.Errorf("the hit does not lead to its page: %s", html)
	}
	if html := s.get("read?manual=m&path=a+b.pdf&line=5", "en").Body.String(); !strings.Contains(html, "file/m/a%20b.pdf#page=2") {
		t.Errorf("the text does not lead to its page: %s", html)
	}
	const changed = "the source f.pdf has changed since it was imported, or is gone; import it again"
	if html := s.get("file/m/h.md", "en").Body.String(); !strings.Contains(html, changed) {
		t.Errorf("a page that does not say why: %s", html)
	}
	if html := s.get("file/m/z.md", "en").Body.String(); !strings.Contains(html, "b.zip/f.pdf lies in an archive") {
		t.Errorf("a page that does not say why: %s", html)
	}
	for _, tc := range []struct {
		address, kind, disposition string
		code                       int
		sandboxed                  bool
	}{
		{"file/m/a%20b.pdf", "application/pdf", `inline; filename="a b.pdf"`, http.StatusOK, false},
		{"file/m/c.html", "application/octet-stream", "attachment; filename=c.html", http.StatusOK, true},
		{"file/m/d.md", "", "", http.StatusBadRequest, false},
		{"file/m/f.md", "application/pdf", "inline; filename=f.pdf", http.StatusOK, false},
		{"file/m/g.md", "", "", http.StatusNotFound, false},
		{"file/m/h.md", "", "", http.StatusNotFound, false},
		{"file/m/i.md", "", "", http.StatusNotFound, false},
		{"file/m/j.md", "", "", http.StatusNotFound, false},
		{"file/m/.git/e.pdf", "", "", http.StatusBadRequest, false},
		{"file/m/none.pdf", "", "", http.StatusNotFound, false},
		{"file/none/a.pdf", "", "", http.StatusNotFound, false},
	} {
		w := s.get(tc.address, "en")
		h := w.Header()
		if w.Code != tc.code {
			t.Errorf("%s: %d, want %d", tc.address, w.Code, tc.code)
		}
		if tc.kind == "" {
			continue
		}
		if h.Get("Content-Type") != tc.kind || h.Get("Content-Disposition") != tc.disposition ||
			h.Get("X-Content-Type-Options") != "nosniff" || strings.Contains(h.Get("Content-Security-Policy"), "sandbox") != tc.sandboxed {
			t.Errorf("%s: %v", tc.address, h)
		}
	}
}

// A page is cited even if the text of the document is no longer kept.
func TestAPageIsCitedOfATextThatIsNotKept(t *testing.T) {
	dir := ""
	s := serve(t, map[string]string{"m/a.pdf": "Before\nNothing.\fFees\nA courier costs 900 yen."},
		func(o *Options) { dir = filepath.Dir(filepath.Dir(o.Judged)) })
	const want = `href="file/m/a.pdf#page=2"`
	if html := s.get("?q=courier", "en").Body.String(); !strings.Contains(html, want) {
		t.Fatalf("the hit does not lead to its page: %s", html)
	}
	removed := 0
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".text" {
			removed++
			err = os.Remove(name)
		}
		return err
	})
	if err != nil || removed == 0 {
		t.Fatalf("%d texts removed: %v", removed, err)
	}
	if html := s.get("?q=courier+yen", "en").Body.String(); !strings.Contains(html, want) {
		t.Errorf("the hit does not lead to its page: %s", html)
	}
}
