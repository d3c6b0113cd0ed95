package cli

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

// hostile is a file that somebody made to do harm, or that came to harm.
type hostile struct {
	name, content string
	reason        string // part of why it is not read, or in part
}

// zipped returns an archive of files: a name and a content in turn.
func zipped(parts ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, _ := z.Create(parts[i])
		_, _ = w.Write([]byte(parts[i+1])) // into memory
	}
	_ = z.Close() // into memory
	return b.String()
}

// lockedZip returns an archive all of whose files say that they are encrypted.
func lockedZip(archive string) string {
	src := []byte(archive)
	for i := range len(src) - 8 {
		switch string(src[i : i+4]) {
		case "PK\x03\x04":
			src[i+6] |= 1
		case "PK\x01\x02":
			src[i+8] |= 1
		}
	}
	return string(src)
}

// badSum returns an archive of one file whose checksum is that of another.
func badSum(archive, name, content string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.CreateRaw(&zip.FileHeader{Name: name, UncompressedSize64: uint64(len(content)),
		CompressedSize64: uint64(len(content)), CRC32: crc32.ChecksumIEEE([]byte(archive))})
	_, _ = w.Write([]byte(content)) // into memory
	_ = z.Close()                   // into memory
	return b.String()
}

const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`

// office returns a document of Office: its kind of main part, that part, and further parts.
func office(part, main string, more ...string) string {
	const kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
	return zipped(append([]string{"_rels/.rels", relations + `<Relationship Id="r" Type="` + kind + `" Target="` + part +
		`"/></Relationships>`, part, main}, more...)...)
}

