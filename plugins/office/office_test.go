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

	"github.com/google/go-cmp/cmp"

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

// relationships writes the relations of a part: pairs of kind and target with the ids r1, r2 and so on.
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

// packed returns files as a zip archive: pairs of name and content.
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

// wordFile returns a document with a body, and more parts.
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

func para(properties, text string) string {
	return "<w:p><w:pPr>" + properties + "</w:pPr><w:r><w:t>" + text + "</w:t></w:r></w:p>"
}

func TestDocument(t *testing.T) {
	const styles = `<w:styles ` + word + `>
<w:style w:styleId="1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="b2"><w:name w:val="Überschrift 2"/></w:style>
<w:style w:styleId="j3"><w:name w:val="見出し ３"/></w:style>
<w:style w:styleId="own"><w:name w:val="Mine"/><w:basedOn w:val="1"/></w:style>
<w:style w:styleId="o"><w:name w:val="Other"/><w:pPr><w:outlineLvl w:val="3"/></w:pPr></w:style>
<w:style w:styleId="t1"><w:name w:val="toc 1"/></w:style>
<w:style w:styleId="t"><w:name w:val="Title"/></w:style>
<w:style w:styleId="c"><w:name w:val="HTML Preformatted"/></w:style>
<w:style w:styleId="art"><w:name w:val="Article"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
</w:styles>`
	const numbering = `<w:numbering ` + word + `>
<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="japaneseCounting"/><w:lvlText w:val="第%1条"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num></w:numbering>`
	const footnotes = `<w:footnotes ` + word + `><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>
<w:footnote w:id="2"><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote></w:footnotes>`
	list := func(depth, id, text string) string {
		return para(`<w:numPr><w:ilvl w:val="`+depth+`"/><w:numId w:val="`+id+`"/></w:numPr>`, text)
	}
	style := func(id, text string) string { return para(`<w:pStyle w:val="`+id+`"/>`, text) }
	cell := func(properties, text string) string {
		return "<w:tc><w:tcPr>" + properties + "</w:tcPr>" + para("", text) + "</w:tc>"
	}
	for _, c := range []struct{ name, body, want string }{
		{"headings", style("t", "T") + style("1", "One") + style("b2", "Two") + style("j3", "Three") + style("own", "Mine") +
			style("o", "Other") + para(`<w:outlineLvl w:val="1"/>`, "Direct") + para(`<w:pStyle w:val="1"/><w:outlineLvl w:val="9"/>`, "text"),
			"# T {}\n# One {}\n## Two {}\n### Three {}\n# Mine {}\n#### Other {}\n## Direct {}\ntext\n"},
		{"a contents list", style("t1", "One 1") + style("1", "One"), "# One {}\n"},
		{"a contents list without a style", `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>` +
			para("", "One 1") + `</w:sdtContent></w:sdt><w:sdt><w:sdtPr><w:alias w:val="x"/></w:sdtPr><w:sdtContent>` + style("1", "One") + `</w:sdtContent></w:sdt>`,
			"# One {}\n"},
		{"a bookmark", `<w:p><w:pPr><w:pStyle w:val="1"/></w:pPr><w:bookmarkStart w:name="_Toc1"/><w:r><w:t>One</w:t></w:r></w:p>`, "# One {_Toc1}\n"},
		{"a bookmark before", `<w:bookmarkStart w:name="one"/>` + style("1", "One") + style("b2", "Two"), "# One {one}\n## Two {}\n"},
		{"lists", list("0", "1", "a") + list("1", "1", "b") + list("1", "1", "c") + list("0", "1", "d") + list("0", "2", "e") + list("0", "2", "f") +
			para("", "end"), "- a\n  - (a) b\n  - (b) c\n- d\n3. e\n4. f\n\nend\n"},
		{"numbered headings", style("art", "目的") + style("art", "定義"), "## 第一条 目的 {}\n## 第二条 定義 {}\n"},
		{"changes", `<w:p><w:ins><w:r><w:t>in</w:t></w:r></w:ins><w:del><w:r><w:delText>out</w:delText></w:r></w:del>
<w:moveFrom><w:r><w:t>from</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t xml:space="preserve"> to</w:t></w:r></w:moveTo>
<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:commentReference w:id="1"/></w:r></w:p>`, "in to\n"},
		{"notes", `<w:p><w:r><w:t>See</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>` + para("", "after"), "See[1]\n\n[1] The note.\n\nafter\n"},
		{"links", `<w:p><w:hyperlink r:id="r4"><w:r><w:t>the site</w:t></w:r></w:hyperlink><w:hyperlink w:anchor="x"><w:r><w:t> here</w:t></w:r></w:hyperlink></w:p>`,
			"[the site](https://example.org/a) [here](#x)\n"},
		{"a text box", `<w:p><w:r><w:t>before</w:t><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr descr="A photo"/><w:txbxContent>` + para("", "boxed") +
			`</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>` + para("", "boxed") + `</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
			"before A photo\n\nboxed\n"},
		{"code", style("c", "if x:") + style("c", "  y()") + para("", "end"), "```\nif x:\n  y()\n```\n\nend\n"},
		{"ruby", `<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>ほしょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>保証</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>`, "保証\n"},
		{"a table", `<w:tbl><w:tblPr/><w:tr>` + cell("", "a|b") + cell("", "c") + `</w:tr><w:tr>` + cell(`<w:vMerge w:val="restart"/>`, "d") + cell("", "1") +
			`</w:tr><w:tr>` + cell(`<w:vMerge/>`, "") + cell("", "2") + `</w:tr><w:tr>` + cell(`<w:gridSpan w:val="2"/>`, "both") + `</w:tr></w:tbl>`,
			"| a\\|b | c |\n| --- | --- |\n| d | 1 |\n| d | 2 |\n| both | |\n"},
		{"a layout table", `<w:tbl><w:tr>` + "<w:tc>" + style("1", "One") + para("", "x") + "</w:tc></w:tr></w:tbl>", "# One {}\nx\n"},
		{"a field", `<w:p><w:r><w:fldChar/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>12</w:t></w:r></w:p>`, "12\n"},
		{"exponents", `<w:p><w:r><w:t>m</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>2</w:t></w:r></w:p>`, "m²\n"},
		{"a formula", `<w:p><m:oMath><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>` +
			`<m:r><m:t>+</m:t></m:r><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></w:p>`, "E=mc²+a/b\n"},
		{"a document inside", para("", "x") + `<w:altChunk r:id="r9"/>`, "x\n! : a document inside the document was not read\n"},
		{"nothing", "", "! : no text\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := shown(t, wordFile(c.body, "word/styles.xml", styles, "word/numbering.xml", numbering, "word/footnotes.xml", footnotes,
				"word/_rels/document.xml.rels", relationships("styles", "styles.xml", "numbering", "/word/numbering.xml",
					"footnotes", "footnotes.xml", "hyperlink", "https://example.org/a")))
			if got != c.want {
				t.Errorf("%s", cmp.Diff(c.want, got))
			}
		})
	}
}

func TestPresentation(t *testing.T) {
	shape := func(kind, paragraphs string) string {
		if kind != "" {
			kind = `<p:nvSpPr><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr>`
		}
		return "<p:sp>" + kind + "<p:txBody>" + paragraphs + "</p:txBody></p:sp>"
	}
	line := func(properties, text string) string {
		return "<a:p><a:pPr" + properties + "</a:pPr><a:r><a:t>" + text + "</a:t></a:r></a:p>"
	}
	slide := func(shapes string) string {
		return `<p:sld ` + drawing + `><p:cSld><p:spTree>` + shapes + `</p:spTree></p:cSld></p:sld>`
	}
	src := packed(
		"_rels/.rels", relationships("officeDocument", "ppt/presentation.xml", "metadata/core-properties", "docProps/core.xml"),
		"docProps/core.xml", `<cp xmlns:dc="dc"><dc:title>The talk</dc:title></cp>`,
		"ppt/presentation.xml", `<p:presentation `+drawing+`><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="r7"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", relationships("slide", "slides/b.xml", "slide", "slides/a.xml"),
		"ppt/slides/a.xml", slide(shape("ctrTitle", line(">", "First"))+shape("body", line(">", "a")+line(` lvl="1">`, "b")+line(">", "c")+
			line("><a:buNone/>", "plain")+line("><a:buAutoNum/>", "n1")+line("><a:buAutoNum/>", "n2"))+shape("sldNum", line(">", "1"))),
		"ppt/slides/_rels/a.xml.rels", relationships("notesSlide", "../notesSlides/n.xml"),
		"ppt/notesSlides/n.xml", slide(shape("sldImg", "")+shape("body", line(">", "Say this."))+shape("sldNum", line(">", "1"))),
		"ppt/slides/b.xml", slide(shape("", line(">", "Second"))+`<p:graphicFrame><a:tbl><a:tr><a:tc>`+line(">", "h")+`</a:tc><a:tc>`+line(">", "i")+
			`</a:tc></a:tr><a:tr><a:tc>`+line(">", "j")+`</a:tc></a:tr></a:tbl></p:graphicFrame><p:pic><p:nvPicPr><p:cNvPr descr="A chart"/></p:nvPicPr></p:pic>`),
	)
	const want = "# First {slide 1}\n- a\n  - b\n- c\n\nplain\n\n1. n1\n2. n2\n\n> - Say this.\n" +
		"# Second {slide 2}\n| h | i |\n| --- | --- |\n| j | |\n\nA chart\n! slide 3: a part is missing from the file\n"
	if got := shown(t, src); got != want {
		t.Errorf("%s", cmp.Diff(want, got))
	}
	if out, _ := convert(src); out.Title != "The talk" {
		t.Errorf("the title is %q", out.Title)
	}
}

func TestWorkbook(t *testing.T) {
	src := packed(
		"_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="保証 1" r:id="r1"/><sheet name="Gone" r:id="r4"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "worksheets/a.xml", "sharedStrings", "sharedStrings.xml", "styles", "styles.xml", "worksheet", "b.xml"),
		"xl/sharedStrings.xml", `<sst><si><t>型番</t><rPh><t>カタバン</t></rPh></si><si><r><t>保</t></r><r><t>証</t></r></si></sst>`,
		"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts>
<cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
		"xl/worksheets/a.xml", `<worksheet><sheetData>
<row r="1"><c r="B1" t="inlineStr"><is><t>Products</t></is></c></row>
<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="s"><v>1</v></c><c r="E2" t="str"><f>A1</f><v>x|y</v></c></row>
<row r="3"><c r="B3"><v>0.1</v></c><c r="D3" s="1"><v>45352</v></c><c r="E3" s="2"><v>0.055</v></c></row>
<row r="4"><c r="B4" t="b"><v>1</v></c><c r="D4" s="3"><v>45352.5</v></c><c r="E4" t="e"><v>#N/A</v></c></row>
<row r="6"><c r="A6"><v>1234567</v></c></row></sheetData></worksheet>`,
	)
	const want = "#  保証 1 {保証 1}\nProducts\n\n| 型番 | 保証 | x\\|y |\n| --- | --- | --- |\n| 0.1 | 2024-03-01 | 5.5% |\n" +
		"| TRUE | 2024-03-01 12:00 | #N/A |\n\n1234567\n# Gone {Gone}\n! Gone: \"xl/b.xml\" is missing from the file\n"
	if got := shown(t, src); got != strings.Replace(want, "#  ", "# ", 1) {
		t.Errorf("%s", cmp.Diff(want, got))
	}
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

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n            int
		format, want string
	}{
		{1, "lowerLetter", "a"}, {28, "upperLetter", "BB"}, {1994, "upperRoman", "MCMXCIV"}, {4, "lowerRoman", "iv"},
		{3, "decimalZero", "03"}, {12, "decimalFullWidth", "１２"}, {20, "decimalEnclosedCircle", "⑳"}, {2, "aiueo", "イ"},
		{2, "iroha", "ロ"}, {111, "japaneseCounting", "百十一"}, {20, "japaneseCounting", "二十"}, {-1, "upperRoman", "-1"},
	} {
		if got := count(c.n, c.format); got != c.want {
			t.Errorf("%d as %s is %q, want %q", c.n, c.format, got, c.want)
		}
	}
}

