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
	name          string   // "" if the question asks for no special type
	sorts         []string // sorts of claims that have this type
	asks, holding func() *regexp.Regexp
}

var types = sync.OnceValue(func() (all []asked) {
	for _, e := range entries(askedData) {
		f := strings.Fields(e[0])
		all = append(all, asked{f[0], f[1:], lazyregexp.New(e[1]), lazyregexp.New(e[2])})
	}
	return all
})

// entries returns the lines of each paragraph of a data file, without the first paragraph, which is a comment.
func entries(data string) (all [][]string) {
	for entry := range strings.SplitSeq(strings.TrimSuffix(data, "\n"), "\n\n") {
		all = append(all, strings.Split(entry, "\n"))
	}
	return all[1:]
}

// askedOf returns the first type that a question asks for.
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

// strict reports whether an answer must have this type. If it does not, its unknowns name the type.
func (a asked) strict() bool {
	return slices.Contains([]string{"amount", "time", "state", "status", "who", "list"}, a.name)
}

// answered matches an HTTP status in a claim, which is not an amount.
var answered = lazyregexp.New(` \([45]\d\d\)|\b(?i:HTTP) [1-5]\d\d\b`)

// holds reports whether a claim has the requested type. text is the claim with the constants that it names.
func (a asked) holds(c Claim, text string) bool {
	if a.name != "status" {
		text = answered().ReplaceAllString(text, "")
	}
	return slices.Contains(a.sorts, string(c.Sort)) && !c.plain ||
		a.holding().MatchString(strings.ToLower(rule.Apart(text)))
}
