package layout

import (
	"cmp"
	"slices"
	"strings"
)

const (
	tableLines  = 3   // minimum number of lines with several cells in a table without rules
	tableShare  = 0.6 // minimum share of lines with several cells
	tableLead   = 2.2 // maximum leading in a table, in type sizes
	parted      = 3   // minimum number of rows between rules for rules to separate all rows
	maxColumns  = 24
	proseFilled = 0.6
	alignedTo   = 0.5 // in type sizes
)

// tableAt returns the table that begins at line i as Markdown, and the line after it, or i.
func (w *writer) tableAt(s *Sheet, marks []mark, i int) (text string, next int) {
	lines := s.lines
	first := &lines[i]
	var uprights []float64
	next = i
	switch {
	case marks[i].level > 0:
		return "", i
	case first.grid > 0:
		for next < len(lines) && lines[next].grid == first.grid && marks[next].level == 0 {
			next++
		}
		uprights = s.tables[first.grid-1].uprights
		if n := prose(lines[i:next]); n >= 0 && len(uprights) == 0 {
			next = i + n
		}
		if next == i || len(uprights) == 0 && !aligned(lines[i:next]) {
			return "", i
		}
	case len(first.cells) > 1 && !first.mono:
		several, last := 0, i
		for next < len(lines) && marks[next].level == 0 && lines[next].flow == first.flow && lines[next].grid == 0 {
			l := &lines[next]
			if next > i && l.box.Y0-lines[next-1].box.Y0 > tableLead*l.size || item(l.text()) {
				break
			}
			if len(l.cells) > 1 {
				several, last = several+1, next
			} else if next-last > 2 {
				break
			}
			next++
		}
		next = last + 1
		if several < tableLines || float64(several) < tableShare*float64(next-i) || !aligned(lines[i:next]) {
			return "", i
		}
	default:
		return "", i
	}
	cols := between(uprights)
	if len(cols) < 2 {
		cols = tableColumns(lines[i:next])
	}
	if len(cols) < 2 || len(cols) > maxColumns {
		return "", i
	}
	rows := tableRows(lines[i:next], cols, len(uprights) > 0, w.join)
	if len(rows) < 2 {
		return "", i
	}
	return markdown(rows), next
}

// aligned reports whether at least half of the cells after the first are aligned with a cell of another line: at the
// start or, if they are short, at the end or in the middle. Cells of text with wide spaces are not.
func aligned(lines []line) bool {
	all, found := 0, 0
	for i := range lines {
		l := &lines[i]
		for _, c := range l.cells[1:] {
			short := c.x1-c.x0 < columnShare*l.column.width()
			near := func(a, b float64) bool { return abs(a-b) <= alignedTo*l.size }
			beside := func(other line) bool {
				return slices.ContainsFunc(other.cells[min(1, len(other.cells)):], func(o cell) bool {
					return near(c.x0, o.x0) ||
						short && (near(c.x1, o.x1) || near(centre(c.x0, c.x1), centre(o.x0, o.x1)))
				})
			}
			all++
			if slices.ContainsFunc(lines[:i], beside) || slices.ContainsFunc(lines[i+1:], beside) {
				found++
			}
		}
	}
	return 2*found >= all
}

// prose returns the number of lines in a ruled table before text that is between two rules and as wide as the table, or
// -1.
func prose(lines []line) int {
	for i := 0; i < len(lines); {
		n := i
		full := 0
		for n < len(lines) && lines[n].row == lines[i].row && len(lines[n].cells) == 1 {
			if l := lines[n].box; l.width() > proseFilled*lines[n].column.width() {
				full++
			}
			n++
		}
		if whole := n == len(lines) || lines[n].row != lines[i].row; n > i && whole && full > 0 {
			return i
		}
		for n < len(lines) && lines[n].row == lines[i].row {
			n++
		}
		i = n
	}
	return -1
}

// tableColumns returns the column ranges of the cells of lines.
func tableColumns(lines []line) []cell {
	most := 0
	for _, l := range lines {
		most = max(most, len(l.cells))
	}
	cols := ranges(lines, 1)
	for least := 2; len(cols) < 2 && least <= most; least++ { // skip lines with a cell that spans columns
		cols = ranges(lines, least)
	}
	return cols
}

func ranges(lines []line, least int) []cell {
	var all []cell
	for _, l := range lines {
		if len(l.cells) >= least {
			all = append(all, l.cells...)
		}
	}
	slices.SortFunc(all, func(a, b cell) int { return cmp.Compare(a.x0, b.x0) })
	var out []cell
	for _, c := range all {
		if last := len(out) - 1; last >= 0 && c.x0 <= out[last].x1 {
			out[last].x1 = max(out[last].x1, c.x1)
			continue
		}
		out = append(out, cell{x0: c.x0, x1: c.x1})
	}
	return out
}

// between returns the columns between vertical rules.
func between(uprights []float64) []cell {
	var out []cell
	for i := 1; i < len(uprights); i++ {
		out = append(out, cell{x0: uprights[i-1], x1: uprights[i]})
	}
	return out
}

// tableRows returns the rows of a table. If rules do not separate all rows, text in the first column begins a row.
func tableRows(lines []line, cols []cell, framed bool, join func(a, b string) string) [][]string {
	var rows [][]string
	ruled := framed || lines[0].grid > 0 && lines[len(lines)-1].row-lines[0].row >= parted
	prev := -1
	for _, l := range lines {
		cells := make([]string, len(cols))
		for _, c := range l.cells {
			k := nearest(cols, c)
			cells[k] = join(cells[k], c.text)
		}
		begins := cells[0] != ""
		if ruled || l.grid > 0 && l.row != prev && prev >= 0 {
			begins = l.row != prev
		}
		prev = l.row
		if begins || len(rows) == 0 {
			rows = append(rows, cells)
			continue
		}
		last := rows[len(rows)-1]
		for k, c := range cells {
			last[k] = join(last[k], c)
		}
	}
	return rows
}

func nearest(cols []cell, c cell) int {
	best, at := -1e9, 0
	for i, col := range cols {
		if over := min(col.x1, c.x1) - max(col.x0, c.x0); over > best {
			best, at = over, i
		}
	}
	return at
}

var bars = strings.NewReplacer("|", `\|`, "\n", " ")

func markdown(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		for _, c := range row {
			b.WriteString("| " + bars.Replace(strings.TrimSpace(c)) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
