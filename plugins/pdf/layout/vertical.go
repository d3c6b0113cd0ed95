package layout

import (
	"cmp"
	"math"
	"slices"
	"unicode"
)

// vertical reports whether most East Asian characters are below the one before them.
func vertical(chars []Char) bool {
	down, along := 0, 0
	for i := 1; i < len(chars); i++ {
		a, b := chars[i-1], chars[i]
		if !wide(a.Rune) || !wide(b.Rune) {
			continue
		}
		dx, dy := math.Abs(centre(b.Box.X0, b.Box.X1)-centre(a.Box.X0, a.Box.X1)), b.Box.Y0-a.Box.Y0
		switch {
		case dx < b.Size/2 && dy > b.Size/3 && dy < 3*b.Size:
			down++
		case dx >= b.Size/3 && math.Abs(dy) < b.Size/3:
			along++
		}
	}
	return down > along
}

// levelWords is the maximum width, in type sizes, of numbers and words that are horizontal in a vertical line.
const levelWords = 2

// withoutLevel drops horizontal running lines at the ends of vertical ones, once the page is turned: those with East
// Asian characters, those wider than a number in a vertical line, and those far from everything else. A horizontal
// number inside a line is laid along the line.
func withoutLevel(chars []Char, width float64) []Char {
	level := func(a, b Char) bool {
		apart := abs(centre(a.Box.X0, a.Box.X1) - centre(b.Box.X0, b.Box.X1))
		return apart < b.Size/3 && abs(a.Box.Y0-b.Box.Y0) < 2*b.Size
	}
	ends := func(c Char) bool { return c.Box.X1 < edge*width || c.Box.X0 > (1-edge)*width }
	var out []Char
	for from, to := 0, 0; from < len(chars); from = to {
		first := chars[from]
		box, full := first.Box, wide(first.Rune)
		for to = from + 1; to < len(chars) && level(chars[to-1], chars[to]); to++ {
			box, full = box.union(chars[to].Box), full || wide(chars[to].Rune)
		}
		run := chars[from:to]
		alone := (from == 0 || far(chars[from-1], first)) && (to == len(chars) || far(chars[to-1], chars[to]))
		number := !full && box.height() <= levelWords*first.Size
		if ends(first) && (alone || len(run) > 1 && !number) {
			continue
		}
		if number && !first.Turned {
			along(run, box)
		}
		out = append(out, run...)
	}
	return out
}

// along lays characters that were stacked in a box beside each other, starting at the other end.
func along(run []Char, box Box) {
	space := func(c Char) bool { return unicode.IsSpace(c.Rune) }
	for len(run) > 0 && space(run[len(run)-1]) { // it is the end of a word
		run = run[:len(run)-1]
	}
	if len(run) < 2 || slices.ContainsFunc(run, space) {
		return
	}
	slices.SortStableFunc(run, func(a, b Char) int { return cmp.Compare(b.Box.Y0, a.Box.Y0) })
	advance := box.width() / float64(len(run))
	for i := range run {
		x := box.X0 + float64(i)*advance
		run[i].Box = Box{x, box.Y0, x + advance, box.Y1}
	}
}
