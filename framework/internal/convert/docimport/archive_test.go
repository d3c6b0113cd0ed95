package docimport_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/sagasu-search/sagasu/framework/internal/convert/docimport"
)

// packed is a file of an archive.
type packed struct {
	zip.FileHeader
	text string
}

func pack(t *testing.T, name string, files ...packed) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		f.Method = zip.Deflate
		out, err := w.CreateHeader(&f.FileHeader)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(f.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, name, b.String())
}

// imports runs an import that must succeed.
func imports(t *testing.T, into string, sources ...string) docimport.Report {
	t.Helper()
	r, err := docimport.Run(context.Background(), docimport.Options{Sources: sources, Dir: into})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestImportArchive(t *testing.T) {
	dir := t.TempDir()
	src, into := filepath.Join(dir, "book.zip"), filepath.Join(dir, "manual")
	text := func(name, text string) packed { return packed{zip.FileHeader{Name: name}, text} }
	link := text("link.md", "a.md")
	link.SetMode(fs.ModeSymlink | 0o777)
	secret := text("secret.md", "# Secret\n")
	secret.Flags = 1
	pack(t, src,
		text("a.md", "# A\n"), text("deep/b.txt", "B\n"), text(`win\c.md`, "# C\n"), text("a.md", "# Again\n"),
		text("image.png", "no text"), text(".git/d.md", "# D\n"), text("__MACOSX/._a.md", "# E\n"), text("in.zip", "PK"),
		text("../out.md", "# Out\n"), text("/abs.md", "# Abs\n"), text("x/../../y.md", "# Y\n"), text("c:/z.md", "# Z\n"),
		text("line\nbreak.md", "# L\n"), text("end .md /f.md", "# F\n"), link, secret, text("nul.md", "\x00"),
		text("a.md/under.md", "# U\n"), text("over.md/o.md", "# O\n"), text("over.md", "# Over\n"),
		text(strings.Repeat("n", 260)+".md", "# Long\n"), text(strings.Repeat("n", 250)+".md", "# Record too long\n"),
		text("zeros.md", strings.Repeat("\x00", 33<<20)), text("growth.md", strings.Repeat("a", 8<<20)),
	)
	r := imports(t, into, src)
	want := []string{"book/a.md", "book/deep/b.txt", "book/win/c.md", "book/over.md/o.md"}
	if diff := cmp.Diff(want, r.Written); diff != "" {
		t.Error(diff)
	}
	skipped := map[string]string{}
	for _, s := range r.Skipped {
		skipped[s.Path] += s.Reason
	}
	for name, reason := range map[string]string{
		"a.md": "another document has its name", "in.zip": "an archive in an archive", "../out.md": "leads out",
		"/abs.md": "leads out", "x/../../y.md": "leads out", "c:/z.md": "leads out", "line\ufffdbreak.md": "",
		"end .md /f.md": "", "link.md": "a link", "secret.md": "encrypted", "nul.md": "NUL", "zeros.md": "too large",
		"growth.md": "too large", "a.md/under.md": "not a directory", "over.md": "no regular file",
		strings.Repeat("n", 260) + ".md": "unpacked: file name too long", strings.Repeat("n", 250) + ".md": "file name too long",
	} {
		got, ok := skipped["book.zip/"+name]
		if delete(skipped, "book.zip/"+name); !ok || got == "" || !strings.Contains(got, reason) {
			t.Errorf("%q is skipped for %q, want %q", name, got, reason)
		}
	}
	if len(skipped) > 0 {
		t.Errorf("skipped as well: %v", skipped)
	}
	for _, name := range []string{"out.md", "manual/out.md", "y.md"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was written: a name led out of its archive", name)
		}
	}

	pack(t, src, text("a.md", "# A\n"), text("deep/b.txt", "B, anew\n"))
	r = imports(t, into, src)
	if r.Unchanged != 1 || !cmp.Equal(r.Written, []string{"book/deep/b.txt"}) ||
		!cmp.Equal(r.Removed, []string{"book/over.md/o.md", "book/win/c.md"}) {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(into, "book", "win")); err == nil {
		t.Error("a folder that is empty stays")
	}
	whole, err := os.ReadFile(src)
	if err != nil {
		t.Fatal(err)
	}
	put(t, src, string(whole[:len(whole)/2]))
	other := filepath.Join(dir, "other.md")
	put(t, other, "# Other\n")
	r = imports(t, into, src, other)
	if len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "damaged or cut off") || len(r.Removed) > 0 ||
		!cmp.Equal(r.Written, []string{"other.md"}) {
		t.Errorf("an archive that is cut off: %+v", r)
	}
	if text, _ := os.ReadFile(filepath.Join(into, "book", "a.md")); string(text) != "# A\n" {
		t.Error("an import that failed removed what stood there")
	}
}

// TestBombOfFiles unpacks no more from many small files than from a large one.
func TestBombOfFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at once")
	}
	dir := t.TempDir()
	var files []packed
	for i := range 40 {
		files = append(files, packed{zip.FileHeader{Name: fmt.Sprintf("%02d.md", i)}, strings.Repeat("a", 3<<20)})
	}
	pack(t, filepath.Join(dir, "a.zip"), files...)
	r := imports(t, filepath.Join(dir, "m"), filepath.Join(dir, "a.zip"))
	if n := len(r.Written); n != 21 || len(r.Skipped) != 19 || !strings.Contains(r.Skipped[0].Reason, "too large") {
		t.Errorf("%d texts were written, %d skipped", n, len(r.Skipped))
	}
}

