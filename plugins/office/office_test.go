package office

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

const (
	relationshipsOpen = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	kinds             = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	word              = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
		`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	drawing = `xmlns:a="a" xmlns:p="p" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
)

// relationships returns the relations of a part: pairs of kind and target, with ids r1, r2 and so on.
func relationships(pairs ...string) string {
	var b strings.Builder
	b.WriteString(relationshipsOpen)
	for i := 0; i < len(pairs); i += 2 {
		mode := ""
		if strings.Contains(pairs[i+1], ":") {
			mode = ` TargetMode="External"`
		}
		fmt.Fprintf(&b, `<Relationship Id="r%d" Type="%s" Target="%s"%s/>`, i/2+1, kinds+pairs[i], pairs[i+1], mode)
	}
	return b.String() + "</Relationships>"
}

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

// wordFile returns a document with a body and further parts.
func wordFile(body string, more ...string) []byte {
	return packed(append([]string{
		"_rels/.rels", relationships("officeDocument", "word/document.xml"),
		"word/document.xml", `<w:document ` + word + `><w:body>` + body + `</w:body></w:document>`,
	}, more...)...)
}

func convert(src []byte) (*sdk.Converted, error) {
	return New().Convert(context.Background(), sdk.Document{Content: bytes.NewReader(src), Size: int64(len(src))})
}

