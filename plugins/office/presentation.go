package office

import (
	"encoding/xml"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

// presentation writes the slides in their order.
func (p *pkg) presentation(part string) error {
	relations := p.relations(part)
	number := 0
	return p.each(part, func(_ *archive.XML, e xml.StartElement) (bool, error) {
		if e.Name.Local != "sldId" {
			return true, nil
		}
		number++
		place := sdk.Place{Sheet: fmt.Sprintf("slide %d", number)}
		if err := p.slide(target(relations, relationID(e)).target, place); err != nil {
			if p.ctx.Err() != nil {
				return false, err
			}
			p.fail(place, err)
		}
		return false, nil
	})
}

// relationID returns the attribute id in the namespace of relations; elements may have another id.
func relationID(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

// slide reads a slide, shape by shape.
type slide struct {
	*pkg
	relations []relation
	x         *archive.XML
	title     markdown.Inline
	shapes    []shape
}

// shape is a part of a slide: lines of text, or a table.
type shape struct {
	kind  string // of the placeholder that it fills, or "" if it fills none
	lines []line
	rows  [][]*markdown.Inline
}

// line is a paragraph of a shape.
type line struct {
	text     markdown.Inline
	depth    int
	isBullet bool
	number   int
}

func (p *pkg) slide(part string, place sdk.Place) error {
	s := &slide{pkg: p, relations: p.relations(part)}
	if err := s.read(part); err != nil {
		return err
	}
	var shapes []shape
	for _, shape := range s.shapes {
		switch shape.kind {
		case "title", "ctrTitle":
			for i := range shape.lines {
				s.title.Space()
				s.title.Append(&shape.lines[i].text)
			}
		case "sldNum", "dt", "ftr", "hdr":
		default:
			shapes = append(shapes, shape)
		}
	}
	if s.title.Empty() && len(shapes) > 0 && shapes[0].isTitle() {
		s.title = shapes[0].lines[0].text
		shapes = shapes[1:]
	}
	if s.title.Empty() {
		p.w.Place(place)
	} else {
		p.w.Heading(1, &s.title, place)
	}
	for _, shape := range shapes {
		shape.write(&p.w)
	}
	notes := related(s.relations, "notesSlide")
	if notes == "" {
		return nil
	}
	n := &slide{pkg: p}
	if err := n.read(notes); err != nil {
		return err
	}
	p.w.Quote()
	for _, shape := range n.shapes {
		if shape.kind == "body" || shape.kind == "" {
			shape.write(&p.w)
		}
	}
	p.w.Close()
	return nil
}

// isTitle reports whether a shape is a single short line, as the first one on a slide without a title often is.
func (sh *shape) isTitle() bool {
	const longest = 150
	return len(sh.lines) == 1 && !sh.lines[0].isBullet && sh.lines[0].text.Len() <= longest
}

// read reads the shapes of a slide or of its notes.
func (s *slide) read(part string) error {
	return s.each(part, func(x *archive.XML, e xml.StartElement) (enter bool, err error) {
		s.x = x
		switch e.Name.Local {
		case "Fallback":
			return false, nil
		case "sp":
			var sh shape
			sh, err = s.shape()
			s.shapes = append(s.shapes, sh)
		case "tbl":
			var rows [][]*markdown.Inline
			rows, err = s.table()
			s.shapes = append(s.shapes, shape{rows: rows})
		case "relIds": // a diagram, whose text is in a separate part
			if data := target(s.relations, archive.Attribute(e, "dm")).target; data != "" {
				err = s.diagram(data)
			}
		case "pic":
			return true, nil
		case "cNvPr":
			var l line
			if l.text.Picture(archive.Attribute(e, "descr")); !l.text.Empty() {
				s.shapes = append(s.shapes, shape{lines: []line{l}})
			}
		default:
			return true, nil
		}
		return false, err
	})
}

// shape reads the shape that has just begun.
func (s *slide) shape() (shape, error) {
	var sh shape
	isBody := false
	err := s.x.Each(func(e xml.StartElement) (enter bool, err error) {
		switch e.Name.Local {
		case "ph":
			if sh.kind = archive.Attribute(e, "type"); sh.kind == "" {
				sh.kind = "obj"
			}
			isBody = sh.kind == "body" || sh.kind == "obj"
		case "p":
			var l line
			l, err = s.line(isBody)
			sh.lines = append(sh.lines, l)
			return false, err
		}
		return true, nil
	})
	return sh, err
}

// line reads the paragraph that has just begun. A paragraph of a body has a bullet unless it says otherwise.
func (s *slide) line(isBullet bool) (line, error) {
	l := line{isBullet: isBullet}
	in := &l.text
	var visit func(e xml.StartElement) (bool, error)
	visit = func(e xml.StartElement) (enter bool, err error) {
		switch e.Name.Local {
		case "pPr":
			l.depth = min(max(number(e, "lvl", 0), 0), maxLevels-1)
		case "buNone":
			l.isBullet = false
		case "buChar", "buBlip":
			l.isBullet = true
		case "buAutoNum":
			l.isBullet, l.number = true, number(e, "startAt", 1)
		case "r", "fld":
			outer, inner, link := in, &markdown.Inline{}, ""
			in = inner
			err = s.x.Each(func(e xml.StartElement) (bool, error) {
				if e.Name.Local == "hlinkClick" {
					if r := target(s.relations, relationID(e)); r.external {
						link = r.target
					}
					return false, nil
				}
				return visit(e)
			})
			in = outer
			in.Link(inner, link)
			return false, err
		case "t":
			text, err := s.x.Text()
			in.Text(text)
			return false, err
		case "br":
			in.Break()
		}
		return true, nil
	}
	return l, s.x.Each(visit)
}

// table reads the rows of the table that has just begun.
func (s *slide) table() (rows [][]*markdown.Inline, err error) {
	err = s.x.Each(func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "tr":
			rows = append(rows, nil)
		case "tc":
			if len(rows) == 0 || len(rows[len(rows)-1]) == maxColumns {
				return false, nil
			}
			sh, err := s.shape()
			text := &markdown.Inline{}
			for i := range sh.lines {
				text.Space()
				text.Append(&sh.lines[i].text)
			}
			rows[len(rows)-1] = append(rows[len(rows)-1], text)
			return false, err
		}
		return true, nil
	})
	return rows, err
}

// diagram reads the texts of a diagram as bullets.
func (s *slide) diagram(part string) error {
	outer := s.x
	defer func() { s.x = outer }()
	var sh shape
	err := s.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		s.x = x
		if e.Name.Local != "p" {
			return true, nil
		}
		l, err := s.line(true)
		sh.lines = append(sh.lines, l)
		return false, err
	})
	s.shapes = append(s.shapes, sh)
	return err
}

// write writes a shape. A single line is not a list.
func (sh *shape) write(w *markdown.Writer) {
	if len(sh.rows) > 0 {
		w.Table(sh.rows)
	}
	var lists []int
	leave := func(depth int) {
		for len(lists) > 0 && lists[len(lists)-1] >= depth {
			lists = lists[:len(lists)-1]
			w.Close()
		}
	}
	reached := map[int]int{}
	for i := range sh.lines {
		l := &sh.lines[i]
		if l.text.Empty() {
			continue
		}
		if !l.isBullet || sh.kind == "subTitle" {
			leave(0)
			w.Paragraph(&l.text)
			continue
		}
		leave(l.depth)
		n := 0
		if l.number > 0 {
			n = l.number + reached[l.depth]
			reached[l.depth]++
		}
		w.Item(n)
		lists = append(lists, l.depth)
		w.Paragraph(&l.text)
	}
	leave(0)
}