// What strangers send is a reason or a text, and takes bounded room and time.
func TestHostileFiles(t *testing.T) {
	const many = 20000
	good := wordFile(para("", "text"))
	bomb := func(mb int) string { return strings.Repeat(" ", mb<<20) }
	encrypted := bytes.Clone(good)
	for i := range len(encrypted) - 8 { // the flag of encryption in all headers
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
		error string // part of the error, "" for a text
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

func TestRowsAreBounded(t *testing.T) {
	var rows strings.Builder
	for range maxRows + 10 {
		rows.WriteString("<row><c><v>1</v></c><c><v>2</v></c></row>")
	}
	src := packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml"), "xl/s.xml", "<worksheet><sheetData>"+rows.String()+"</sheetData></worksheet>")
	out, err := convert(src)
	if err != nil || len(out.Problems) != 1 || out.Problems[0].Reason != fmt.Sprintf("the sheet is too large: its rows from %d on were not read", maxRows+1) {
		t.Fatalf("%v, %v", out.Problems, err)
	}
	n := 1 // with the first row, which stands in each part
	for _, block := range out.Blocks[1:] {
		n += strings.Count(block.Text, "\n") - 1
	}
	if n != maxRows {
		t.Errorf("%d lines", n)
	}
}

// A long table is written in parts, each with the names of the columns.
func TestLongTables(t *testing.T) {
	rows := `<row r="1"><c r="B1"><v>0</v></c></row><row r="3"><c r="B3" t="str"><v>id</v></c><c r="AB3" t="str"><v>fee</v></c></row>`
	for n := 4; n <= 94; n++ {
		rows += fmt.Sprintf(`<row r="%d"><c r="B%[1]d"><v>%[1]d</v></c><c r="AB%[1]d"><v>7</v></c></row>`, n)
	}
	src := packed("_rels/.rels", relationships("officeDocument", "w.xml"), "_rels/w.xml.rels", relationships("worksheet", "s.xml"),
		"w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`, "s.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`)
	out, err := convert(src)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range out.Blocks {
		lines := strings.Split(b.Text, "\n")
		got = append(got, fmt.Sprintln(b.Level, b.Heading, b.Place.Sheet, lines[0], lines[len(lines)-1], len(lines)))
	}
	want := []string{"1 S S 0 0 1\n", "2 B4:AB43 S | id | fee | | 43 | 7 | 42\n", "2 B44:AB83 S | id | fee | | 83 | 7 | 42\n",
		"2 B84:AB94 S | id | fee | | 94 | 7 | 13\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestColumnsAreBounded(t *testing.T) {
	const wide = `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="IV1"><v>256</v></c><c r="%s"><v>%s</v></c></row></sheetData></worksheet>`
	src := packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/><sheet name="T" r:id="r2"/><sheet name="U" r:id="r3"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml", "worksheet", "t.xml", "worksheet", "u.xml"),
		"xl/s.xml", fmt.Sprintf(wide, "IV1", "256"), "xl/t.xml", fmt.Sprintf(wide, "IW1", "257"), "xl/u.xml", fmt.Sprintf(wide, "IW1", ""))
	const want = "# S {S}\n1 256\n# T {T}\n1 256\n# U {U}\n1 256\n! T: columns beyond the 256th were not read\n"
	if diff := cmp.Diff(want, shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

// A heading without a bookmark is cited by its page where all breaks of pages were saved.
func TestPagesOfDocuments(t *testing.T) {
	const turned = "<w:r><w:lastRenderedPageBreak/><w:t>%s</w:t></w:r>"
	heading := func(within, text string) string {
		return `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr>` + within + `<w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	body := heading("", "One") + heading(`<w:bookmarkStart w:name="b"/>`, "Two") + para("", "a") +
		"<w:p><w:r><w:t>begun</w:t></w:r>" + fmt.Sprintf(turned, " and turned") + "</w:p>" + para("", "b") +
		heading("<w:r><w:lastRenderedPageBreak/></w:r>", "Three")
	for pages, want := range map[string]string{
		"3": "# One {1}\n# Two {b}\na\n\nbegun and turned\n  {2}\nb\n# Three {3}\n",
		"4": "# One {}\n# Two {b}\na\n\nbegun and turned\nb\n# Three {}\n",
		"":  "# One {}\n# Two {b}\na\n\nbegun and turned\nb\n# Three {}\n",
	} {
		src := packed("_rels/.rels", relationships("officeDocument", "d.xml", "extended-properties", "app.xml"),
			"d.xml", `<w:document `+word+`><w:body>`+body+`</w:body></w:document>`, "app.xml", "<Properties><Pages>"+pages+"</Pages></Properties>")
		if diff := cmp.Diff(want, shown(t, src)); diff != "" {
			t.Errorf("%q pages: %s", pages, diff)
		}
	}
}

// Programs write formulas without their values, which only Excel and its like calculate.
func TestFormulasWithoutValues(t *testing.T) {
	const rows = `<worksheet><sheetData><row r="1"><c r="A1"><v>7</v></c><c r="B1"><f>A1*2</f><v>14</v></c></row>` +
		`<row r="2"><c r="A2"><v>8</v></c><c r="B2"><f>A2*2</f><v/></c><c r="C2" t="b"><f>A2&gt;1</f></c>` +
		`<c r="D2" t="str"><f>IF(A2,"","x")</f><v></v></c></row></sheetData></worksheet>`
	src := packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/><sheet name="T" r:id="r2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml", "worksheet", "t.xml"),
		"xl/s.xml", rows, "xl/t.xml", strings.Replace(rows, "<v/>", "<v>16</v>", 1))
	const want = "# S {S}\n| 7 | 14 |\n| --- | --- |\n| 8 | |\n# T {T}\n| 7 | 14 |\n| --- | --- |\n| 8 | 16 |\n" +
		"! S: formulas without a saved value: 2\n! T: formulas without a saved value: 1\n"
	if diff := cmp.Diff(want, shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

func TestCommentsOnCells(t *testing.T) {
	src := packed("_rels/.rels", relationships("officeDocument", "w.xml"),
		"w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`, "_rels/w.xml.rels", relationships("worksheet", "s.xml"),
		"s.xml", `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`, "_rels/s.xml.rels", relationships("comments", "c.xml"),
		"c.xml", `<comments><authors><author>Ann</author></authors><commentList><comment ref="B4"><text><r><t>Ann:</t></r><r><t xml:space="preserve">
round up</t></r></text></comment><comment ref="B5"><text/></comment></commentList></comments>`)
	if diff := cmp.Diff("# S {S}\n1\n\nB4: Ann: round up\n", shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

func TestTextOfShapesOnSheets(t *testing.T) {
	src := packed("_rels/.rels", relationships("officeDocument", "w.xml"),
		"w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`, "_rels/w.xml.rels", relationships("worksheet", "s.xml"),
		"s.xml", `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData><drawing/></worksheet>`, "_rels/s.xml.rels", relationships("drawing", "d.xml"),
		"d.xml", `<xdr:wsDr `+drawing+`><xdr:twoCellAnchor><xdr:sp><xdr:txBody><a:p><a:r><a:t>Press </a:t></a:r><a:r><a:t>both.</a:t></a:r></a:p>`+
			`<a:p/><a:p><a:fld><a:t>Then wait.</a:t></a:fld></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`)
	if diff := cmp.Diff("# S {S}\n1\n\nPress both.\n\nThen wait.\n", shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

// Where no style makes a heading, a bold line above text is one.
func TestBoldLines(t *testing.T) {
	bold := func(text string) string { return "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>" + text + "</w:t></w:r></w:p>" }
	const half = `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Half</w:t></w:r><w:r><w:t xml:space="preserve"> bold</w:t></w:r></w:p>`
	lines := bold("Fees") + "<w:p/>" + para("", "a") + bold("Two") + bold("Limits") + para("", "b") + half + bold("A sentence.") + para("", "c")
	for _, tc := range []struct{ name, body, want string }{
		{"two", lines, "## Fees {}\na\n\nTwo\n## Limits {}\nb\n\nHalf bold\n\nA sentence.\n\nc\n"},
		{"beside headings", para(`<w:outlineLvl w:val="1"/>`, "One") + lines,
			"## One {}\nFees\n\na\n\nTwo\n\nLimits\n\nb\n\nHalf bold\n\nA sentence.\n\nc\n"},
		{"one", bold("Fees") + para("", "a") + bold("End"), "Fees\n\na\n\nEnd\n"},
		{"above a table", lines + bold("Rates") + `<w:tbl><w:tr><w:tc>` + bold("x") + `</w:tc><w:tc>` + bold("y") + `</w:tc></w:tr><w:tr><w:tc>` + para("", "1") +
			`</w:tc><w:tc>` + para("", "2") + `</w:tc></w:tr></w:tbl>`,
			"## Fees {}\na\n\nTwo\n## Limits {}\nb\n\nHalf bold\n\nA sentence.\n\nc\n## Rates {}\n| x | y |\n| --- | --- |\n| 1 | 2 |\n"},
	} {
		if diff := cmp.Diff(tc.want, shown(t, wordFile(tc.body))); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestConvertStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	src := wordFile(strings.Repeat(para("", "x"), 1000))
	if _, err := New().Convert(ctx, sdk.Document{Content: bytes.NewReader(src), Size: int64(len(src))}); err == nil {
		t.Error("a document was converted after its time")
	}
}

func FuzzDocument(f *testing.F) {
	f.Add(para(`<w:pStyle w:val="Heading1"/><w:numPr><w:numId w:val="1"/></w:numPr>`, "x"))
	f.Add(`<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>a</w:t><w:br/><w:tab/></w:r></w:p></w:tc></w:tr></w:tbl>`)
	f.Fuzz(func(t *testing.T, body string) {
		check(t, wordFile(body, "word/_rels/document.xml.rels", relationships("numbering", "document.xml", "styles", "document.xml", "footnotes", "document.xml")))
	})
}

func FuzzSlide(f *testing.F) {
	f.Add(`<p:sp><p:ph type="title"/><a:p><a:r><a:t>x</a:t></a:r></a:p></p:sp><a:tbl><a:tr><a:tc/></a:tr></a:tbl>`)
	f.Fuzz(func(t *testing.T, body string) {
		check(t, packed("_rels/.rels", relationships("officeDocument", "p.xml"), "_rels/p.xml.rels", relationships("slide", "s.xml"),
			"p.xml", `<p:presentation `+drawing+`><p:sldId r:id="r1"/></p:presentation>`, "s.xml", `<p:sld `+drawing+">"+body+"</p:sld>",
			"_rels/s.xml.rels", relationships("notesSlide", "s.xml", "diagramData", "s.xml")))
	})
}

func FuzzSheet(f *testing.F) {
	f.Add(`<row r="3"><c r="B2" s="1"><v>45000.5</v></c><c t="s"><v>0</v></c></row>`, `yyyy"x"[h]\`)
	f.Fuzz(func(t *testing.T, rows, code string) {
		check(t, packed("_rels/.rels", relationships("officeDocument", "w.xml"), "w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`,
			"_rels/w.xml.rels", relationships("worksheet", "s.xml", "sharedStrings", "s.xml"), "s.xml", "<worksheet><sheetData>"+rows+"</sheetData></worksheet>"))
		formatOf(code)
	})
}

func FuzzPackage(f *testing.F) {
	f.Add(wordFile(para("", "x")))
	f.Fuzz(check)
}

// check converts a file and looks at what came out.
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
