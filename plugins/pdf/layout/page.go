package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// Box is a rectangle in points. Y grows downwards.
type Box struct{ X0, Y0, X1, Y1 float64 }

func (b Box) union(o Box) Box {
	return Box{min(b.X0, o.X0), min(b.Y0, o.Y0), max(b.X1, o.X1), max(b.Y1, o.Y1)}
}

func (b Box) width() float64  { return b.X1 - b.X0 }
func (b Box) height() float64 { return b.Y1 - b.Y0 }

// Char is a character with its box in the font: as wide as its advance, and as high as from descent to ascent.
type Char struct {
	Rune       rune
	Box        Box
	Size       float64 // of its type
	Bold, Mono bool
	Turned     bool // by a quarter, like Latin words in vertical Japanese
}

// Page is the content of a page. Chars are in the order of the file, with ' ' where the file or a gap ends a word.
// Rules are its thin lines and boxes.
type Page struct {
	Number        int
	Width, Height float64
	Chars         []Char
	Rules         []Box
}

// Sheet is a page split into lines.
type Sheet struct {
	number        int
	width, height float64
	lines         []line
	tables        []table
}

// cell is a part of a line, separated from the next by a gap or a rule.
type cell struct {
	text   string
	x0, x1 float64
}

// line is a line in a column of text.
type line struct {
	box        Box // from ascent to descent
	size       float64
	bold, mono bool
	ruby       bool // ruby was above it and increases its distance to the line before
	cells      []cell
	column     Box // column that contains the line
	flow       int // number of the column on the page
	row        int // row of a ruled table, from 1, or 0 outside of one
	grid       int // number of the ruled table on the page, from 1, or 0 outside of one
}

func (l *line) text() string {
	parts := make([]string, len(l.cells))
	for i, c := range l.cells {
		parts[i] = c.text
	}
	return strings.Join(parts, " ")
}

// Cut splits a page into lines, in reading order.
func Cut(p Page) Sheet {
	s := Sheet{number: p.Number, width: p.Width, height: p.Height}
	chars := slices.Clone(p.Chars)
	rules := p.Rules
	if vertical(chars) {
		// Columns from right to left become lines from top to bottom once the page is turned.
		turn := func(b Box) Box { return Box{b.Y0, p.Width - b.X1, b.Y1, p.Width - b.X0} }
		for i := range chars {
			chars[i].Box = turn(chars[i].Box)
		}
		rules = make([]Box, len(p.Rules))
		for i, r := range p.Rules {
			rules[i] = turn(r)
		}
		s.width, s.height = p.Height, p.Width
		chars = withoutLevel(chars, s.width)
	} else {
		chars = slices.DeleteFunc(chars, func(c Char) bool { return c.Turned }) // a stamp in a margin
	}
	g := newGrids(rules)
	s.tables = g.tables
	frags := withoutRuby(fragments(chars, g))
	for i, column := range columns(frags, g, 0) {
		box := column[0].box
		for _, f := range column {
			box = box.union(f.box)
		}
		for _, l := range rows(column, g) {
			l.column, l.flow = box, i
			l.grid, l.row = g.at(l.box)
			s.lines = append(s.lines, l)
		}
	}
	return s
}

func far(a, b Char) bool {
	return abs(a.Box.X0-b.Box.X0) > 3*b.Size || abs(a.Box.Y0-b.Box.Y0) > 3*b.Size
}

func centre(a, b float64) float64 { return (a + b) / 2 }

// wide reports whether a character is full-width and written without spaces.
func wide(r rune) bool {
	return r >= 0x2e80 && r < 0xa000 || r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xffef ||
		r >= 0x20000 && r < 0x32000
}

// stretched is the number of spaces between East Asian characters from which a line may be stretched.
const stretched = 4

// fragment is a run of characters on a line without a gap.
type fragment struct {
	text       []rune
	box        Box
	size       float64
	bold, mono int // number of characters
	last       Char
	ruby       bool  // ruby is above it
	gaps       []gap // spaces between East Asian characters
}

