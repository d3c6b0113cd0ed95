package html

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// packed returns a zip archive of files, given as pairs of name and content. A content that begins with -> is a link.
func packed(pairs ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		h := &zip.FileHeader{Name: pairs[i], Method: zip.Deflate}
		if strings.HasPrefix(pairs[i+1], "->") {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		w, _ := z.CreateHeader(h)
		w.Write([]byte(pairs[i+1]))
	}
	z.Close()
	return b.Bytes()
}

func convertZip(src []byte) (*sdk.Converted, error) {
	return New().Convert(context.Background(),
		sdk.Document{MediaType: archiveType, Content: bytes.NewReader(src), Size: int64(len(src))})
}

// A site consists of its pages, with the index of a folder first, each below a heading of the highest level.
func TestSite(t *testing.T) {
	out, err := convertZip(packed(
		"site/b.html", "<title>B</title><h2 id=x>Fees</h2><p>A courier costs 900 yen.", "site/style.css", "b {}",
		"site/deep/a.htm", "<h1>Deep</h1><p>one<h2>Two</h2><p>two", "site/index.html", "<p>Welcome.", "site/pic.png", "PNG",
		"site/a.md", "---\ntitle: no\n---\n# Alpha\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## Beta *x*\n\n<b>raw</b> text\n",
		"\x95\xdb\x8f\xd8.html", "<meta charset=Shift_JIS><h1>\x95\xdb\x8f\xd8</h1>", "site/terms.pdf", "%PDF", "site/in.zip", "PK", "site/list.xltx", "PK",
		"__MACOSX/site/b.html", "<p>no", ".git/c.html", "<p>no", "link.html", "->b.html", "../../out.html", "<h1>Out</h1><p>o",
	))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, b := range out.Blocks {
		fmt.Fprintf(&got, "%d %s {%s} %s\n", b.Level, b.Heading, b.Place.Anchor, strings.ReplaceAll(b.Text, "\n", "/"))
	}
	for _, p := range out.Problems {
		fmt.Fprintf(&got, "! %s: %s\n", p.Place.Anchor, p.Reason)
	}
	const want = `1 Out {out.html} o
1 site/index.html {site/index.html} ` + `
0  {site/index.html} Welcome.
1 Alpha {site/a.md} | a | b |/| --- | --- |/| 1 | 2 |
2 Beta x {} raw text
1 B {site/b.html} ` + `
2 Fees {site/b.html#x} A courier costs 900 yen.
1 Deep {site/deep/a.htm} one
2 Two {} two
1 保証 {保証.html} ` + `
! site/in.zip: ` + nested + `
! site/list.xltx: ` + elsewhere + `
! site/terms.pdf: ` + elsewhere + `
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestHostileArchives(t *testing.T) {
	var many []string
	for i := range border.MaxProblems + 100 {
		many = append(many, fmt.Sprintf("%d.pdf", i), "")
	}
	good := packed("a.html", "<p>text")
	for _, c := range []struct {
		name  string
		src   []byte
		error string // part of the error; "" if there is a text
		want  string // in the first problem
	}{
		{"0 bytes", nil, "empty", ""},
		{"HTML", []byte("<html>"), "no zip archive", ""},
		{"a cut zip", good[:len(good)-30], "damaged or cut off", ""},
		{"no pages", packed("a.png", "PNG", ".hidden/a.html", "<p>x"), "holds no pages", ""},
		{"documents alone", packed("a.pdf", "%PDF", "b.docx", "PK"), "a.pdf: not read in this archive", ""},
		{"a bomb", packed("a.html", strings.Repeat(" ", 64<<20)), "too large when unpacked", ""},
		{"a bomb beside a page", packed("a.html", strings.Repeat(" ", 64<<20), "b.html", "<p>x"), "", "too large when unpacked"},
		{"an encoding that is not known", packed("a.md", "# \xb1\xa3\xff\xfe\x00", "b.html", "<p>x"), "", "a.md: "},
		{"a name in two lines", packed("a\nb.html", "<p>x", "b.html", "<p>x"), "", ""},
		{"a long name", packed(strings.Repeat("n", 2000)+".html", "<p>x", "b.html", "<p>x"), "", ""},
		{"many documents", packed(append(many, "b.html", "<p>x")...), "", "0.pdf: not read"},
		{"deep Markdown", packed("a.md", strings.Repeat("> ", 5000)+"x", "b.html", "<p>x"), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := convertZip(c.src)
			if c.error != "" {
				if err == nil || !strings.Contains(err.Error(), c.error) {
					t.Errorf("got %+v, %v; want an error that says %q", out, err, c.error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := border.CheckConverted(out); err != nil {
				t.Error(err)
			}
			problem := ""
			if len(out.Problems) > 0 {
				problem = out.Problems[0].Place.Anchor + ": " + out.Problems[0].Reason
			}
			if (problem == "") != (c.want == "") || !strings.Contains(problem, c.want) {
				t.Errorf("the problem is %q, want %q", problem, c.want)
			}
		})
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(packed("a.html", "<h2>x", "b.md", "# x", "c.pdf", ""))
	f.Fuzz(func(t *testing.T, src []byte) {
		if out, err := convertZip(src); err == nil {
			if err := border.CheckConverted(out); err != nil {
				t.Error(err)
			}
		}
	})
}
