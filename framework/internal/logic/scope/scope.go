package scope

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Class is why a question is out of scope, "" where it is not (docs/reference/tools/ask_logic_qa.md).
type Class string

// The classes.
const (
	Runtime   Class = "runtime_value"    // asks for what data or a service says now
	Elsewhere Class = "not_backend"      // is about other areas than the backend only
	Judgement Class = "not_reproducible" // is decided by procedures or people
)

// outside is a wording of questions that are out of scope: all that it asks is said,
// and nothing that keeps a question in scope.
type outside struct {
	class  Class
	asks   []wording
	unless wording
}

// wording is a pattern, and what it is made of.
type wording struct {
	text     string
	compiled func() *regexp.Regexp
}

// anyOf returns a wording of alternatives.
func anyOf(alternatives ...string) wording {
	text := strings.Join(alternatives, "|")
	return wording{text, lazyregexp.New(text)}
}

// says returns wordings that a question must all match, in any order.
func says(patterns ...string) (all []wording) {
	for _, p := range patterns {
		all = append(all, anyOf(p))
	}
	return all
}

// outsides are the wordings of all classes.
var outsides = slices.Concat(judgements, englishRuntime, japaneseRuntime, elsewhere)

// asides say how a question is asked, not what, or look like a time or a condition
// and are none; what stands in the group is kept.
var asides = lazyregexp.New(`^(?:please )?(?:can|could|would|will) you (?:please )?|^(?:i|we)(?: want| need| would like|'d like) to know |^do you know ` +
	`|\bat the moment (?:of|when|that)\b|\bnow that\b|\bright away\b|\bwhen (was|were|did)\b`)

// maxQuestion is the length in bytes from which a text is no mere question.
const maxQuestion = 4000

// Outside returns the class in which a question is out of scope, "" where it is in scope.
// It knows Japanese and English wordings. What asks for a rule (a condition, a limit, an
// error, what may be) is in scope whatever time, place or person it names; refused is
// what says that it asks for something else. When in doubt a question is in scope.
func Outside(question string) Class {
	if len(question) > maxQuestion {
		return ""
	}
	asked := asides().ReplaceAllString(text.Fold(question), "$1")
	said := func(w wording) bool { return w.compiled().MatchString(asked) }
	for _, o := range outsides {
		if !slices.ContainsFunc(o.asks, func(w wording) bool { return !said(w) }) && !said(o.unless) {
			return o.class
		}
	}
	return ""
}
