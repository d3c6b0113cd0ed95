package text

import (
	"sort"
	"unicode/utf8"
)

// offsets maps a normalised text to its source as a list of spans, ordered by
// out and by src.
type offsets struct {
	spans []span
	out   int // length of the normalised text
	end   int // end of the last unit in the source
}

// span maps the normalised bytes from out up to the next span's out. In a copied span, each
// character is a unit and offsets advance in step, but the last character also covers the rest of
// the source before the next span. A fused span is a single unit.
type span struct {
	out, src int
	fused    bool
}

// copied records that the normalised text from out on corresponds byte by byte to the source from src on.
func (o *offsets) copied(out, src int) {
	if k := len(o.spans) - 1; k >= 0 {
		if last := o.spans[k]; !last.fused && src-out == last.src-last.out {
			return
		}
	}
	o.spans = append(o.spans, span{out: out, src: src})
}

// fused records that one unit starts at out and src.
func (o *offsets) fused(out, src int) {
	o.spans = append(o.spans, span{out: out, src: src, fused: true})
}

// at returns the index of the span that holds the normalised byte p.
func (o *offsets) at(p int) int {
	return sort.Search(len(o.spans), func(k int) bool { return o.spans[k].out > p }) - 1
}

// after returns the end of span k in the normalised text and in the source.
func (o *offsets) after(k int) (out, src int) {
	if k+1 < len(o.spans) {
		return o.spans[k+1].out, o.spans[k+1].src
	}
	return o.out, o.end
}

// source returns the start in the source of the unit at p.
func (o *offsets) source(p int) int {
	if p >= o.out {
		return o.end
	}
	s := o.spans[o.at(p)]
	if s.fused {
		return s.src
	}
	return s.src + p - s.out
}

// sourceEnd returns the end in the source of the unit that ends at p or contains it.
func (o *offsets) sourceEnd(p int) int {
	k := o.at(p - 1)
	out, src := o.after(k)
	if s := o.spans[k]; !s.fused && p < out {
		return s.src + p - s.out
	}
	return src
}

// widen extends the normalised range [a, b), whose ends are between characters, to whole units.
func (o *offsets) widen(a, b int) (int, int) {
	if s := o.spans[o.at(a)]; s.fused {
		a = s.out
	}
	if k := o.at(b - 1); o.spans[k].fused {
		b, _ = o.after(k)
	}
	return a, b
}

func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

func runeEnd(s string, i int) int {
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return i
}
