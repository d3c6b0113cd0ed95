package office

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

func FuzzSlide(f *testing.F) {
	f.Add(`<p:sp><p:ph type="title"/><a:p><a:r><a:t>x</a:t></a:r></a:p></p:sp><a:tbl><a:tr><a:tc/></a:tr></a:tbl>`)
	f.Fuzz(func(t *testing.T, body string) {
		check(t, packed("_rels/.rels", relationships("officeDocument", "p.xml"), "_rels/p.xml.rels", relationships("slide", "s.xml"),
			"p.xml", `<p:presentation `+drawing+`><p:sldId r:id="r1"/></p:presentation>`, "s.xml", `<p:sld `+drawing+">"+body+"</p:sld>",
			"_rels/s.xml.rels", relationships("notesSlide", "s.xml", "diagramData", "s.xml")))
	})
}
