package office

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
)

// longestBold is the maximum number of characters of a bold line that may be a heading.
const longestBold = 80

// write writes a paragraph according to its style. A bold line waits until the next paragraph is known.
func (d *document) write(p *paragraph) {
	s := d.styles.of(p)
	line := p.text.Plain()
	isTitle := p.bold && s.level+s.list == 0 && !s.isContents && !s.isCode && len(p.notes)+len(p.boxed) == 0 &&
		utf8.RuneCountInString(line) <= longestBold && !strings.ContainsAny(line[max(0, len(line)-1):], ".:;,") &&
		!strings.HasSuffix(line, "。") && strings.ContainsFunc(line, unicode.IsLetter)
	if p.text.Empty() && len(p.boxed) == 0 {
		isTitle = false
	} else {
		d.release(!isTitle)
	}
	if isTitle {
		d.held = p
		return
	}
	d.put(p, s)
}

// release writes the waiting bold line; above says whether text follows, so that it may be a heading.
func (d *document) release(above bool) {
	p := d.held
	if d.held = nil; p == nil {
		return
	}
	s := d.styles.of(p)
	if above {
		if d.emboldened++; d.boldly {
			s.level = 2 // below the title
		}
	}
	d.put(p, s)
}

// put writes a paragraph with a style.
func (d *document) put(p *paragraph, s style) {
	if p.page != d.placed && s.level == 0 && len(d.lists)+len(d.code) == 0 {
		d.w.Place(sdk.Place{Page: p.page})
		d.placed = p.page
	}
	switch {
	case s.isContents:
	case s.isCode && !p.text.Empty():
		d.leaveLists()
		d.code = append(d.code, p.raw.String())
	case s.level > 0 && !p.text.Empty():
		d.heading(p, s)
	case s.list > 0 && !p.text.Empty():
		d.item(p, s)
	default:
		if d.flushCode(); !p.text.Empty() {
			d.leaveLists()
			d.w.Paragraph(&p.text)
		}
	}
	d.follow(p)
}

// follow writes what belongs to a paragraph and comes after it.
func (d *document) follow(p *paragraph) {
	for _, note := range p.notes {
		d.flushCode()
		d.w.Paragraph(note)
	}
	for _, boxed := range p.boxed {
		d.write(boxed)
	}
}

func (d *document) heading(p *paragraph, s style) {
	if !s.isTitle {
		d.headed++
	}
	d.leaveLists()
	d.flushCode()
	if s.isTitle && d.title == "" {
		d.title = p.text.Plain()
	}
	text := &p.text
	if s.list > 0 {
		label, _ := d.numbering.next(s.list, s.depth)
		text = labelled(label, text)
	}
	place := sdk.Place{Anchor: p.bookmark}
	if p.bookmark == "" {
		place.Page = p.page
	}
	d.placed = p.page
	d.w.Heading(s.level, text, place)
}

// item writes an item of a list.
func (d *document) item(p *paragraph, s style) {
	d.flushCode()
	for len(d.lists) > 0 && d.lists[len(d.lists)-1] >= s.depth {
		d.lists = d.lists[:len(d.lists)-1]
		d.w.Close()
	}
	label, n := d.numbering.next(s.list, s.depth)
	d.w.Item(n)
	d.lists = append(d.lists, s.depth)
	if n > 0 || label == "" {
		d.w.Paragraph(&p.text)
		return
	}
	d.w.Paragraph(labelled(label, &p.text))
}

func (d *document) leaveLists() {
	for range d.lists {
		d.w.Close()
	}
	d.lists = nil
}

func (d *document) flushCode() {
	if len(d.code) > 0 {
		d.w.Code("", strings.Join(d.code, "\n"))
	}
	d.code = nil
}
