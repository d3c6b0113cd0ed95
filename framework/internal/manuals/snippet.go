package manuals

import (
	"bytes"
	"cmp"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// around is how many code points a snippet shows on each side of its line.
const around = 240

// snippet reads the surroundings of a line, or of a value in a JSON file. What
// exceeds MaxChars is taken from both sides, and from the line itself last.
func (d *document) snippet(line *int, pointer string, expand Expand) *Reading {
	from, end := d.focus(line, pointer)
	before, after := around+expand.BeforeChars, around+expand.AfterChars
	start, stop := corpus.Backward(d.text, from, before), corpus.Forward(d.text, end, after)
	cut := utf8.RuneCount(d.text[start:stop]) > MaxChars
	if cut {
		end = min(end, corpus.Forward(d.text, from, MaxChars))
		spare := MaxChars - utf8.RuneCount(d.text[from:end])
		before = min(utf8.RuneCount(d.text[start:from]), max(spare/2, spare-utf8.RuneCount(d.text[end:stop])))
		start = corpus.Backward(d.text, from, before)
		stop = min(stop, corpus.Forward(d.text, end, spare-before))
	}
	start = corpus.FirstBreak(d.text, start, from)
	return reading(ScopeSnippet, d.cut(start, corpus.LastBreak(d.text, start, stop)), cut)
}

// focus returns the byte range of the line without its end, or of nothing where a JSON value starts.
func (d *document) focus(line *int, pointer string) (from, end int) {
	if pointer != "" {
		at, _ := corpus.JSONOffset(d.text, pointer)
		return at, at
	}
	at := max(1, deref(line))
	from, end = d.lines.Start(at), d.lines.Start(at+1)
	return from, from + len(bytes.TrimRight(d.text[from:end], "\r\n"))
}

// deref returns the number pointed to, or 0.
func deref(n *int) int { return *cmp.Or(n, new(int)) }
