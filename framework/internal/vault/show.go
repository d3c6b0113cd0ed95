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

// show returns the text of a piece. A line has its number where it begins; the rest of one that was cut has none.
func (s Showing) show(d *document, p piece) string {
	if !s.LineNumbers {
		return p.text
	}
	return d.lines.Number(d.text, p.from, p.end)
}

// piece takes the text from one byte to another of which at most limit code points are shown, numbers
// included, and reports whether that cut it. One is shown in any case.
func (s Showing) piece(d *document, from, to, limit int) (p piece, cut bool) {
	if s.LineNumbers {
		limit = max(1, sort.Search(limit, func(n int) bool {
			p, _ := d.piece(from, to, n+1)
			return utf8.RuneCountInString(s.show(d, p)) > limit
		}))
	}
	return d.piece(from, to, limit)
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
