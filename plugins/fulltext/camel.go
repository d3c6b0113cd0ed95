package fulltext

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// camel finds a proximity in texts with words in camelCase. Their parts are words, but the normalised text no longer
// shows where they start.
type camel struct {
	near  *patentquery.Proximity
	stems []string
	known map[string]bool // pieces of text, and whether one of their parts has one of the stems
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

// in reports whether a source contains the proximity. It searches only if a word in camelCase has one of the stems.
func (c *camel) in(source string) bool {
	for at := 0; len(c.stems) > 0; {
		from, to := patentquery.NextCamel(source, at)
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

// mostKnown is the maximum size of the cache. A full cache is emptied.
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
