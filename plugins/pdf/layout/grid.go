package layout

import (
	"cmp"
	"slices"
)

// grids are the ruled tables of a page.
type grids struct {
	upright []Box
	tables  []table
}

// table is a stack of horizontal rules of the same width, which separate the rows.
type table struct {
	box      Box
	levels   []float64
	uprights []float64 // x of the rules between columns and at the sides; empty if only horizontal rules are drawn
}

const (
	thin     = 3.0  // maximum thickness of a rule in points
	ruleSlip = 4.0  // how far the ends of a table's rules may differ
	maxRules = 4000 // a page with more is a drawing
	minRule  = 40.0 // a shorter horizontal rule underlines a word
	minPart  = 6.0  // minimum length of a part of a rule
)

func newGrids(boxes []Box) grids {
	var g grids
	var level []Box
	add := func(b Box) {
		switch {
		case b.height() <= thin && b.width() >= minPart:
			level = append(level, b)
		case b.width() <= thin && b.height() >= minPart:
			g.upright = append(g.upright, b)
		}
	}
	if len(boxes) > maxRules {
		return g
	}
	for _, b := range boxes {
		if b.height() > thin && b.width() > thin { // the frame of a cell
			add(Box{b.X0, b.Y0, b.X1, b.Y0})
			add(Box{b.X0, b.Y1, b.X1, b.Y1})
			add(Box{b.X0, b.Y0, b.X0, b.Y1})
			add(Box{b.X1, b.Y0, b.X1, b.Y1})
			continue
		}
		add(b)
	}
	g.stack(joined(level))
	return g
}

// joined merges horizontal rules that touch, since many programs draw a rule for each cell.
func joined(level []Box) []Box {
	slices.SortFunc(level, func(a, b Box) int { return cmp.Or(cmp.Compare(a.Y0, b.Y0), cmp.Compare(a.X0, b.X0)) })
	var out []Box
	for len(level) > 0 {
		n := 1
		for n < len(level) && level[n].Y0-level[0].Y0 <= 1.5 {
			n++
		}
		row := level[:n]
		level = level[n:]
		slices.SortFunc(row, func(a, b Box) int { return cmp.Compare(a.X0, b.X0) })
		for i, b := range row {
			if last := len(out) - 1; i > 0 && b.X0 <= out[last].X1+ruleSlip {
				out[last] = out[last].union(b)
				continue
			}
			out = append(out, b)
		}
	}
	return slices.DeleteFunc(out, func(b Box) bool { return b.width() < minRule })
}

// stack makes tables from horizontal rules of the same width. If vertical rules connect some of them, a table ends
// where none do, since the rules below belong to another frame of the same width.
func (g *grids) stack(level []Box) {
	used := make([]bool, len(level))
	for i, first := range level {
		if used[i] {
			continue
		}
		stack := []Box{first}
		for k := i + 1; k < len(level); k++ {
			b := level[k]
			if used[k] || abs(b.X0-first.X0) > ruleSlip || abs(b.X1-first.X1) > ruleSlip {
				continue
			}
			used[k] = true
			if b.Y0-stack[len(stack)-1].Y0 > thin {
				stack = append(stack, b)
			}
		}
		framed := false
		for k := 1; k < len(stack); k++ {
			framed = framed || len(g.joining(stack[k-1], stack[k])) > 0
		}
		t := newTable(first)
		for k := 1; k < len(stack); k++ {
			uprights := g.joining(stack[k-1], stack[k])
			if framed && len(uprights) == 0 {
				g.keep(t, framed)
				t = newTable(stack[k])
				continue
			}
			t.box = t.box.union(stack[k])
			t.levels = append(t.levels, stack[k].Y0)
			t.uprights = append(t.uprights, uprights...)
		}
		g.keep(t, framed)
	}
}

func newTable(top Box) table { return table{box: top, levels: []float64{top.Y0}} }

func (g *grids) keep(t table, framed bool) {
	if framed {
		t.uprights = append(t.uprights, t.box.X0, t.box.X1) // its sides may be open
		slices.Sort(t.uprights)
		t.uprights = slices.CompactFunc(t.uprights, func(a, b float64) bool { return abs(a-b) <= ruleSlip })
	}
	if len(t.uprights) > 2 || len(t.levels) > 2 {
		g.tables = append(g.tables, t)
	}
}

// joining returns where vertical rules connect two horizontal ones.
func (g *grids) joining(a, b Box) []float64 {
	var out []float64
	for _, r := range g.upright {
		if r.Y0 <= a.Y1+ruleSlip && r.Y1 >= b.Y0-ruleSlip && r.X0 >= a.X0-ruleSlip && r.X1 <= a.X1+ruleSlip {
			out = append(out, centre(r.X0, r.X1))
		}
	}
	return out
}

func abs(v float64) float64 { return max(v, -v) }

// between reports whether a vertical rule separates two adjacent boxes.
func (g grids) between(a, b Box) bool {
	y := centre(a.Y0, a.Y1)
	return slices.ContainsFunc(g.upright, func(r Box) bool {
		return r.Y0 <= y && r.Y1 >= y && r.X0 >= a.X1-2 && r.X1 <= b.X0+2
	})
}

// at returns the number of the table that contains a box, from 1, and the row, or zeros.
func (g grids) at(b Box) (grid, row int) {
	y := centre(b.Y0, b.Y1)
	for i, t := range g.tables {
		if y < t.box.Y0 || y > t.box.Y1 || b.X0 < t.box.X0-ruleSlip || b.X1 > t.box.X1+ruleSlip {
			continue
		}
		n, _ := slices.BinarySearch(t.levels, y)
		return i + 1, max(n, 1)
	}
	return 0, 0
}

func (g grids) spans(grid int, x float64) bool {
	b := g.tables[grid-1].box
	return b.X0 < x && b.X1 > x
}