// gap is a space in a text and its position.
type gap struct {
	at     int
	x0, x1 float64
}

// Shares of the type size.
const (
	cellGap  = 1.0  // a wider gap ends a fragment
	wordGap  = 0.18 // a wider gap is a space between letters
	wideGap  = 0.45 // the same next to an East Asian character
	saidGap  = 0.2  // the same between East Asian characters, if the file has a space there
	fullGap  = 0.8  // the same if it has none
	lineSlip = 0.45 // how far the middles of characters on a line may differ
	raised   = 0.85 // a character smaller than this beside a larger one is raised or lowered
)

func fragments(chars []Char, g grids) []fragment {
	var out []fragment
	var cur *fragment
	space := false
	for _, c := range chars {
		switch {
		case c.Rune == '\u00a0' || c.Rune == '\u3000' || unicode.IsSpace(c.Rune):
			space = true
			continue
		case c.Rune == 2 || c.Rune == 0xfffe: // hyphens at the end of a line, as pdfium marks them
			c.Rune = '-'
		case !unicode.IsPrint(c.Rune) && c.Rune != '\u00ad' && !bullet(c.Rune), !sane(c):
			continue
		}
		if cur == nil || !cur.takes(c, g) {
			out = append(out, fragment{size: c.Size, box: c.Box})
			cur = &out[len(out)-1]
		} else if cur.gap(c, space) {
			if wide(cur.last.Rune) && wide(c.Rune) {
				cur.gaps = append(cur.gaps, gap{len(cur.text), cur.last.Box.X1, c.Box.X0})
			}
			cur.text = append(cur.text, cur.spaces(c)...)
		}
		cur.add(c)
		space = false
	}
	for i := range out {
		out[i].tighten()
	}
	return slices.DeleteFunc(out, printedBefore())
}

// tighten removes the spaces between East Asian characters if most of them are separated: the line was stretched to the
// width of its column.
func (f *fragment) tighten() {
	inner := func(i int) bool { return wide(f.text[i-1]) && wide(f.text[i+1]) }
	apart, together := 0, 0
	for i := 1; i < len(f.text)-1; i++ {
		switch {
		case f.text[i] == ' ' && inner(i):
			apart++
		case wide(f.text[i]) && wide(f.text[i-1]):
			together++
		}
	}
	if apart < stretched || apart < together {
		return
	}
	text := f.text[:1:1]
	for i := 1; i < len(f.text); i++ {
		if i+1 == len(f.text) || f.text[i] != ' ' || !inner(i) {
			text = append(text, f.text[i])
		}
	}
	f.text, f.gaps = text, nil
}

// printedBefore returns a function that reports whether a fragment repeats an earlier one at the same place, which PDFs
// do for bold type.
func printedBefore() func(fragment) bool {
	type place struct {
		text string
		x, y int
	}
	seen := map[place]bool{}
	return func(f fragment) bool {
		p := place{string(f.text), int(f.box.X0 / 2), int(f.box.Y0 / 2)}
		again := seen[p]
		seen[p] = true
		return again
	}
}

func sane(c Char) bool {
	for _, v := range []float64{c.Box.X0, c.Box.Y0, c.Box.X1, c.Box.Y1, c.Size} {
		if math.IsNaN(v) || math.Abs(v) > 1e6 {
			return false
		}
	}
	return c.Size > 0.5 && c.Box.X1 >= c.Box.X0 && c.Box.Y1 > c.Box.Y0
}

func (f *fragment) add(c Char) {
	f.text = append(f.text, c.Rune)
	if c.Size >= raised*f.size {
		f.box = f.box.union(c.Box)
	} else {
		f.box.X1 = max(f.box.X1, c.Box.X1)
	}
	if c.Bold {
		f.bold++
	}
	if c.Mono {
		f.mono++
	}
	f.last = c
}

