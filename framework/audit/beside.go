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

// give adds a citation to elements, or to the loose ones where there are none.
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

// attach gives each note to the elements beside it; see the package comment.
// Blank lines part neighbours: they count only where nothing is nearer. The
// notes and spans are in the order of their lines. blank tells blank lines of the text.
func attach(a *Artifact, spans []span, notes []note, blank func(line int) bool) {
	n := neighbours{spans, notes, blank}
	choices := make([]choice, len(notes))
	style := 0 // above 0 where more notes stand below their elements
	for i, note := range notes {
		choices[i] = n.of(note)
		switch c := choices[i]; {
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

// neighbours finds what stands beside a note.
type neighbours struct {
	spans []span
	notes []note
	blank func(line int) bool
}

// of gives the owners that touch a note, else those that only blank lines part
// from it.
func (n neighbours) of(of note) choice {
	up, upNear := n.look(of.first-1, -1)
	down, downNear := n.look(of.last+1, 1)
	if upNear != downNear && up != nil && down != nil {
		if upNear {
			down = nil
		} else {
			up = nil
		}
	}
	return choice{up, down}
}

// look goes from a line in a direction, over other notes and blank lines, and
// gives the owners of the span it meets, and whether it crossed no blank line.
func (n neighbours) look(line, step int) (owners []int, near bool) {
	near = true
	for line > 0 {
		if at, ok := n.noteAt(line); ok {
			line = n.notes[at].first
			if step > 0 {
				line = n.notes[at].last
			}
		} else if n.blank(line) {
			near = false
		} else {
			return n.ownersAt(line), near
		}
		line += step
	}
	return nil, near
}

func (n neighbours) noteAt(line int) (int, bool) {
	return slices.BinarySearchFunc(n.notes, line, func(x note, line int) int { return position(x.first, x.last, line) })
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

func (n neighbours) ownersAt(line int) []int {
	at, found := slices.BinarySearchFunc(n.spans, line, func(x span, line int) int { return position(x.first, x.last, line) })
	if !found {
		return nil
	}
	return n.spans[at].owners
}
