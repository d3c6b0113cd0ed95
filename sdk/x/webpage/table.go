package webpage

import (
	"slices"
	"strconv"

	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

const (
	// maxColumns is the maximum number of columns of a table.
	maxColumns = 64
	// maxCell is the maximum length of a cell's text in bytes; a table with longer cells is only layout.
	maxCell = 3000
	// maxRepeated is the maximum length in bytes of a text that is repeated for every row of a spanning cell.
	maxRepeated = 200
)

// table writes a data table as a table, and a layout table as its content.
func (c *converter) table(i int) {
	rows, ok := c.rows(i)
	var cells [][]*markdown.Inline
	if ok {
		cells = grid(c.cells(rows))
	}
	if len(cells) < 2 || len(cells[0]) < 2 {
		c.children(i)
		c.flush()
		return
	}
	c.caption(i)
	c.w.Table(cells)
	c.anchor, c.label = "", ""
}

// rows returns the rows of a data table.
func (c *converter) rows(i int) ([]int, bool) {
	n := &c.nodes[i]
	if role := n.attribute("role"); role == "presentation" || role == "none" ||
		c.holds[i]&(holdsHeading|holdsTable|holdsCode) != 0 {
		return nil, false
	}
	var rows []int
	images := false
	for at := i + 1; at < int(n.end); at++ {
		switch child := &c.nodes[at]; {
		case c.dropped[at]:
			at = int(child.end) - 1
		case child.name == "tr":
			rows = append(rows, at)
		case child.name != "td" && child.name != "th":
		case c.size[at] > maxCell:
			return nil, false
		default:
			images = images || c.size[at] == 0 && child.first != 0 && c.holdsImage(at)
		}
	}
	return rows, !images || len(rows) > 2 // an icon beside a note
}

func (c *converter) holdsImage(i int) bool {
	return slices.ContainsFunc(c.nodes[i:c.nodes[i].end], func(n node) bool { return n.name == "img" })
}

// spanned is a cell with the number of rows below that it also covers.
type spanned struct {
	text *markdown.Inline
	rows int
}

// cells returns the texts of the cells by row and column. A cell that spans rows is in each of them, so that every row
// has its headings. A cell that spans columns is in the first.
func (c *converter) cells(rows []int) [][]*markdown.Inline {
	var above [maxColumns]spanned
	var all [][]*markdown.Inline
	for _, row := range rows {
		var line []*markdown.Inline
		fill := func() {
			for len(line) < maxColumns && above[len(line)].rows > 0 {
				above[len(line)].rows--
				line = append(line, above[len(line)].text)
			}
		}
		for at := c.nodes[row].first; at != 0; at = c.nodes[at].next {
			n := &c.nodes[at]
			if n.name != "td" && n.name != "th" || c.dropped[at] {
				continue
			}
			if fill(); len(line) == maxColumns {
				break
			}
			var text markdown.Inline
			c.inline(&text, int(at))
			down, _ := strconv.Atoi(n.attribute("rowspan"))
			right, _ := strconv.Atoi(n.attribute("colspan"))
			cell := &text
			for range max(right, 1) {
				if len(line) == maxColumns {
					break
				}
				above[len(line)] = spanned{cell, max(down-1, 0)}
				if cell.Len() > maxRepeated {
					above[len(line)].text = nil
				}
				line = append(line, cell)
				cell = &markdown.Inline{}
			}
		}
		fill()
		all = append(all, line)
	}
	return all
}

// grid drops rows and columns without text.
func grid(rows [][]*markdown.Inline) [][]*markdown.Inline {
	var used [maxColumns]bool
	for _, row := range rows {
		for column, cell := range row {
			used[column] = used[column] || cell != nil && !cell.Empty()
		}
	}
	var all [][]*markdown.Inline
	for _, row := range rows {
		var line []*markdown.Inline
		empty := true
		for column, filled := range used {
			if !filled {
				continue
			}
			var cell *markdown.Inline
			if column < len(row) {
				cell = row[column]
			}
			empty = empty && (cell == nil || cell.Empty())
			line = append(line, cell)
		}
		if !empty {
			all = append(all, line)
		}
	}
	return all
}

// caption writes the caption of a table as a paragraph before it.
func (c *converter) caption(i int) {
	for at := c.nodes[i].first; at != 0; at = c.nodes[at].next {
		if c.nodes[at].name == "caption" && !c.dropped[at] {
			c.inline(&c.paragraph, int(at))
			c.flush()
		}
	}
}