func (f *fragment) takes(c Char, g grids) bool {
	gap, size := c.Box.X0-f.last.Box.X1, max(f.size, c.Size)
	slip := math.Abs(centre(c.Box.Y0, c.Box.Y1) - centre(f.box.Y0, f.box.Y1))
	if min(f.size, c.Size) < raised*size {
		small := c.Rune
		if f.last.Size < c.Size {
			small = f.last.Rune
		}
		if wide(small) || slip > 0.8*size || gap > 0.3*size { // ruby is not a raised character
			return false
		}
	} else if slip > lineSlip*size {
		return false
	}
	limit := cellGap
	if f.last.Mono && c.Mono {
		limit = 12 // columns of code are on one line
	}
	if c.Box == f.last.Box { // a ligature
		return true
	}
	return gap > -0.5*size && gap < limit*size && (gap < wordGap*size || !g.between(f.last.Box, c.Box))
}

// gap reports whether there is a space before c. said is true if the file has one there.
func (f *fragment) gap(c Char, said bool) bool {
	if len(f.text) < 3 && f.last.Size < raised*c.Size { // the number of a footnote
		return true
	}
	gap := (c.Box.X0 - f.last.Box.X1) / max(f.size, c.Size)
	if c.Box == f.last.Box {
		return false
	}
	switch {
	case wide(f.last.Rune) && wide(c.Rune):
		return said && gap > saidGap || gap > fullGap
	case wide(f.last.Rune) || wide(c.Rune):
		return gap > wideGap
	}
	return said && gap > 0.05 || gap > wordGap
}

// spaces returns the number of spaces that keep columns of code in place.
func (f *fragment) spaces(c Char) []rune {
	n := 1
	if advance := c.Box.width(); f.last.Mono && c.Mono && advance > 0.3*c.Size {
		n = max(1, int(math.Round((c.Box.X0-f.last.Box.X1)/advance)))
	}
	return []rune(strings.Repeat(" ", n))
}

// rows groups adjacent fragments into lines.
func rows(frags []fragment, g grids) []line {
	frags = slices.Clone(frags)
	mid := func(f fragment) float64 { return centre(f.box.Y0, f.box.Y1) }
	slices.SortStableFunc(frags, func(a, b fragment) int { return cmp.Compare(mid(a), mid(b)) })
	var out []line
	for len(frags) > 0 {
		first := frags[0]
		n := 1
		for n < len(frags) && mid(frags[n])-mid(first) <= lineSlip*max(first.size, frags[n].size) {
			n++
		}
		row := frags[:n]
		frags = frags[n:]
		slices.SortStableFunc(row, func(a, b fragment) int { return cmp.Compare(a.box.X0, b.box.X0) })
		out = append(out, newLine(row, g))
	}
	return out
}

func newLine(row []fragment, g grids) line {
	l := line{box: row[0].box}
	chars, bold, mono := 0, 0, 0
	for i, f := range row {
		l.box = l.box.union(f.box)
		chars, bold, mono = chars+len(f.text), bold+f.bold, mono+f.mono
		if l.ruby = l.ruby || f.ruby; i > 0 || len(row) == 1 || len(f.text) > 1 || !bullet(f.text[0]) {
			l.size = max(l.size, f.size) // the sign before an item is often larger
		}
		text := string(f.text)
		if i > 0 {
			last := &l.cells[len(l.cells)-1]
			if f.box.X0-last.x1 < cellGap*f.size && !g.between(row[i-1].box, f.box) { // in another order in the file
				if f.box.X0-last.x1 > wordGap*f.size && !(wide(f.text[0]) || endsWide(last.text)) {
					last.text += " "
				}
				last.text += text
				last.x1 = max(last.x1, f.box.X1)
				continue
			}
		}
		l.cells = append(l.cells, cell{text, f.box.X0, f.box.X1})
	}
	spaces := 0
	for _, c := range l.cells {
		spaces += strings.Count(c.text, " ")
	}
	l.bold, l.mono = bold*10 >= (chars-spaces)*9, mono*10 >= (chars-spaces)*8
	return l
}

func endsWide(s string) bool {
	r := []rune(s)
	return len(r) > 0 && wide(r[len(r)-1])
}
