package manuals

import (
	"bytes"
	"cmp"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// around is the number of code points that a snippet shows before and after its line.
const around = 240

// snippet returns the surroundings of a line within its section, or of a value in a JSON file. What exceeds the limit
// is cut from both sides, and from the line itself last.
func (d *document) snippet(line *int, pointer string, expand Expand) *extent {
	from, end := d.focus(line, pointer)
	low, high := d.around(from)
	start := max(low, corpus.Backward(d.text, from, around+expand.BeforeChars))
	stop := min(high, corpus.Forward(d.text, end, around+expand.AfterChars))
	x := &extent{document: d, scope: scopeSnippet}
	x.from, x.end = corpus.FirstWord(d.text, start, from), corpus.LastWord(d.text, end, stop)
	x.narrow = x.about(from, end)
	return x
}

// about returns a function for the n code points of an extent about a part of it, as many before as after if possible.
func (x *extent) about(from, end int) func(n int) (from, end int) {
	return func(n int) (int, int) {
		end := min(end, corpus.Forward(x.text, from, n))
		spare := n - utf8.RuneCount(x.text[from:end])
		before := min(utf8.RuneCount(x.text[x.from:from]), max(spare/2, spare-utf8.RuneCount(x.text[end:x.end])))
		stop := min(x.end, corpus.Forward(x.text, end, spare-before))
		start := corpus.FirstWord(x.text, corpus.Backward(x.text, from, before), from)
		return start, corpus.LastWord(x.text, min(end, stop), stop)
	}
}

// around returns the byte range of the section that contains a byte, or of the whole file if there is none.
func (d *document) around(at int) (from, end int) {
	if corpus.IsJSON(d.path) || len(d.text) > corpus.MaxSize {
		return 0, len(d.text)
	}
	s := corpus.SectionAt(d.sections(), d.lines.At(at))
	from, end = d.lines.Start(s.Start), d.lines.Start(s.End+1)
	if at < from { // in front matter
		return 0, from
	}
	return from, end
}

// focus returns the byte range of the line without its end, or an empty range where a JSON value starts.
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
