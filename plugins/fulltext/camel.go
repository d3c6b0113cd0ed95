package fulltext

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// camel looks for a proximity in texts with words in camelCase: their parts are words, and
// the normalised text no longer shows where they start.
type camel struct {
	near  *patentquery.Proximity
	stems []string
	known map[string]bool // pieces of text, and whether a part in them has one of the stems
	z     text.Tokenizer
}

func newCamel(near *patentquery.Proximity) *camel {
	c := &camel{near: near, known: map[string]bool{}}
	for _, p := range slices.Concat(near.Left, near.Right) {
		if stem := p.Stem(); stem != "" {
			c.stems = append(c.stems, stem)
		}
	}
	return c
}

// in reports whether a source holds the proximity; it looks when a word in camelCase has
// one of the stems.
func (c *camel) in(source string) bool {
	for at := 0; len(c.stems) > 0; {
		from, to := nextCamel(source, at)
		if from < 0 {
			return false
		}
		if at = to; c.concerned(source[from:to]) {
			t := text.Normalize(source)
			return c.near.In(&t)
		}
	}
	return false
}

// mostKnown bounds what is remembered; it begins anew then.
const mostKnown = 4096

func (c *camel) concerned(piece string) bool {
	has, ok := c.known[piece]
	if ok {
		return has
	}
	t := text.Normalize(piece)
	for tok := range c.z.Tokens(&t) {
		has = has || slices.Contains(c.stems, tok.Term)
	}
	if len(c.known) == mostKnown {
		clear(c.known)
	}
	c.known[strings.Clone(piece)] = has
	return has
}

// nextCamel finds the next piece between white space in which a word in camelCase may start a part: at
// a capital letter behind a small one, or before one and behind a capital or a digit. -1 where there is none.
func nextCamel(s string, at int) (from, to int) {
	var before byte
	for i := at; i < len(s); i++ {
		b := s[i]
		if isUpper(b) && (isLower(before) || (isUpper(before) || isDigit(before)) && i+1 < len(s) && isLower(s[i+1])) {
			from = strings.LastIndexFunc(s[:i], isSpace) + 1
			if to = strings.IndexFunc(s[i:], isSpace); to < 0 {
				return from, len(s)
			}
			return from, i + to
		}
		before = b
	}
	return -1, -1
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }
func isLower(b byte) bool { return b >= 'a' && b <= 'z' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' }
