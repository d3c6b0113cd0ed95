package audit

import "slices"

// span is a run of lines that belongs to elements, or to none.
type span struct {
	first, last int
	owners      []int // places among the elements
}

// note is a citation that stands on lines of its own.
type note struct {
	first, last int
	cited       Citation
}

// give adds a citation to elements, or to the loose citations where there are none.
// An element that cites asserts.
func (a *Artifact) give(owners []int, cited Citation, line int) {
	if len(owners) == 0 {
		a.Loose = append(a.Loose, Loose{line, cited})
	}
	for _, i := range owners {
		a.Elements[i].Citation.add(cited)
		a.Elements[i].Asserts = true
	}
}

// attach adds each note to the elements beside it; see the package comment.
// Blank lines part neighbours: they count only where nothing is nearer. The
// notes and spans are in the order of their lines. blank reports whether a line is blank.
func attach(a *Artifact, spans []span, notes []note, blank func(line int) bool) {
	choices := neighbours{spans, notes, blank}.choices()
	style := 0 // above 0 where more notes stand below their elements
	for _, c := range choices {
		switch {
		case c.above != nil && c.below == nil:
			style++
		case c.above == nil && c.below != nil:
			style--
		}
	}
	asserting := make([]bool, len(a.Elements))
	for i, e := range a.Elements {
		asserting[i] = e.Asserts
	}
	for i, note := range notes {
		a.give(choices[i].owners(style, asserting), note.cited, note.first)
	}
}

// choice is what may own a note; nil where nothing does.
type choice struct{ above, below []int }

func (c choice) owners(style int, asserting []bool) []int {
	asserts := func(owners []int) bool {
		return slices.ContainsFunc(owners, func(i int) bool { return asserting[i] })
	}
	switch {
	case c.above == nil:
		return c.below
	case c.below == nil:
		return c.above
	case asserts(c.above) != asserts(c.below):
		if asserts(c.above) {
			return c.above
		}
		return c.below
	case style < 0:
		return c.below
	}
	return c.above
}

// neighbours finds what stands beside notes.
type neighbours struct {
	spans []span
	notes []note
	blank func(line int) bool
}

// side is what stands on one side of a note, and whether it touches the note or
// others that do.
type side struct {
	owners []int
	near   bool
}

// choices returns, for each note, the owners that touch it, else those that only blank lines
// part from it.
func (n neighbours) choices() []choice {
	up, down := make([]side, len(n.notes)), make([]side, len(n.notes))
	last := len(n.notes) - 1
	for i := range n.notes {
		up[i] = n.look(n.notes[i].first-1, -1, i-1, up)
		down[last-i] = n.look(n.notes[last-i].last+1, 1, last-i+1, down)
	}
	choices := make([]choice, len(n.notes))
	for i := range choices {
		choices[i] = choice{up[i].owners, down[i].owners}
		if up[i].near != down[i].near && up[i].owners != nil && down[i].owners != nil {
			if up[i].near {
				choices[i].below = nil
			} else {
				choices[i].above = nil
			}
		}
	}
	return choices
}

// look goes from a line in a direction over blank lines to what stands there.
// Another note is the one at the place next, whose own side is known.
func (n neighbours) look(line, step, next int, known []side) side {
	near := true
	for ; line > 0 && n.blank(line); line += step {
		near = false
	}
	if next >= 0 && next < len(n.notes) && position(n.notes[next].first, n.notes[next].last, line) == 0 {
		return side{known[next].owners, near && known[next].near}
	}
	return side{n.ownersAt(line), near}
}

func (n neighbours) ownersAt(line int) []int {
	at, found := slices.BinarySearchFunc(n.spans, line,
		func(x span, line int) int { return position(x.first, x.last, line) })
	if !found {
		return nil
	}
	return n.spans[at].owners
}

// position compares a run of lines with a line, 0 where it holds the line.
func position(first, last, line int) int {
	switch {
	case last < line:
		return -1
	case first > line:
		return 1
	}
	return 0
}
