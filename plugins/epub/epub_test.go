package epub

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// packed returns a zip archive of files, given as pairs of name and content.
func packed(pairs ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, _ := z.Create(pairs[i])
		w.Write([]byte(pairs[i+1]))
	}
	z.Close()
	return b.Bytes()
}

const container = `<container><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

// opf returns a package document with pages in the order of its spine and further items in its manifest.
func opf(manifest string, pages ...string) string {
	var items, spine strings.Builder
	for i, page := range pages {
		fmt.Fprintf(&items, `<item id="i%d" href="%s" media-type="application/xhtml+xml"/>`, i, page)
		fmt.Fprintf(&spine, `<itemref idref="i%d"/>`, i)
	}
	return `<package xmlns:dc="dc"><metadata><dc:title> The
book</dc:title><dc:title>Subtitle</dc:title></metadata><manifest>` + items.String() + manifest + `</manifest><spine>` + spine.String() + `</spine></package>`
}

// bookFile returns a book with a package document and further files.
func bookFile(opf string, more ...string) []byte {
	return packed(append([]string{"mimetype", "application/epub+zip", "META-INF/container.xml", container, "OEBPS/content.opf", opf}, more...)...)
}

func convert(src []byte) (*sdk.Converted, error) {
	return New().Convert(context.Background(), sdk.Document{Content: bytes.NewReader(src), Size: int64(len(src))})
}

func shown(t *testing.T, src []byte) string {
	t.Helper()
	out, err := convert(src)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, block := range out.Blocks {
		fmt.Fprintf(&b, "%s %s {%s}\n", strings.Repeat("#", block.Level), block.Heading, block.Place.Anchor)
		if block.Text != "" {
			b.WriteString(block.Text + "\n")
		}
	}
	for _, p := range out.Problems {
		fmt.Fprintf(&b, "! %s: %s\n", p.Place.Anchor, p.Reason)
	}
	return b.String()
}

func TestBook(t *testing.T) {
	const ncx = `<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx><docTitle><text>no</text></docTitle>
<navMap><navPoint><navLabel><text>第一章</text></navLabel><content src="b%20c.xhtml"/><navPoint><navLabel><text>節</text></navLabel><content src="b%20c.xhtml#s"/>
</navPoint></navPoint></navMap></ncx>`
	const nav = `<html xmlns:epub="e"><nav epub:type="landmarks"><ol><li><a href="a.xhtml">Cover</a></li></ol></nav>
