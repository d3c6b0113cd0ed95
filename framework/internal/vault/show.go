package vault

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Showing says how a tool shows a piece of text.
type Showing struct {
	LineNumbers bool `json:"line_numbers" default:"false" doc:"Begin each line with its number."`
	MaxTokens   *int `json:"max_tokens" min:"100" max:"50000"`
}

// show returns the text of a piece.
func (s Showing) show(p piece) string {
	if !s.LineNumbers {
		return p.text
	}
	var b strings.Builder
	lines := corpus.NewLines([]byte(p.text))
	for n := 1; n <= lines.Count() && p.text != ""; n++ {
		fmt.Fprintf(&b, "%d: %s", p.lines.StartLine+n-1, p.text[lines.Start(n):lines.Start(n+1)])
	}
	return b.String()
}

// afford cuts a piece so that the reply costs at most MaxTokens, and reports whether it did. rest is
// the reply without the text. It fails when not even one letter can be shown.
func (d *document) afford(p piece, s Showing, rest any) (piece, bool, error) {
	if s.MaxTokens == nil || p.text == "" {
		return p, false, nil
	}
	beside := cost(rest)
	fits := func(p piece) bool { return beside+cost(s.show(p)) <= *s.MaxTokens }
	if fits(p) {
		return p, false, nil
	}
	first := func(chars int) piece {
		cut, _ := d.piece(p.from, p.end, chars)
		return cut
	}
	chars := sort.Search(utf8.RuneCountInString(p.text), func(n int) bool { return !fits(first(n + 1)) })
	if chars == 0 {
		return p, false, tooFew(*s.MaxTokens, beside+cost(s.show(first(1))))
	}
	return first(chars), true, nil
}

// rowsWithin returns how many of the first rows of a reply cost at most so many tokens with the rest
// of it; it fails when there is no room for the first.
func rowsWithin(most, rows int, reply func(n int) any) (int, error) {
	n := sort.Search(rows, func(n int) bool { return cost(reply(n+1)) > most })
	if n == 0 && rows > 0 {
		return 0, tooFew(most, cost(reply(1)))
	}
	return n, nil
}

// tooFew refuses max_tokens that leave no room for anything; least is what the smallest reply costs.
func tooFew(given, least int) error {
	return toolset.Invalid("max_tokens", given, fmt.Sprintf("at least %d for this reply", least)).With("nearest", least)
}

// cost estimates the tokens of a value in a reply.
func cost(value any) int {
	raw, err := json.Marshal(value)
	if err != nil {
		return 0
	}
	return toolset.EstimateTokens(string(raw))
}
