package office

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
<w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="0"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%2条"/><w:lvlRestart w:val="0"/></w:lvl>
<w:lvl w:ilvl="2"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1-%3"/><w:isLgl/><w:lvlRestart w:val="1"/></w:lvl></w:abstractNum>
<w:num w:numId="5"><w:abstractNumId w:val="3"/></w:num>
<w:num w:numId="6"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="1"><w:lvl w:ilvl="1"><w:numFmt w:val="upperLetter"/><w:lvlText w:val="%2章"/></w:lvl></w:lvlOverride></w:num>
</w:numbering>`
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
		{"a list begun anew that goes on", list("0", "2", "a") + list("0", "2", "b") + para("", "x") + list("0", "4", "c") + list("0", "2", "d") + list("0", "4", "e"),
			"3. a\n4. b\n\nx\n\n7. c\n8. d\n9. e\n"},
		{"numbers that go on below the next item", list("0", "5", "a") + list("1", "5", "b") + list("2", "5", "c") + list("0", "5", "d") + list("1", "5", "e") +
			list("2", "5", "f") + list("1", "5", "g") + list("2", "5", "h") + list("1", "6", "i"),
			"- 0. a\n  - 1条 b\n    - 0-1 c\n- I. d\n  - 2条 e\n    - 1-1 f\n  - 3条 g\n    - 1-2 h\n  - D章 i\n"},
		{"a large initial", para(`<w:framePr w:dropCap="drop" w:lines="3"/>`, "D") + para("", "rop") + para(`<w:framePr w:w="9"/>`, "F") + para("", "rame"),
			"Drop\n\nF\n\nrame\n"},
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

// A heading without a bookmark is cited by its page if all page breaks were saved.
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

// If no style marks headings, a bold line above text is one.
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

func FuzzDocument(f *testing.F) {
	f.Add(para(`<w:pStyle w:val="Heading1"/><w:numPr><w:numId w:val="1"/></w:numPr>`, "x"))
	f.Add(`<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>a</w:t><w:br/><w:tab/></w:r></w:p></w:tc></w:tr></w:tbl>`)
	f.Fuzz(func(t *testing.T, body string) {
		check(t, wordFile(body, "word/_rels/document.xml.rels", relationships("numbering", "document.xml", "styles", "document.xml", "footnotes", "document.xml")))
	})
}

// TestNotesAreBounded has a small document whose notes would take 4 GB.
func TestNotesAreBounded(t *testing.T) {
	note := `<w:footnotes ` + word + `><w:footnote w:id="2"><w:p><w:r><w:t>` + strings.Repeat("x ", 512<<10) +
		`</w:t></w:r></w:p></w:footnote></w:footnotes>`
	out, err := convert(wordFile("<w:p>"+strings.Repeat(`<w:r><w:footnoteReference w:id="2"/></w:r>`, 4096)+"</w:p>",
		"word/footnotes.xml", note, "word/_rels/document.xml.rels", relationships("footnotes", "footnotes.xml")))
	if err != nil || len(out.Problems) == 0 || out.Problems[0].Reason != "the notes are too large: those from [33] on were not read" {
		t.Fatalf("%v, %v", out.Problems, err)
	}
}
