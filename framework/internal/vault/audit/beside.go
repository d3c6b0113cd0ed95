package audit

import "slices"

// note is a citation on separate lines.
type note struct {
	first, last int
	cited       Citation
}

// give adds a citation to elements, or to the loose citations if there are no elements. An element
// with a citation counts as asserting.
func (a *Artifact) give(owners []int, cited Citation, line int) {
	if len(owners) == 0 {
		a.Loose = append(a.Loose, Loose{line, cited})
	}
	for _, i := range owners {
		a.Elements[i].Citation.add(cited)
		a.Elements[i].Asserts = true
	}
}

// attach adds each note to the adjacent elements; see the package comment. Elements across blank
// lines count only if nothing is nearer. The notes are in line order. owners maps lines to the
// indexes of their elements. blank reports whether a line is blank.
func attach(a *Artifact, owners map[int][]int, notes []note, blank func(line int) bool) {
	choices := choicesOf(owners, notes, blank)
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

// choice holds the elements that may own a note; nil if none.
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

// side holds the elements on one side of a note, and whether they touch the note, directly or
// through other notes.
type side struct {
	owners []int
	near   bool
}

// choicesOf returns, for each note, the owners that touch it, or else those that only blank lines
// separate from it.
func choicesOf(owners map[int][]int, notes []note, blank func(line int) bool) []choice {
	noted := map[int]int{} // line → place among the notes
	for i, n := range notes {
		noted[n.first], noted[n.last] = i, i
	}
	// look finds the side of a note, from a line in a direction. known holds the sides of other notes.
	look := func(line, step int, known []side) side {
		near := true
		for ; line > 0 && blank(line); line += step {
			near = false
		}
		if i, ok := noted[line]; ok {
			return side{known[i].owners, near && known[i].near}
		}
		return side{owners[line], near}
	}
	up, down := make([]side, len(notes)), make([]side, len(notes))
	for i := range notes {
		up[i] = look(notes[i].first-1, -1, up)
	}
	choices := make([]choice, len(notes))
	for i := len(notes) - 1; i >= 0; i-- {
		down[i] = look(notes[i].last+1, 1, down)
		choices[i] = choice{up[i].owners, down[i].owners}
		switch {
		case up[i].near == down[i].near || choices[i].above == nil || choices[i].below == nil:
		case up[i].near:
			choices[i].below = nil
		default:
			choices[i].above = nil
		}
	}
	return choices
}
