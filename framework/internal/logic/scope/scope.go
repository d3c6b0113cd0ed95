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

// outside is a wording of questions that are out of scope: all that it asks is said,
// and nothing that keeps a question in scope.
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

// asides say how a question is asked, not what, or look like a time or a condition
// and are none; what stands in the group is kept.
var asides = lazyregexp.New(`^(?:please )?(?:can|could|would|will) you (?:please )?|^(?:i|we)(?: want| need| would like|'d like) to know |^do you know ` +
	`|\bat the moment (?:of|when|that)\b|\bnow that\b|\bright away\b|\bwhen (was|were|did)\b`)

// maxQuestion is the length in bytes from which a text is no mere question.
const maxQuestion = 4000

// Outside returns why a question is out of scope, "" where it is in scope: it asks what data or a service says now
// (runtime_value), is about other areas than the backend only (not_backend), or is decided by procedures or people
// (not_reproducible), see docs/reference/tools/ask_logic_qa.md.
// It knows Japanese and English wordings. What asks for a rule (a condition, a limit, an
// error, what may be) is in scope whatever time, place or person it names; refused is
// what says that it asks for something else. When in doubt a question is in scope.
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
