package office

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

// document reads a Word document.
type document struct {
	*pkg
	x         *archive.XML
	relations []relation
	styles    styles
	numbering *numbering
	notes     map[string]*markdown.Inline // by kind and id
	noted     int
	repeated  int             // bytes of the notes that were written, which several marks may share
	lists     []int           // levels of the open lists
	code      []string        // lines of code that may continue
	bookmark  string          // a bookmark between paragraphs belongs to the next one
	initial   markdown.Inline // the large initial letter of the next paragraph, which is stored as a separate paragraph
	page      int             // after the last page break saved by Word
	placed    int             // page of the last place

	headed     int        // headings by style
	emboldened int        // bold lines above text
	boldly     bool       // whether these become headings
	held       *paragraph // a bold line that may be a heading if text follows
}

type paragraph struct {
	text     markdown.Inline
	raw      strings.Builder // as shown in code
	style    string
	list     int // id of a numbering, or -1 for that of the style
	depth    int // level in the list
	outline  int // level of a heading from 0, or -1
	bookmark string
	page     int          // where it begins
	bold     bool         // all of its text is bold
	initial  bool         // it is the large initial letter of the next paragraph
	boxed    []*paragraph // text boxes
	notes    []*markdown.Inline
}

// fewestBold is the minimum number of bold lines that become headings in a document without other headings.
const fewestBold = 2

// document writes a document. If no style marks headings, bold lines become headings.
func (p *pkg) document(part string) error {
	empty := *p
	d, err := p.read(part, false)
	if err == nil && d.headed == 0 && d.emboldened >= fewestBold {
		*p = empty
		_, err = p.read(part, true)
	}
	return err
}

// read writes a document; bold says whether bold lines are headings.
func (p *pkg) read(part string, bold bool) (*document, error) {
	d := &document{pkg: p, relations: p.relations(part), notes: map[string]*markdown.Inline{}, boldly: bold}
	d.styles = p.readStyles(related(d.relations, "styles"))
	d.numbering = p.readNumbering(related(d.relations, "numbering"))
	for _, kind := range []string{"footnote", "endnote"} {
		if notes := related(d.relations, kind+"s"); notes != "" {
			if err := d.readNotes(notes, kind); err != nil {
				d.fail(sdk.Place{}, err)
			}
		}
	}
	d.page, d.placed = 1, 1
	err := p.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		d.x = x
		return d.block(e)
	})
	d.release(false)
	d.leaveLists()
	d.flushCode()
	p.paged = d.page > 1 && strconv.Itoa(d.page) == p.saved // otherwise some breaks were not saved
	if err != nil && d.w.Len() > 0 && p.ctx.Err() == nil {  // keep what was read so far
		d.fail(sdk.Place{}, err)
		return d, nil
	}
	return d, err
}

// left are elements without text of their own: deleted, moved away, or repeated for old programs.
var left = map[string]bool{
	"del": true, "moveFrom": true, "Fallback": true, "rt": true, "rubyPr": true, "sectPr": true, "sdtPr": true,
	"tblPr": true, "tblGrid": true, "trPr": true, "instrText": true, "delText": true, "numberingChange": true,
}

// block visits an element that may contain paragraphs and tables.
func (d *document) block(e xml.StartElement) (bool, error) {
	switch name := e.Name.Local; {
	case left[name]:
		return false, nil
	case name == "p":
		p, err := d.paragraph()
		if err == nil {
			d.write(p)
		}
		return false, err
	case name == "sdt":
		return false, d.control()
	case name == "bookmarkStart":
		mark(&d.bookmark, e)
		return false, nil
	case name == "tbl":
		return false, d.table()
	case name == "altChunk":
		d.fail(sdk.Place{}, fmt.Errorf("a document inside the document was not read"))
		return false, nil
	}
	return true, nil
}

// control visits a content control, unless it contains the table of contents.
func (d *document) control() error {
	isContents := false
	return d.x.Each(func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "sdtPr", "docPartObj":
			return true, nil
		case "docPartGallery":
			isContents = archive.Attribute(e, "val") == "Table of Contents"
			return false, nil
		}
		if isContents {
			return false, nil
		}
		return d.block(e)
	})
}

