package corpus

import (
	"bytes"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	tag   = lazyregexp.New(`^</?(?:[A-Za-z][\w.:-]*(?:\s[^<]*)?/?)?>$`)    // a line that is one tag of a component
	fence = lazyregexp.New("^(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:`{3}|~{3})") // code that begins a list item
)

// withoutComponents returns the text of an .mdx file with the same lines, but without what makes headings in components
// something else in CommonMark: the line of a tag before them, and indentation. MDX has no indented code. The lines of
// src end with LF.
func withoutComponents(src []byte) []byte {
	out := make([]byte, 0, len(src))
	for line := range bytes.Lines(src) {
		text := bytes.TrimLeft(line, " \t")
		if trimmed := bytes.TrimRight(text, " \t\n"); tag().Match(trimmed) {
			text = text[len(trimmed):]
		} else if at := fence().FindIndex(text); at != nil { // its end has no marker
			text = text[at[1]-3:]
		}
		out = append(out, text...)
	}
	return out
}
