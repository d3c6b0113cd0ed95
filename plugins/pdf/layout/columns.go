package layout

import (
	"cmp"
	"slices"
)

const (
	columnLines = 4    // minimum number of lines in a column
	columnShare = 0.2  // minimum share of the width
	columnFill  = 0.55 // share of the width that the median line fills
	columnCross = 0.3  // maximum share of fragments that cross the gap between columns, as a title does
	columnDepth = 4
)

// columns splits the fragments of a page into columns, in reading order. Lines on both sides of a gap between columns
// fill their columns; the cells of a table do not.
func columns(frags []fragment, g grids, depth int) [][]fragment {
	if len(frags) == 0 {
		return nil
	}
	x, ok := gutter(frags)
	if !ok || depth == columnDepth {
		return [][]fragment{frags}
	}
	frags = slices.Clone(frags)
	slices.SortStableFunc(frags, func(a, b fragment) int {
		return cmp.Compare(centre(a.box.Y0, a.box.Y1), centre(b.box.Y0, b.box.Y1))
	})
	crosses := func(f fragment) bool {
		grid, _ := g.at(f.box)
		return f.box.X0 < x && f.box.X1 > x || grid > 0 && g.spans(grid, x)
	}
	var out [][]fragment
	var whole []fragment // fragments that are not in columns
	flush := func() {
		if len(whole) > 0 {
			out = append(out, whole)
			whole = nil
		}
	}
	for len(frags) > 0 {
		n := 0
		for n < len(frags) && !crosses(frags[n]) {
			n++
		}
		if left, right, ok := sides(frags[:n], x, g); ok {
			flush()
			out = append(out, columns(left, g, depth+1)...)
			out = append(out, columns(right, g, depth+1)...)
		} else {
			whole = append(whole, frags[:n]...)
		}
		frags = frags[n:]
		for len(frags) > 0 && crosses(frags[0]) {
			whole = append(whole, frags[0])
			frags = frags[1:]
		}
	}
	flush()
	return out
}

// gutter returns the position away from the edges that the fewest fragments cover.
func gutter(frags []fragment) (float64, bool) {
	box := frags[0].box
	for _, f := range frags {
		box = box.union(f.box)
	}
	const cells = 200
	var cover [cells + 1]int
	width := box.width()
	if len(frags) < 2*columnLines || width <= 0 {
		return 0, false
	}
	at := func(x float64) int { return int((x - box.X0) / width * cells) }
	for _, f := range frags {
		cover[at(f.box.X0)]++
		if end := at(f.box.X1) + 1; end <= cells {
			cover[end]--
		}
	}
	sum, best, from, to := 0, len(frags)+1, 0, 0
	for i := range cells {
		sum += cover[i]
		if i < cells*columnShare || i > cells*(1-columnShare) {
			continue
		}
		if sum < best {
			best, from, to = sum, i, i
		} else if sum == best && to == i-1 {
			to = i
		}
	}
	middle := box.X0 + width*(centre(float64(from), float64(to))+0.5)/cells
	return middle, float64(best) <= columnCross*float64(len(frags))
}

// sides splits fragments at x, and reports whether both sides are columns of text.
func sides(frags []fragment, x float64, g grids) (left, right []fragment, ok bool) {
	for _, f := range frags {
		if f.box.X1 <= x {
			left = append(left, f)
		} else {
			right = append(right, f)
		}
	}
	return left, right, filled(left, g) && filled(right, g)
}

func filled(frags []fragment, g grids) bool {
	lines := rows(frags, g)
	if len(lines) < columnLines {
		return false
	}
	x0, x1 := lines[0].box.X0, lines[0].box.X1
	widths := make([]float64, len(lines))
	for i, l := range lines {
		x0, x1 = min(x0, l.box.X0), max(x1, l.box.X1)
		for _, c := range l.cells {
			widths[i] += c.x1 - c.x0
		}
	}
	slices.Sort(widths)
	return widths[len(widths)/2] >= columnFill*(x1-x0)
}
