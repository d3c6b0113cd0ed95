package page

import (
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Maximum number of characters that are shown of a name, a heading path and a piece of text.
const (
	mostName = 200
	mostPath = 400
	mostText = 1200
)

// harmless is [toolset.Harmless] for a text of a file, in which newlines and tabs stay.
func harmless(text string) string { return toolset.Harmless(text, "\n\t") }

// shorten returns a harmless text of at most the given number of characters, and marks a cut.
func shorten(s string, most int) string {
	if cut := text.CutRunes(s, most); len(cut) < len(s) {
		return harmless(cut) + " …"
	}
	return harmless(s)
}

// piece is a part of a text, marked where it matched.
type piece struct {
	Text string
	Mark bool
}

// pieces cuts a snippet at its marks, and at mostText characters.
func pieces(s search.Snippet) (out []piece) {
	cut := len(text.CutRunes(s.Text, mostText))
	add := func(from, to int, mark bool) {
		if to = min(to, cut); from < to {
			out = append(out, piece{harmless(s.Text[from:to]), mark})
		}
	}
	at := 0
	for _, m := range s.Marks {
		add(at, m[0], false)
		add(m[0], m[1], true)
		at = m[1]
	}
	add(at, len(s.Text), false)
	if cut < len(s.Text) {
		out = append(out, piece{Text: " …"})
	}
	return out
}
