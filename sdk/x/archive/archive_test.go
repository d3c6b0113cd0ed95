package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

// packed returns a zip archive of files, given as pairs of name and content.
func packed(pairs ...string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: zip.Deflate, NonUTF8: true})
		w.Write([]byte(pairs[i+1]))
	}
	z.Close()
	return b.Bytes()
}

func document(src []byte) sdk.Document {
	return sdk.Document{Content: bytes.NewReader(src), Size: int64(len(src))}
}

func opened(t *testing.T, pairs ...string) *Archive {
	t.Helper()
	a, err := Open(document(packed(pairs...)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestNames(t *testing.T) {
	a := opened(t, "A/B.xml", "one", `c\d.xml`, "two", "../../e", "three", "/f", "four", "\x95\xdb\x8f\xd8.xml", "five", "a/b.XML", "six")
	for name, want := range map[string]string{
		"a/b.xml": "one", "A/./x/../B.xml": "one", "c/d.xml": "two", "e": "three", "../e": "three", "/f": "four", "保証.xml": "five",
	} {
		if got, err := a.Read(name); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v; want %q", name, got, err, want)
		}
	}
	if _, err := a.Read("gone"); !errors.Is(err, fs.ErrNotExist) || a.Has("gone") {
		t.Errorf("gone: %v", err)
	} else if want := `"gone" is missing from the file`; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNamesInOtherEncodings reads names that archivers wrote in the encoding of their machine.
func TestNamesInOtherEncodings(t *testing.T) {
	for name, written := range map[string]string{
		"取扱説明書.html":       "\xbc\xe8\xb0\xb7\xc0\xe2\xcc\xc0\xbd\xf1.html",     // EUC-JP
		"用户手册.html":        "\xd3\xc3\xbb\xa7\xca\xd6\xb2\xe1.html",             // GBK
		"Руководство.html": "\x90\xe3\xaa\xae\xa2\xae\xa4\xe1\xe2\xa2\xae.html", // code page 866
		"Größe.html":       "Gr\x94\xe1e.html",                                  // code page 437
		"能力表示ソ.html":       "\x94\\\x97\xcd\x95\\\x8e\xa6\x83\\.html",           // Shift_JIS, with bytes of a backslash
	} {
		a := opened(t, written, "one")
		if got, err := a.Read(name); err != nil || string(got) != "one" {
			t.Errorf("%s: %q, %v; the names are %q", name, got, err, a.Names())
		}
	}
}

func TestBounds(t *testing.T) {
	a := opened(t, "bomb", strings.Repeat("\x00", 16<<20), "small", strings.Repeat("ab", free/2))
	if _, err := a.Read("bomb"); err == nil || !strings.Contains(err.Error(), "too large when unpacked") {
		t.Errorf("a bomb: %v", err)
	}
	reads := 0
	for ; reads < 1000; reads++ {
		if _, err := a.Read("small"); err != nil {
			break
		}
	}
	if want := (maxTotal - 16<<20) / free; reads > want+4 || reads < want-4 {
		t.Errorf("%d reads of %d bytes", reads, free)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range 300000 {
		z.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("%030d", i)})
	}
	z.Close()
	if _, err := Open(document(b.Bytes())); err == nil || !strings.Contains(err.Error(), "list of files is too long") {
		t.Errorf("many files: %v", err)
	}
}

func TestXML(t *testing.T) {
	a := opened(t, "a", `<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE a><a x="1"><!-- c --><b>t<c>u</c>&nbsp;&lt;</b><d><e/></d><f>v</f></a>`,
		"open", "<a><b>", "deep", strings.Repeat("<a>", maxDepth+1), "entities", `<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>`)
	ctx := context.Background()
	x, err := a.XML(ctx, "a")
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	err = x.Each(func(e xml.StartElement) (bool, error) {
		seen = append(seen, e.Name.Local+Attribute(e, "x"))
		if e.Name.Local == "b" {
			text, err := x.Text()
			seen = append(seen, text)
			return false, err
		}
		return e.Name.Local != "d", nil
	})
	if got := strings.Join(seen, " "); err != nil || got != "a1 b tu&nbsp;< d f" {
		t.Errorf("%q, %v", got, err)
	}
	for name, want := range map[string]string{"open": "EOF", "deep": "too deep", "entities": "declares entities"} {
		x, err := a.XML(ctx, name)
		if err == nil {
			err = x.Each(func(xml.StartElement) (bool, error) { return true, nil })
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	x, _ = a.XML(ctx, "open")
	x.Next()
	if err := x.Skip(); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("an open element was skipped: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(packed("a", "<a>b</a>"))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, src []byte) {
		a, err := Open(document(src))
		if err != nil {
			return
		}
		for name := range a.files {
			x, err := a.XML(context.Background(), name)
			if err == nil {
				x.Each(func(xml.StartElement) (bool, error) { return true, nil })
			}
		}
	})
}