<nav epub:type="toc"><ol><li><a href="b%20c.xhtml">第一章</a><ol><li><a href="b%20c.xhtml#s"><b>節</b></a></li></ol></li></ol></nav></html>`
	pages := []string{"OEBPS/a.xhtml", "<h1 id='x'>A</h1><p>See <a href='b%20c.xhtml'>there</a>.</p><aside>note</aside>", "OEBPS/b c.xhtml",
		`<?xml version="1.0" encoding="EUC-JP"?><body><p>` + "\xca\xdd" + `</p><p id="s">text</p></body>`, "OEBPS/out.xhtml", "<p>outside the spine"}
	const want = "# A {a.xhtml#x}\nSee [there](<b%20c.xhtml>).\n\nnote\n# 第一章 {b c.xhtml}\n保\n## 節 {b c.xhtml#s}\ntext\n"
	for name, src := range map[string][]byte{
		"EPUB 2": bookFile(opf(`<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`, "a.xhtml", "b%20c.xhtml"),
			append(pages, "OEBPS/toc.ncx", ncx)...),
		"EPUB 3": bookFile(opf(`<item id="n" href="nav.xhtml" properties="scripted nav" media-type="application/xhtml+xml"/>`, "a.xhtml", "b%20c.xhtml"),
			append(pages, "OEBPS/nav.xhtml", nav)...),
	} {
		if got := shown(t, src); got != strings.Replace(want, "<b%20c.xhtml>", "b%20c.xhtml", 1) {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
		if out, _ := convert(src); out.Title != "The book" {
			t.Errorf("%s: the title is %q", name, out.Title)
		}
	}
}

func TestHostileBooks(t *testing.T) {
	const many = 20000
	page := func(name string) string {
		return `<encryption><EncryptedData><EncryptionMethod Algorithm="a"/><CipherReference URI="` + name + `"/></EncryptedData></encryption>`
	}
	good := bookFile(opf("", "a.xhtml"), "OEBPS/a.xhtml", "<p>text")
	for _, c := range []struct {
		name  string
		src   []byte
		error string // part of the error; "" if there is a text
		want  string
	}{
		{"0 bytes", nil, "empty", ""},
		{"HTML", []byte("<html>"), "no zip archive", ""},
		{"a cut zip", good[:len(good)-30], "damaged or cut off", ""},
		{"another zip", packed("a", "b"), "no EPUB", ""},
		{"no package", packed("META-INF/container.xml", container), "no EPUB", ""},
		{"a package that is no XML", bookFile("\x00\x01"), "no EPUB", ""},
		{"an empty spine", bookFile(opf("")), "no EPUB", ""},
		{"no chapter", bookFile(opf("", "a.xhtml", "b.xhtml")), "no chapter can be read", ""},
		{"DRM", bookFile(opf("", "a.xhtml"), "OEBPS/a.xhtml", "\x93\x12", "META-INF/encryption.xml", page("OEBPS/a.xhtml")), "encrypted against copying", ""},
		{"an encrypted font", bookFile(opf("", "a.xhtml"), "OEBPS/a.xhtml", "<p>text", "META-INF/encryption.xml", page("OEBPS/f.otf")), "", "  {a.xhtml}\ntext\n"},
		{"entities", bookFile(`<!DOCTYPE p [<!ENTITY a "b">]>`+opf("", "a.xhtml"), "OEBPS/a.xhtml", "<p>text"), "no EPUB", ""},
		{"a bomb", bookFile(opf("", "a.xhtml", "b.xhtml"), "OEBPS/a.xhtml", strings.Repeat(" ", 64<<20), "OEBPS/b.xhtml", "<p>text"), "",
			"  {b.xhtml}\ntext\n! a.xhtml: \"OEBPS/a.xhtml\" is too large when unpacked\n"},
		{"a name that leads out", bookFile(opf("", "../../../../etc/passwd", "a.xhtml"), "OEBPS/a.xhtml", "<p>text"), "", "  {a.xhtml}\ntext\n! ../../../../etc/passwd: \""},
		{"a chapter twice", bookFile(opf(`<item id="x" href="a.xhtml" media-type="image/png"/>`, "a.xhtml"), "OEBPS/a.xhtml", "<p>text"), "", "  {a.xhtml}\ntext\n"},
		{"deep contents", bookFile(opf(`<item id="n" href="n" properties="nav"/>`, "a.xhtml"), "OEBPS/a.xhtml", "<p>text", "OEBPS/n",
			"<nav type='toc'>"+strings.Repeat("<ol><li>", many)), "", "  {a.xhtml}\ntext\n"},
		{"a chapter in UTF-16", bookFile(opf("", "a.xhtml"), "OEBPS/a.xhtml", "\xff\xfe<\x00p\x00>\x00\xdd\x4f"), "", "  {a.xhtml}\n保\n"},
		{"a chapter of an unknown encoding", bookFile(opf("", "a.xhtml", "b.xhtml"), "OEBPS/a.xhtml", "<meta charset=x-klingon><p>\xb1\xa3", "OEBPS/b.xhtml", "<p>text"), "",
			"  {b.xhtml}\ntext\n! a.xhtml: the encoding \"x-klingon\" is not known\n"},
		{"pictures alone", bookFile(opf("", "a.xhtml"), "OEBPS/a.xhtml", "<img src=a.jpg>"), "", "! : no text\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.error != "" {
				if out, err := convert(c.src); err == nil || !strings.Contains(err.Error(), c.error) {
					t.Errorf("got %+v, %v; want an error that says %q", out, err, c.error)
				}
				return
			}
			if got := shown(t, c.src); !strings.HasPrefix(got, c.want) {
				t.Errorf("got %.300q, want %q", got, c.want)
			}
		})
	}
}

func FuzzBook(f *testing.F) {
	f.Add(opf("", "a"), "<navPoint><text>t</text><content src='a#b'/></navPoint>", "<p id=b>x")
	f.Add(opf("", "a"), "<nav type='toc'><ol><li><a href='a'>t</a></ol></nav>", "<h1>x")
	f.Fuzz(func(t *testing.T, opf, contents, page string) {
		out, err := convert(bookFile(opf+`<item properties="nav" href="n"/>`, "OEBPS/n", contents, "OEBPS/a", page))
		if err != nil {
			return
		}
		for _, b := range out.Blocks {
			if b.Level < 0 || b.Level > 6 || !utf8.ValidString(b.Heading+b.Text+b.Place.Anchor) {
				t.Errorf("a block %+v", b)
			}
		}
	})
}

func TestConformance(t *testing.T) {
	name := filepath.Join(t.TempDir(), "book.epub")
	src := bookFile(opf("", "a.xhtml", "b.xhtml"), "OEBPS/a.xhtml", "<h1>A</h1><p>text", "OEBPS/b.xhtml", strings.Repeat("<p>b", 1000))
	if err := os.WriteFile(name, src, 0o600); err != nil {
		t.Fatal(err)
	}
	sdktest.RunConverter(t, New, name)
}
