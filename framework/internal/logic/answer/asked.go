package answer

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

//go:embed asked.txt
var askedData string

// asked is the type of answer that a question asks for.
type asked struct {
	name          string   // "" where it asks for none of these
	sorts         []string // of claims that hold it
	asks, holding func() *regexp.Regexp
}

var types = sync.OnceValue(func() (all []asked) {
	for _, e := range entries(askedData) {
		f := strings.Fields(e[0])
		all = append(all, asked{f[0], f[1:], lazyregexp.New(e[1]), lazyregexp.New(e[2])})
	}
	return all
})

// entries returns the lines of the paragraphs of a data file behind its first, which is a comment.
func entries(data string) (all [][]string) {
	for entry := range strings.SplitSeq(strings.TrimSuffix(data, "\n"), "\n\n") {
		all = append(all, strings.Split(entry, "\n"))
	}
	return all[1:]
}

// askedOf returns the type of what a question asks for first.
func askedOf(question string) asked {
	folded, first := text.Fold(question), math.MaxInt
	found := asked{holding: lazyregexp.New(`.`)}
	for _, t := range types() {
		if at := t.asks().FindStringIndex(folded); at != nil && at[0] < first {
			first, found = at[0], t
		}
	}
	return found
}

// strict reports whether an answer must be of this type. If it is not, its unknowns name the type.
func (a asked) strict() bool {
	return slices.Contains([]string{"amount", "time", "state", "status", "who", "list"}, a.name)
}

// answered matches an HTTP status in a claim, which is not an amount.
var answered = lazyregexp.New(` \([45]\d\d\)|\b(?i:HTTP) [1-5]\d\d\b`)

// holds reports whether a claim, with the constants that it names, has the requested type of answer.
func (a asked) holds(c Claim, text string) bool {
	if a.name != "status" {
		text = answered().ReplaceAllString(text, "")
	}
	return slices.Contains(a.sorts, string(c.Sort)) && !c.plain ||
		a.holding().MatchString(strings.ToLower(rule.Apart(text)))
}
