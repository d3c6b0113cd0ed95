package code

import (
	"bytes"
	"cmp"
	"slices"
)

// Limits of a rest. It ends at the first empty line after restLines lines, or anywhere after restMaxLines
// lines or restBytes bytes.
const (
	restLines    = 20
	restMaxLines = 60
	restBytes    = 8 << 10
)

// fill adds the text between the outermost units as units of kind Rest.
func (c *cutter) fill() {
	at, gaps := 0, []Unit{}
	for _, u := range c.units {
		if u.Parent == NoParent {
			gaps = c.rest(at, u.Start, gaps)
			at = u.End
		}
	}
	gaps = c.rest(at, len(c.src), gaps)
	places := make([]int, len(c.units)) // new indexes of the units
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

// rest appends the text from one byte to another as units of a limited number of lines, without white space at their
// ends.
func (c *cutter) rest(from, to int, units []Unit) []Unit {
	for from < to {
		end := c.restEnd(from, to)
		if trimmed := bytes.TrimSpace(c.src[from:end]); len(trimmed) > 0 {
			start := from + bytes.Index(c.src[from:end], trimmed)
			units = append(units, Unit{
				Kind: Rest, Parent: NoParent, Span: Span{start, start + len(trimmed)},
				First: c.lines.At(start), Decl: c.lines.At(start), Last: c.lines.At(start + len(trimmed) - 1),
			})
		}
		from = end
	}
	return units
}

// restEnd returns where the rest that starts at from ends: at the start of a line or at to.
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
	floor := 0 // comments before it belong to an earlier unit
	for i := range c.units {
		u := &c.units[i]
		if n := c.commentsBefore(u.Start, floor); !n.Empty() {
			if u.Doc.Empty() {
				u.Doc = n
			}
			u.Start = n.Start
		}
		floor = u.Start + 1
	}
}

// commentsBefore returns the span of the comments that are separated from the byte at neither by an empty line nor by
// code. None of them starts before floor.
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