func word(body string, more ...string) string {
	return office("word/document.xml",
		`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" `+

			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>`+
			body+`</w:body></w:document>`,
		more...)
}

func book(container, opf string, more ...string) string {
	return zipped(append([]string{"mimetype", "application/epub+zip", "META-INF/container.xml", container,
		"book.opf", opf}, more...)...)
}

// pdf returns a PDF of objects, the first of which is its catalogue.
func pdf(objects ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.7\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.String()
}

func stream(dict, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(content), content)
}

// laughs are entities of XML that become very long.
func laughs() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "ha">`)
	for i := range 30 {
		fmt.Fprintf(&b, `<!ENTITY a%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
	}
	return b.String() + `]>`
}

func flate(src string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write([]byte(src)) // into memory
	_ = w.Close()               // into memory
	return b.String()
}

// hostileFiles returns the files of the corpus. server and secret are what none of them may reach.
func hostileFiles(t *testing.T, server, secret string) []hostile {
	read := func(name string) string {
		src, err := os.ReadFile(filepath.Join(repository(t), "plugins", "pdf", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(src)
	}
	para := func(s string) string { return `<w:p><w:r><w:t>` + s + `</w:t></w:r></w:p>` }
	good := word(para("Plain words."))
	whole := read("sample.pdf")
	const catalogue, onePage = "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>"
	const aPage = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>"
	const container = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>` +
		`<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
	opf := func(href string) string {
		return `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="` + href +
			`" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`
	}
	external := `<!DOCTYPE x [<!ENTITY e SYSTEM "file://` + secret + `"><!ENTITY h SYSTEM "` + server + `/entity">]>`
	spaces := func(mb int) string { return strings.Repeat(" ", mb<<20) }
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("Plain words.\n")
	if err != nil {
		t.Fatal(err)
	}
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + strings.Repeat("\x00\x01\xff", 200)
	ole := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 4096)
	sheet := func(rows string) string {
		return office("xl/workbook.xml",
			`<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">`+

				`<sheets><sheet name="S" r:id="s"/></sheets></workbook>`, "xl/_rels/workbook.xml.rels", relations+
				`<Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" `+
				`Target="s.xml"/></Relationships>`, "xl/s.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`)
	}
	return []hostile{
		{"pdf-empty.pdf", "", "damaged or no PDF"},
		{"pdf-header.pdf", "%PDF-1.7\n", "damaged or no PDF"},
		{"pdf-half.pdf", whole[:len(whole)/2], "damaged or no PDF"},
		{"pdf-tenth.pdf", whole[:len(whole)/10], "damaged or no PDF"},
		{"pdf-password.pdf", read("password.pdf"), "encrypted with a password"},
		{"pdf-is-docx.pdf", good, "damaged or no PDF"},
		{"pdf-is-text.pdf", strings.Repeat("This is no PDF.\n", 99), "damaged or no PDF"},
		{"pdf-is-html.pdf", "<!DOCTYPE html><title>Log in</title><p>Log in first.", "damaged or no PDF"},
		{"pdf-is-png.pdf", png, "damaged or no PDF"},
		{"pdf-self.pdf", pdf("1 0 R"), "damaged or no PDF"},
		{"pdf-pages-loop.pdf", pdf(catalogue, "<</Type/Pages/Kids[2 0 R]/Count 1>>"), "damaged or no PDF"},
		{"pdf-no-pages.pdf", pdf(catalogue, "<</Type/Pages/Kids[]/Count 0>>"), "damaged or no PDF"},
		{"pdf-scan.pdf", pdf(catalogue, onePage, aPage, stream("", "0 0 100 100 re f")),
			"it has no text; it may be scanned"},
		{"pdf-bomb.pdf", pdf(catalogue, onePage, aPage, stream("/Filter/FlateDecode", flate(spaces(64)))),
			"damaged or no PDF"},
		{"pdf-filters.pdf", pdf(catalogue, onePage, aPage, stream("/Filter["+strings.Repeat("/FlateDecode", 500)+"]",
			flate(spaces(1)))), "it has no text; it may be scanned"},
		{"pdf-broken-flate.pdf", pdf(catalogue, onePage, aPage, stream("/Filter/FlateDecode", "no flate")),
			"it has no text; it may be scanned"},
		{"pdf-nested.pdf", pdf(catalogue, onePage, aPage, stream("", strings.Repeat("[", 100_000))),
			"it has no text; it may be scanned"},
		{"pdf-nul.pdf", strings.Repeat("\x00", 4096), "damaged or no PDF"},

		{"docx-empty.docx", "", "the file is empty"},
		{"docx-old.docx", ole, "encrypted, or of an Office before 2007"},
		{"docx-cut.docx", good[:len(good)-40], "damaged or cut off"},
		{"docx-half.docx", good[:len(good)/2], "damaged or cut off"},
		{"docx-locked.docx", lockedZip(good), "the file is encrypted"},
		{"docx-is-pdf.docx", whole, "not what its name says"},
		{"docx-is-text.docx", "Plain words.\n", "not what its name says"},
		{"docx-is-rtf.docx", `{\rtf1 Plain words.}`, "not what its name says"},
		{"docx-is-zip.docx", zipped("a.txt", "Plain words."), "no document of Office"},
		{"docx-is-epub.docx", book(container, opf("a.xhtml")), "no document of Office"},
		{"docx-bomb.docx", word(spaces(64)), "too large when unpacked"},
		{"docx-laughs.docx", office("word/document.xml", laughs()+`<w:document>&a30;</w:document>`), "declares entities"},
		{"docx-entity.docx", office("word/document.xml", external+`<w:document>&e;&h;</w:document>`), "declares entities"},
		{"docx-deep.docx", word(strings.Repeat("<w:x>", 200_000) + strings.Repeat("</w:x>", 200_000)),
			"too deep inside each other"},
		{"docx-no-xml.docx", office("word/document.xml", "no XML at all"), "the file is damaged"},
		{"docx-sum.docx", badSum("other", "_rels/.rels", relations+"</Relationships>"), "checksum"},
		{"docx-no-part.docx", zipped("_rels/.rels", relations+"</Relationships>"), "no document of Office"},
		{"docx-external.docx", word(para("Plain words.")+`<w:altChunk r:id="c"/>`, "word/_rels/document.xml.rels", relations+
			`<Relationship Id="c" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk" `+
			`Target="`+server+`/chunk" TargetMode="External"/><Relationship Id="t" `+
			`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="`+server+
			`/template" TargetMode="External"/></Relationships>`), "read in part: a document inside the document"},
		{"docx-outside.docx", office("../../../"+secret, "x"), "the file is damaged"},

		{"xlsx-empty.xlsx", "", "the file is empty"},
		{"xlsx-half.xlsx", sheet("<row/>")[:200], "damaged or cut off"},
		{"xlsx-old.xlsx", ole, "encrypted, or of an Office before 2007"},
		{"xlsx-bomb.xlsx", sheet(spaces(64)), "too large when unpacked"},
		{"xlsx-rows.xlsx", sheet(`<row r="1"><c r="A1"><v>1</v></c></row><row r="999999999">` +
			`<c r="ZZZZZ999999999"><v>2</v></c></row>`),
			"read in part: columns beyond the 256th were not read"},
		{"xlsx-many.xlsx", sheet(strings.Repeat(`<row><c><v>1</v></c></row>`, 100_100)),
			"read in part: the sheet is too large"},
		{"xlsx-is-csv.xlsx", "a,b\n1,2\n", "not what its name says"},
		{"xlsx-locked.xlsx", lockedZip(sheet("<row/>")), "the file is encrypted"},
		{"pptx-empty.pptx", "", "the file is empty"},
		{"pptx-no-slides.pptx", office("ppt/presentation.xml", "<p:presentation/>"), "read in part: no text"},
		{"pptx-half.pptx", good[:len(good)/3], "damaged or cut off"},
		{"pptx-is-docx.pptx", good, ""},

		{"epub-empty.epub", "", "the file is empty"},
		{"epub-half.epub", book(container, opf("a.xhtml"))[:200], "damaged or cut off"},
		{"epub-no-container.epub", zipped("mimetype", "application/epub+zip"), "does not say where its contents are"},
		{"epub-no-book.epub", book(strings.ReplaceAll(container, "book.opf", "none.opf"), ""),
			"does not say where its contents are"},
		{"epub-outside.epub", book(strings.ReplaceAll(container, "book.opf", "../../../../../.."+secret), ""),
			"does not say where its contents are"},
		{"epub-drm.epub", book(container, opf("a.xhtml"), "a.xhtml", "\x01\x02\x03", "META-INF/encryption.xml",
			`<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>`+
				`<CipherData><CipherReference URI="a.xhtml"/></CipherData></EncryptedData></encryption>`), "DRM"},
		{"epub-bomb.epub", book(container, opf("a.xhtml"), "a.xhtml", "<html><body><p>"+spaces(64)),
			"too large when unpacked"},
		{"epub-laughs.epub", book(laughs()+container, opf("a.xhtml"), "a.xhtml", "<html><body><p>x"),
			"does not say where its contents are"},
		{"epub-missing.epub", book(container, opf("none.xhtml")), "no chapter can be read"},
		{"epub-is-pdf.epub", whole, "not what its name says"},

		{"html-empty.html", "", "read in part: no text"},
		{"html-script.html", "<html><body><script>document.write('all of it')</script></body></html>",
			"read in part: no text"},
		{"html-png.html", png, "an image, not HTML"},
		{"html-nul.html", strings.Repeat("\x00", 5000), "read in part: no text"},
		{"html-pdf.html", whole, "a PDF, not HTML"},
		{"html-zip.html", good, "a zip file, not HTML"},
		{"html-deep.html", "<html><body>" + strings.Repeat("<div>", 300_000) + "Plain words.", ""},
		{"html-laughs.html", laughs() + "<html><body><p>&a30;", ""},
		{"html-entity.html", external + "<html><body><p>&e;&h;", ""},
		{"html-frames.html", `<html><frameset><frame src="` + server + `/frame"></frameset></html>`,
			"read in part: no text"},
		{"html-refresh.html", `<html><head><meta http-equiv="refresh" content="0;url=` + server +
			`/next"></head><body></body></html>`,
			"read in part: no text"},
		{"html-attribute.html", `<html><body><p title="` + strings.Repeat("x", 3<<20), "read in part: no text"},

		{"text-nul.md", "# Title\n\x00\x00\x00", "it holds NUL bytes"},
		{"text-png.md", png, "it holds NUL bytes"},
		{"text-noise.md", string(noise(4096)), "it holds NUL bytes"},
		{"text-odd.txt", utf16[:len(utf16)-3], ""},
		{"text-zip.txt", good, "it holds NUL bytes"},
		{"text-pdf.txt", whole, "it holds NUL bytes"},
		{"text-csv.csv", "a,b\n\x00\x01,\x02\n", "it holds NUL bytes"},
		{"text-gzip.json", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + string(noise(300)), "it holds NUL bytes"},
		{"line\nbreak.md", "# Title\n", "control character"},
		{"space .md ", "# Title\n", "white space"},
		{"bad-\xff\xfe.md", "# Title\n", "not UTF-8"},
		{`back\slash.md`, "# Title\n", "a backslash"},
	}
}

