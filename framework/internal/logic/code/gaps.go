package code

import (
	"bytes"
	"cmp"
	"slices"
)

// Bounds of a rest or block, in lines and bytes: one is closed at an empty
// line behind the first, and anywhere at the second.
const (
	restLines    = 20
	restMaxLines = 60
	restBytes    = 8 << 10
)

// fill makes what lies between the outermost units rests.
func (c *cutter) fill() {
	at, gaps := 0, []Unit{}
	for _, u := range c.units {
		if u.Parent == NoParent {
			gaps = c.rest(Rest, at, u.Start, gaps)
			at = u.End
		}
	}
	gaps = c.rest(Rest, at, len(c.src), gaps)
	places := make([]int, len(c.units)) // where the units go
	all := make([]Unit, 0, len(c.units)+len(gaps))
	for i, u := range c.units {
		for len(gaps) > 0 && gaps[0].Start < u.Start {
			all, gaps = append(all, gaps[0]), gaps[1:]
		}
		if places[i] = len(all); u.Parent != NoParent {
			u.Parent = places[u.Parent]
		}
		all = append(all, u)
	}
	c.units = append(all, gaps...)
}

// rest appends the text from one byte to another as units of some lines each.
// White space at the ends is left out.
func (c *cutter) rest(kind Kind, from, to int, units []Unit) []Unit {
	for from < to {
		end := c.restEnd(from, to)
		if trimmed := bytes.TrimSpace(c.src[from:end]); len(trimmed) > 0 {
			start := from + bytes.Index(c.src[from:end], trimmed)
			units = append(units, Unit{
				Kind: kind, Parent: NoParent, Span: Span{start, start + len(trimmed)},
				First: c.lines.At(start), Decl: c.lines.At(start), Last: c.lines.At(start + len(trimmed) - 1),
			})
		}
		from = end
	}
	return units
}

// restEnd returns where the rest that starts at from ends, at a line's start or at to.
func (c *cutter) restEnd(from, to int) int {
	first := c.lines.At(from)
	for line := first + 1; line <= c.lines.Count(); line++ {
		at := c.lines.Start(line)
		if at >= to {
			break
		}
		empty := len(bytes.TrimSpace(c.src[c.lines.Start(line-1):at])) == 0
		if n := line - first; n >= restMaxLines || n >= restLines && empty || at-from >= restBytes {
			return at
		}
	}
	return to
}

// document assigns each unit the comment that ends on the line before it.
func (c *cutter) document() {
	floor := 0 // a comment before it belongs to an earlier unit
	for i := range c.units {
		u := &c.units[i]
		if n := c.commentsBefore(u.Start, floor); n.End > n.Start {
			if u.Doc.Empty() {
				u.Doc = n
			}
			u.Start = n.Start
		}
		floor = u.Start + 1
	}
}

// commentsBefore returns the comments without an empty line or code between them
// and the byte at, none before floor.
func (c *cutter) commentsBefore(at, floor int) Span {
	n, _ := slices.BinarySearchFunc(c.comments, at, func(s Span, at int) int { return cmp.Compare(s.Start, at) })
	doc := Span{at, at}
	for n--; n >= 0; n-- {
		comment := c.comments[n]
		gap, before := c.src[comment.End:doc.Start], c.src[c.lines.Start(c.lines.At(comment.Start)):comment.Start]
		if comment.Start < floor || len(bytes.TrimSpace(gap)) > 0 || bytes.Count(gap, []byte("\n")) > 1 ||
			len(bytes.TrimSpace(before)) > 0 {
			break
		}
		doc.Start = comment.Start
		if doc.End == at {
			doc.End = comment.End
		}
	}
	return doc
}
