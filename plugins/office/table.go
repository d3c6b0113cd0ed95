package office

import (
	"encoding/xml"

	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

const (
	maxColumns  = 64
	maxCell     = 3000 // maximum bytes of a cell; a table with longer cells is only layout
	maxRepeated = 200  // maximum bytes of a text that is repeated for each row of a spanning cell
)

type cell struct {
	paragraphs []*paragraph
	wide       int  // number of columns that it spans
	merged     bool // with the cell above
}

// table reads and writes the table that has just begun.
func (d *document) table() error {
	rows, err := d.rows()
	if err != nil {
		return err
	}
	d.release(true)
	d.leaveLists()
	d.flushCode()
	if d.isLayout(rows) {
		for _, row := range rows {
			for _, c := range row {
				for _, p := range c.paragraphs {
					d.write(p)
				}
			}
		}
		d.leaveLists()
		d.flushCode()
		return nil
	}
	var lines [][]*markdown.Inline
	var notes []*markdown.Inline
	var above [maxColumns]*markdown.Inline
	for _, row := range rows {
		var line []*markdown.Inline
		for _, c := range row {
			text := joined(c.paragraphs)
			for _, p := range c.paragraphs {
				notes = append(notes, p.notes...)
			}
			for i := range c.wide {
				at := len(line)
				if at == maxColumns {
					break
				}
				if c.merged && above[at] != nil && above[at].Len() <= maxRepeated {
					text = above[at]
				}
				above[at] = text
				if line = append(line, text); i == 0 {
					text = &markdown.Inline{}
				}
			}
		}
		lines = append(lines, line)
	}
	d.w.Table(lines)
	for _, note := range notes {
		d.w.Paragraph(note)
	}
	return nil
}

// rows reads the rows of a table.
func (d *document) rows() (rows [][]cell, err error) {
	err = d.x.Each(func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "tr":
			rows = append(rows, nil)
		case "tc":
			if len(rows) == 0 {
				return false, nil
			}
			c, err := d.cell()
			last := len(rows) - 1
			rows[last] = append(rows[last], c)
			return false, err
		}
		return !left[e.Name.Local], nil
	})
	return rows, err
}

func (d *document) cell() (cell, error) {
	c := cell{wide: 1}
	err := d.x.Each(func(e xml.StartElement) (enter bool, err error) {
		switch e.Name.Local {
		case "tcPr":
			return true, nil
		case "gridSpan":
			c.wide = min(max(number(e, "val", 1), 1), maxColumns)
		case "vMerge":
			c.merged = archive.Attribute(e, "val") != "restart"
		case "p":
			var p *paragraph
			p, err = d.paragraph()
			c.paragraphs = append(append(c.paragraphs, p), p.boxed...)
			p.boxed = nil
		case "tbl", "sdt", "sdtContent", "ins", "customXml":
			var inner []*paragraph
			inner, err = d.paragraphs()
			c.paragraphs = append(c.paragraphs, inner...)
		}
		return false, err
	})
	return c, err
}

// isLayout reports whether a table is only used for layout.
func (d *document) isLayout(rows [][]cell) bool {
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
		for _, c := range row {
			size := 0
			for _, p := range c.paragraphs {
				if size += p.text.Len(); d.styles.of(p).level > 0 || size > maxCell {
					return true
				}
			}
		}
	}
	return columns < 2 || len(rows) < 2
}