// TestConverterIsGone imports again what nothing converts any more: imported texts stay.
func TestConverterIsGone(t *testing.T) {
	dir := t.TempDir()
	into, zipped, folder := filepath.Join(dir, "m"), filepath.Join(dir, "a.zip"), filepath.Join(dir, "b")
	pack(t, zipped, packed{zip.FileHeader{Name: `win\a.html`}, "A"}, packed{zip.FileHeader{Name: "b.html"}, "B"})
	put(t, filepath.Join(folder, "c.html"), "C")
	s := newSite(t, map[string]string{"/d.html": "text/html\nD"})
	o := docimport.Options{Dir: into, Sources: []string{zipped, folder, s.URL + "/d.html"}, Documents: anything{},
		Network: []string{s.Listener.Addr().String()}, Limit: 9}
	run := func() docimport.Report {
		t.Helper()
		r, err := docimport.Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := run(); len(r.Written) != 4 {
		t.Fatalf("%+v", r)
	}
	o.Documents = nil
	s.change("/d.html", "text/html\nDee")
	if r := run(); len(r.Removed) > 0 {
		t.Errorf("removed %v", r.Removed)
	}
	pack(t, zipped, packed{zip.FileHeader{Name: "b.html"}, "B"})
	if r := run(); !cmp.Equal(r.Removed, []string{"a/win/a.html.md"}) {
		t.Errorf("removed %v", r.Removed)
	}
}

// TestNamesInArchives packs files as common archivers do.
func TestNamesInArchives(t *testing.T) {
	for _, tc := range []struct {
		name  string
		in    encoding.Encoding // nil for UTF-8
		flag  bool              // the archive marks the name as UTF-8
		field string            // the name in the Unicode extra field
		names []string
	}{
		{name: "flag", flag: true, names: []string{"説明書.md", "Größe.md"}},
		{name: "UTF-8 without the flag", names: []string{"説明書.md", "料金.md"}},
		{name: "Shift_JIS", in: japanese.ShiftJIS, names: []string{"規約/第一章.md", "マニュアル.md", "表.md"}},
		{name: "Shift_JIS, kana", in: japanese.ShiftJIS, names: []string{"マニュアル.md"}},
		{name: "EUC-JP", in: japanese.EUCJP, names: []string{"説明書.md", "料金.md"}},
		{name: "GBK", in: simplifiedchinese.GBK, names: []string{"用户手册.md", "第一章/退款.md"}},
		{name: "EUC-KR", in: korean.EUCKR, names: []string{"사용자 설명서.md", "환불.md"}},
		{name: "code page 437", in: charmap.CodePage437,
			names: []string{"Größe/Übersicht.md", "Häufig.md", "Rückgabe.md"}},
		{name: "code page 437, one word", in: charmap.CodePage437, names: []string{"café.md"}},
		{name: "code page 850", in: charmap.CodePage850, names: []string{"Übergröße.md"}},
		{name: "code page 866", in: charmap.CodePage866, names: []string{"Руководство.md"}},
		{name: "Latin-1", in: charmap.Windows1252, names: []string{"Größe.md", "Übersicht.md"}},
		{name: "field for Unicode", in: charmap.CodePage437, field: "説明書.md", names: []string{"manual.md"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			var files []packed
			var want []string
			for _, name := range tc.names {
				raw := name
				if tc.in != nil {
					var err error
					if raw, err = tc.in.NewEncoder().String(name); err != nil {
						t.Fatal(err)
					}
				}
				f := packed{zip.FileHeader{Name: raw, NonUTF8: !tc.flag}, "# " + name + "\n"}
				if tc.field != "" {
					name = tc.field
					f.Extra = binary.LittleEndian.AppendUint16(f.Extra, 0x7075)
					f.Extra = binary.LittleEndian.AppendUint16(f.Extra, uint16(5+len(name)))
					f.Extra = binary.LittleEndian.AppendUint32(append(f.Extra, 1), crc32.ChecksumIEEE([]byte(raw)))
					f.Extra = append(f.Extra, name...)
				}
				files, want = append(files, f), append(want, "x/"+name)
			}
			pack(t, filepath.Join(dir, "x.zip"), files...)
			r := imports(t, filepath.Join(dir, "manual"), filepath.Join(dir, "x.zip"))
			if diff := cmp.Diff(want, r.Written); diff != "" {
				t.Error(diff, r.Skipped)
			}
		})
	}
}

// FuzzArchive imports any bytes as an archive, and nothing is written outside the manual.
func FuzzArchive(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, src []byte) {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "x.zip"), string(src))
		_, _ = docimport.Run(context.Background(), docimport.Options{
			Sources: []string{filepath.Join(dir, "x.zip")}, Dir: filepath.Join(dir, "manual")})
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) > 2 {
			t.Errorf("%v %v", entries, err)
		}
	})
}
