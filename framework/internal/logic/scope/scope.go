package scope

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// outside is a wording of questions that are out of scope. It applies if a question matches all of asks and not unless.
type outside struct {
	class  string
	asks   []func() *regexp.Regexp
	unless func() *regexp.Regexp
}

//go:embed wordings.txt
var wordings string

var (
	part = lazyregexp.New(`<[A-Za-z]+>`)
	// outsides are the wordings of all classes.
	outsides = sync.OnceValue(func() (all []outside) {
		parts := map[string]string{}
		for line := range strings.Lines(wordings) {
			name, pattern, _ := strings.Cut(strings.TrimSpace(line), " ")
			pattern = part().ReplaceAllStringFunc(pattern, func(p string) string { return parts[p[1:len(p)-1]] })
			switch last := len(all) - 1; {
			case name == "" || name == "#":
			case pattern == "":
				all = append(all, outside{class: name})
			case name == "asks":
				all[last].asks = append(all[last].asks, lazyregexp.New(pattern))
			case name == "unless":
				all[last].unless = lazyregexp.New(pattern)
			default:
				parts[name] = pattern
			}
		}
		return all
	})
)

// asides match phrases that say how a question is asked rather than what it asks, or that only look like a time or a
// condition. The group is kept.
var asides = lazyregexp.New(`^(?:please )?(?:can|could|would|will) you (?:please )?|^(?:i|we)(?: want| need| would like|'d like) to know |^do you know ` +
	`|\bat the moment (?:of|when|that)\b|\bnow that\b|\bright away\b|\bwhen (was|were|did)\b`)

// maxQuestion is the maximum length of a question in bytes; longer texts are always in scope.
const maxQuestion = 4000

// Outside returns why a question is out of scope, or "" if it is in scope. It is out of scope if it asks what data or a
// service currently says (runtime_value), is only about other areas than the backend (not_backend), or is decided by
// procedures or people (not_reproducible), see docs/reference/tools/ask_logic_qa.md.
//
// A question about a rule (a condition, a limit, an error, a permission) is in scope whatever time, place or person it
// names. A question is refused only if it clearly asks for something else.
func Outside(question string) string {
	if len(question) > maxQuestion {
		return ""
	}
	asked := asides().ReplaceAllString(text.Fold(question), "$1")
	unsaid := func(pattern func() *regexp.Regexp) bool { return !pattern().MatchString(asked) }
	for _, o := range outsides() {
		if !slices.ContainsFunc(o.asks, unsaid) && unsaid(o.unless) {
			return o.class
		}
	}
	return ""
}
