package vault

import (
	"sort"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Showing says how a tool shows a piece of text.
type Showing struct {
	LineNumbers bool `json:"line_numbers" default:"false" doc:"Number each line."`
	MaxTokens   *int `json:"max_tokens" min:"100" max:"50000"`
}

// show returns the text of a piece, numbered where a line begins.
func (s Showing) show(d *document, p piece) string {
	if !s.LineNumbers {
		return p.text
	}
	return d.lines.Number(d.text, p.from, p.end)
}

// piece takes the text from one byte to another, but no more than limit code points as it is shown, though at
// least one of the text. It reports whether that cut it.
func (s Showing) piece(d *document, from, to, limit int) (piece, bool) {
	p, cut := d.piece(from, to, limit)
	if length := utf8.RuneCountInString; s.LineNumbers && length(s.show(d, p)) > limit {
		first := func(chars int) piece { q, _ := d.piece(from, to, chars); return q }
		chars := sort.Search(limit, func(n int) bool { return length(s.show(d, first(n+1))) > limit })
		p = first(max(1, chars))
		cut = p.end < to
	}
	return p, cut
}

// afford cuts a piece so that the reply costs at most MaxTokens, and reports whether it did. rest is
// the reply without the text. It fails when not even one letter can be shown.
func (d *document) afford(p piece, s Showing, rest any) (piece, bool, error) {
	if s.MaxTokens == nil || p.text == "" {
		return p, false, nil
	}
	beside := toolset.Cost(rest)
	fits := func(p piece) bool { return beside+toolset.Cost(s.show(d, p)) <= *s.MaxTokens }
	if fits(p) {
		return p, false, nil
	}
	first := func(chars int) piece {
		cut, _ := d.piece(p.from, p.end, chars)
		return cut
	}
	chars := sort.Search(utf8.RuneCountInString(p.text), func(n int) bool { return !fits(first(n + 1)) })
	if chars == 0 {
		return p, false, toolset.TooFew(*s.MaxTokens, beside+toolset.Cost(s.show(d, first(1))))
	}
	return first(chars), true, nil
}