// shown returns the blocks of a document as one text.
func shown(t *testing.T, src []byte) string {
	t.Helper()
	out, err := convert(src)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, block := range out.Blocks {
		page := ""
		if block.Place.Page > 0 {
			page = strconv.Itoa(block.Place.Page)
		}
		if block.Level > 0 || block.Place != (sdk.Place{}) {
			fmt.Fprintf(&b, "%s %s {%s%s}\n", strings.Repeat("#", block.Level), block.Heading, block.Place.Anchor, page+block.Place.Sheet)
		}
		if block.Text != "" {
			b.WriteString(block.Text + "\n")
		}
	}
	for _, p := range out.Problems {
		fmt.Fprintf(&b, "! %s%s: %s\n", p.Place.Anchor, p.Place.Sheet, p.Reason)
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	for code, want := range map[string]format{
		"General": plain, "0.00": plain, "#,##0": plain, `"day" 0`: plain, "0%": percent, "yyyy-mm-dd": date, "mmm": date,
		"[$-411]ggge\"年\"m\"月\"d\"日\"": date, "h:mm": timeOfDay, "[h]:mm": timeOfDay, "d/m/yy hh:mm": dateAndTime,
		"0.00E+00": plain, "[Red]0;[Blue]-0": plain, `\d0`: plain, "@": plain,
	} {
		if got := formatOf(code); got != want {
			t.Errorf("%q is %d, want %d", code, got, want)
		}
	}
}

// Hostile files yield an error or a text, within limits of memory and time.
func TestHostileFiles(t *testing.T) {
	const many = 20000
	good := wordFile(para("", "text"))
	bomb := func(mb int) string { return strings.Repeat(" ", mb<<20) }
	encrypted := bytes.Clone(good)
	for i := range len(encrypted) - 8 { // set the encryption flag in all headers
		switch string(encrypted[i : i+4]) {
		case "PK\x03\x04":
			encrypted[i+6] |= 1
		case "PK\x01\x02":
			encrypted[i+8] |= 1
		}
	}
	broken := bytes.Replace(good, []byte("word/document.xml"), []byte("word/DOCUMENT.xm_"), 1)
	stored := func(content string, sum uint32) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, text := range map[string]string{"_rels/.rels": relationships("officeDocument", "word/document.xml"), "word/document.xml": content} {
			head := &zip.FileHeader{Name: name, UncompressedSize64: uint64(len(text)), CompressedSize64: uint64(len(text)), CRC32: crc32.ChecksumIEEE([]byte(text))}
			if name == "word/document.xml" {
				head.CRC32 = sum
			}
			w, _ := z.CreateRaw(head)
			w.Write([]byte(text))
		}
		z.Close()
		return b.Bytes()
	}
	doc := func(s string) string { return `<w:document ` + word + `>` + s + `</w:document>` }
	sheet := func(rows string) []byte {
		return packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
			"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml"), "xl/s.xml", "<worksheet><sheetData>"+rows+"</sheetData></worksheet>")
	}
	for _, c := range []struct {
		name  string
		src   []byte
		error string // part of the error; "" if there is a text
		want  string
	}{
		{"0 bytes", nil, "empty", ""},
		{"an old or encrypted document", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bomb(1)), "encrypted, or of an Office before 2007", ""},
		{"a PDF", []byte("%PDF-1.7\n"), "no zip archive", ""},
		{"text", []byte("Hello"), "no zip archive", ""},
		{"RTF", []byte(`{\rtf1 hello}`), "no zip archive", ""},
		{"a cut zip", good[:len(good)-40], "damaged or cut off", ""},
		{"half a zip", good[:len(good)/2], "damaged or cut off", ""},
		{"an encrypted zip", encrypted, "encrypted", ""},
		{"another zip", packed("a.txt", "hello"), "no document of Office", ""},
		{"an EPUB", packed("mimetype", "application/epub+zip", "META-INF/container.xml", "<container/>"), "no document of Office", ""},
		{"names that disagree", broken, "", "text\n"},
		{"a wrong checksum", stored(doc("<w:body>"+para("", "x")+"</w:body>"), 1), "damaged", ""},
		{"a bomb", wordFile(bomb(64)), `"word/document.xml" is too large when unpacked`, ""},
		{"a bomb among styles", wordFile(para("", "text"), "word/_rels/document.xml.rels", relationships("styles", "styles.xml"), "word/styles.xml", bomb(64)), "", "text\n"},
		{"entities", packed("_rels/.rels", relationships("officeDocument", "d.xml"), "d.xml",
			`<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`), "declares entities", ""},
		{"an outer entity", packed("_rels/.rels", relationships("officeDocument", "d.xml"), "d.xml",
			`<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document><w:body><w:p><w:r><w:t>&a;</w:t></w:r></w:p></w:body></w:document>`), "declares entities", ""},
		{"references out of the file", wordFile(para("", "text")+`<w:p><w:hyperlink r:id="r1"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p>`,
			"word/_rels/document.xml.rels", relationships("hyperlink", "file:///etc/passwd", "attachedTemplate", "https://example.org/t.dotm", "styles", "http://example.org/s.xml")), "", "text\n\nthere\n"},
		{"a name that leads out", packed("_rels/.rels", relationships("officeDocument", "../../../etc/passwd")), "no document of Office", ""},
		{"a name that leads around", packed("_rels/.rels", relationships("officeDocument", "a/../word/./document.xml"), "../word/document.xml", doc("<w:body>"+para("", "x")+"</w:body>")), "", "x\n"},
		{"deep elements", wordFile(strings.Repeat("<w:sdt>", many) + para("", "x") + strings.Repeat("</w:sdt>", many)), "too deep", ""},
		{"deep tables", wordFile(strings.Repeat("<w:tbl><w:tr><w:tc>", many)), "too deep", ""},
		{"deep text boxes", wordFile(strings.Repeat("<w:p><w:r><w:txbxContent>", many)), "too deep", ""},
		{"an open element", wordFile("<w:p><w:r><w:t>x"), "", "x\n"},
		{"a later damage", wordFile(para("", "text") + "<w:p><w:r><<"), "", "text\n! : \"word/document.xml\" is damaged"},
		{"no XML", packed("_rels/.rels", relationships("officeDocument", "d.xml"), "d.xml", "\x00\x01\x02\x03"), "damaged", ""},
		{"another root", packed("_rels/.rels", relationships("officeDocument", "d.xml"), "d.xml", "<svg/>"), `but a "svg"`, ""},
		{"UTF-16", packed("_rels/.rels", relationships("officeDocument", "d.xml"), "d.xml", utf16(`<?xml version="1.0" encoding="UTF-16"?>`+doc("<w:body>"+para("", "保証")+"</w:body>"))), "", "保証\n"},
		{"styles in a circle", wordFile(para(`<w:pStyle w:val="a"/>`, "x"), "word/_rels/document.xml.rels", relationships("styles", "s.xml"), "word/s.xml",
			`<w:styles `+word+`><w:style w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>`), "", "x\n"},
		{"lists without a definition", wordFile(para(`<w:numPr><w:ilvl w:val="-5"/><w:numId w:val="999999999999"/></w:numPr>`, "x")), "", "- x\n"},
		{"a numbering without levels", wordFile(para(`<w:numPr><w:ilvl w:val="99"/><w:numId w:val="1"/></w:numPr>`, "x"), "word/_rels/document.xml.rels",
			relationships("numbering", "n.xml"), "word/n.xml", `<w:numbering `+word+`><w:abstractNum w:abstractNumId="0"><w:start w:val="2"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`), "", "- x\n"},
		{"a huge span", wordFile(`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>` + para("", "x") + `</w:tc><w:tc>` + para("", "y") + `</w:tc></w:tr><w:tr><w:tc>` + para("", "z") + `</w:tc></w:tr></w:tbl>`), "", "| x |"},
		{"cells far out", sheet(`<row r="1"><c r="XFD1"><v>1</v></c><c r="ZZZZZZZZZZ1"><v>2</v></c><c r="A1" t="s"><v>99</v></c><c r="B1"><v>3</v></c></row>`), "", "# S {S}\n3\n"},
		{"a workbook without its sheet", packed("_rels/.rels", relationships("officeDocument", "w.xml"), "w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`), "", "! : no text\n"},
		{"no number", sheet(`<row><c s="-4"><v>1e999</v></c><c s="99"><v>NaN</v></c></row>`), "", "# S {S}\n1e999 NaN\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.error != "" {
				out, err := convert(c.src)
				if err == nil || !strings.Contains(err.Error(), c.error) || strings.Contains(err.Error(), "\n") ||
					strings.HasSuffix(c.error, "unpacked") && strings.Contains(err.Error(), "damaged") {
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

// utf16 returns a text in UTF-16 with a byte order mark.
func utf16(s string) string {
	b := []byte("\xff\xfe")
	for _, r := range s {
		b = append(b, byte(r), byte(r>>8))
	}
	return string(b)
}

func TestConvertStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	src := wordFile(strings.Repeat(para("", "x"), 1000))
	if _, err := New().Convert(ctx, sdk.Document{Content: bytes.NewReader(src), Size: int64(len(src))}); err == nil {
		t.Error("a document was converted after its time")
	}
}

func FuzzPackage(f *testing.F) {
	f.Add(wordFile(para("", "x")))
	f.Fuzz(check)
}

// check converts a file and checks the output.
func check(t *testing.T, src []byte) {
	out, err := convert(src)
	if err != nil {
		return
	}
	for _, b := range out.Blocks {
		if b.Level < 0 || b.Level > 6 || strings.Contains(b.Heading, "\n") || !utf8.ValidString(b.Text+b.Heading+b.Place.Anchor+b.Place.Sheet) {
			t.Errorf("a block %+v", b)
		}
	}
}

func TestConformance(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for name, src := range map[string][]byte{
		"a.docx": wordFile(para(`<w:outlineLvl w:val="0"/>`, "Title") + strings.Repeat(para("", "text"), 1000)),
		"a.pptx": packed("_rels/.rels", relationships("officeDocument", "p.xml"), "_rels/p.xml.rels", relationships("slide", "s.xml"),
			"p.xml", `<p:presentation `+drawing+`><p:sldId r:id="r1"/></p:presentation>`, "s.xml", `<p:sld><p:sp><a:p><a:r><a:t>x</a:t></a:r></a:p></p:sp></p:sld>`),
		"a.ppsx": packed("_rels/.rels", relationships("officeDocument", "p.xml"), "_rels/p.xml.rels", relationships("slide", "s.xml"),
			"p.xml", `<p:presentation `+drawing+`><p:sldId r:id="r1"/></p:presentation>`, "s.xml", `<p:sld><p:sp><a:p><a:r><a:t>y</a:t></a:r></a:p></p:sp></p:sld>`),
		"a.xlsx": packed("_rels/.rels", relationships("officeDocument", "w.xml"), "_rels/w.xml.rels", relationships("worksheet", "s.xml"),
			"w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`, "s.xml", `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`),
	} {
		names = append(names, filepath.Join(dir, name))
		if err := os.WriteFile(names[len(names)-1], src, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sdktest.RunConverter(t, New, names...)
}