// paragraph reads the paragraph that has just begun.
func (d *document) paragraph() (*paragraph, error) {
	p := &paragraph{text: d.initial, list: -1, outline: -1, bookmark: d.bookmark, page: d.page, bold: true}
	d.bookmark, d.initial = "", markdown.Inline{}
	in, hidden, raised, bold := &p.text, false, false, false
	text := func(s string) {
		p.bold = p.bold && (bold || strings.TrimSpace(s) == "")
		switch {
		case hidden:
		case raised:
			in.Raised(s)
		default:
			in.Text(s)
		}
		p.raw.WriteString(s)
	}
	var visit func(e xml.StartElement) (bool, error)
	visit = func(e xml.StartElement) (enter bool, err error) {
		switch name := e.Name.Local; name {
		case "pPr":
			err = d.x.Each(p.property)
		case "r":
			hidden, raised, bold = false, false, false
			err = d.x.Each(visit)
			hidden, raised, bold = false, false, false
		case "rPr":
			err = d.x.Each(func(e xml.StartElement) (bool, error) {
				bold = bold || e.Name.Local == "b" && isOn(e)
				hidden = hidden || e.Name.Local == "vanish" && isOn(e)
				raised = raised || e.Name.Local == "vertAlign" && archive.Attribute(e, "val") == "superscript"
				return false, nil
			})
		case "t":
			var s string
			s, err = d.x.Text()
			text(s)
		case "tab", "ptab":
			in.Space()
			p.raw.WriteByte('\t')
		case "br", "cr":
			if kind := archive.Attribute(e, "type"); kind == "" || kind == "textWrapping" {
				in.Break()
				p.raw.WriteByte('\n')
			}
		case "sup": // of a formula
			outer, power := in, &markdown.Inline{}
			in = power
			err = d.x.Each(visit)
			in = outer
			in.Raised(power.Plain())
		case "den":
			in.Text("/")
			return true, nil
		case "lastRenderedPageBreak":
			if d.page++; p.text.Empty() {
				p.page = d.page
			}
		case "noBreakHyphen":
			text("-")
		case "hyperlink":
			outer, link := in, &markdown.Inline{}
			in = link
			err = d.x.Each(visit)
			in = outer
			in.Link(link, d.link(e))
		case "bookmarkStart":
			mark(&p.bookmark, e)
		case "footnoteReference", "endnoteReference":
			if note := d.notes[strings.TrimSuffix(name, "Reference")+archive.Attribute(e, "id")]; note != nil {
				d.noted++
				mark := fmt.Sprintf("[%d]", d.noted)
				in.Text(mark)
				if d.repeated > border.MaxText {
					break
				}
				if d.repeated += note.Len(); d.repeated > border.MaxText {
					d.fail(sdk.Place{}, fmt.Errorf("the notes are too large: those from %s on were not read", mark))
					break
				}
				p.notes = append(p.notes, labelled(mark, note))
			}
		case "docPr":
			in.Picture(archive.Attribute(e, "descr"))
		case "txbxContent":
			var boxed []*paragraph
			boxed, err = d.paragraphs()
			p.boxed = append(p.boxed, boxed...)
		default:
			return !left[name], nil
		}
		return false, err
	}
	err := d.x.Each(visit)
	if p.initial {
		p.text, d.initial = markdown.Inline{}, p.text
	}
	return p, err
}

// mark stores the name of a bookmark, if it is the first.
func mark(at *string, e xml.StartElement) {
	if name := archive.Attribute(e, "name"); *at == "" && name != "_GoBack" {
		*at = name
	}
}

// labelled returns a text after a label.
func labelled(label string, text *markdown.Inline) *markdown.Inline {
	var in markdown.Inline
	in.Text(label + " ")
	in.Append(text)
	return &in
}

func (p *paragraph) property(e xml.StartElement) (bool, error) {
	switch e.Name.Local {
	case "pStyle":
		p.style = archive.Attribute(e, "val")
	case "outlineLvl":
		p.outline = number(e, "val", -1)
	case "ilvl":
		p.depth = number(e, "val", 0)
	case "numId":
		p.list = number(e, "val", 0)
	case "framePr":
		drop := archive.Attribute(e, "dropCap")
		p.initial = drop == "drop" || drop == "margin"
	}
	return e.Name.Local == "numPr", nil
}

// link returns the target of a hyperlink.
func (d *document) link(e xml.StartElement) string {
	if r := target(d.relations, archive.Attribute(e, "id")); r.external {
		return r.target
	}
	if mark := archive.Attribute(e, "anchor"); mark != "" {
		return "#" + mark
	}
	return ""
}

// paragraphs reads the paragraphs in the element that has just begun, including those in tables.
func (d *document) paragraphs() (all []*paragraph, err error) {
	err = d.x.Each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "p" {
			return !left[e.Name.Local], nil
		}
		p, err := d.paragraph()
		if err == nil {
			all = append(append(all, p), p.boxed...)
			p.boxed = nil
		}
		return false, err
	})
	return all, err
}

// readNotes reads the footnotes or endnotes.
func (d *document) readNotes(part, kind string) error {
	return d.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		if e.Name.Local != kind {
			return true, nil
		}
		d.x = x
		paragraphs, err := d.paragraphs()
		if t := archive.Attribute(e, "type"); t == "" || t == "normal" {
			d.notes[kind+archive.Attribute(e, "id")] = joined(paragraphs)
		}
		return false, err
	})
}

// joined joins paragraphs into one line.
func joined(paragraphs []*paragraph) *markdown.Inline {
	var in markdown.Inline
	for _, p := range paragraphs {
		in.Space()
		in.Append(&p.text)
	}
	return &in
}