// noise is bytes without any pattern that are the same in each run.
func noise(n int) []byte {
	out, x := make([]byte, n), uint32(1)
	for i := range out {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		out[i] = byte(x)
	}
	return out
}

// A corpus of hostile files costs each of them alone: it is named with a reason wherever skipped files are, nothing
// else is read, written or asked for, and what is whole is found.
func TestHostileCorpus(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	dir := t.TempDir()
	home, root := filepath.Join(dir, "home"), filepath.Join(dir, "workspace")
	secret := filepath.Join(dir, "secret.txt")
	files := hostileFiles(t, server.URL, secret)
	manual := filepath.Join(root, "manuals", "m")
	for _, d := range []string{home, manual, filepath.Join(manual, "folder.pdf")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, content string) {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(secret, "xylophonist")
	write(filepath.Join(manual, "good.md"), "# Keeper\n\nThe lighthouse keeper is paid 900 yen.\n")
	for _, f := range files {
		write(filepath.Join(manual, f.name), f.content)
	}
	if err := syscall.Mkfifo(filepath.Join(manual, "pipe.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	files = append(files, hostile{"pipe.md", "", "not a regular file"}, hostile{"link.md", "", "symbolic link"},
		hostile{"large.md", "", "too large"}, hostile{"large.pdf", "", "too large"})
	if err := os.Symlink(secret, filepath.Join(manual, "link.md")); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"large.md": 33 << 20, "large.pdf": 257 << 20} { // sparse
		write(filepath.Join(manual, name), "")
		if err := os.Truncate(filepath.Join(manual, name), size); err != nil {
			t.Fatal(err)
		}
	}
	sagasu := func(args ...string) string { return sagasuIn(t, home, append(args, "--workspace", root)...) }
	converter := filepath.Join(dir, "pdf")
	build := exec.Command("go", "build", "-o", converter, ".")
	build.Dir = filepath.Join(repository(t), "plugins", "pdf")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sagasu("plugin", "install", converter)
	sagasu("index") // which gives a document more time than a search does
	var found struct {
		TraceID string `json:"trace_id"`
		Items   []struct {
			Ref struct{ Path string }
		}
	}
	decode := func(text string, into any) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	decode(sagasu("find", "what is the lighthouse keeper paid", "--json"), &found)
	if len(found.Items) == 0 || found.Items[0].Ref.Path != "good.md" {
		t.Errorf("what is whole is not found: %+v", found)
	}
	type skip struct{ Path, Skipped, Reason string }
	var listed struct{ Items []skip }
	decode(sagasu("ls", "m", "--json"), &listed)
	inList, hits := map[string]string{}, map[string]string{}
	for _, x := range listed.Items {
		inList[x.Path] = x.Skipped
	}
	listed.Items = nil
	decode(sagasu("call", "manual_hits", fmt.Sprintf(`{"trace_id": %q, "kind": "skipped", "limit": 1000}`, found.TraceID)),
		&listed)
	for _, x := range listed.Items {
		hits[x.Path] = x.Reason
	}
	doctor, reasons := sagasu("doctor"), 0
	for _, f := range files {
		name := string([]rune(f.name)) // as JSON has it
		if got := inList[name]; (got == "") != (f.reason == "") || !strings.Contains(got, f.reason) {
			t.Errorf("manual_ls says of %q: %q, want %q", f.name, got, f.reason)
		}
		if f.reason == "" {
			continue
		}
		reasons++
		if got := hits[name]; !strings.Contains(got, f.reason) {
			t.Errorf("manual_hits says of %q: %q, want %q", f.name, got, f.reason)
		}
		if !strings.Contains(doctor, f.reason) ||
			!strings.Contains(doctor, "m/"+f.name) && !strings.Contains(doctor, strconv.Quote("m/"+f.name)) {
			t.Errorf("doctor does not name %q", f.name)
		}
	}
	if reasons < 60 {
		t.Errorf("%d hostile files are refused or read in part: a corpus has 60", reasons)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("a document made the program ask a server %d times", n)
	}
	var read struct{ Total int }
	decode(sagasu("call", "manual_search", `{"query": "xylophonist"}`), &read)
	if read.Total > 0 {
		t.Error("a file outside of the manual was read")
	}
	entries, err := os.ReadDir(manual)
	if err != nil || len(entries) != len(files)+2 {
		t.Errorf("the manual holds %d files, not %d: %v", len(entries), len(files)+2, err)
	}
}

// sagasuIn returns what a command of a user prints.
func sagasuIn(t *testing.T, home string, args ...string) string {
	t.Helper()
	c := exec.Command(binary, args...)
	c.Env = append(os.Environ(), "HOME="+home, "STRATEGY_TIME_MS=60000")
	out, err := c.Output()
	if err != nil {
		t.Fatalf("sagasu %q: %v\n%s", args, err, out)
	}
	return string(out)
}
