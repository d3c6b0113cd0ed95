package rule

import (
	"regexp"

	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Kind is what a value is.
type Kind string

// The kinds.
const (
	Number Kind = "number" // with its unit: 25 MB, 3 attempts
	Flag   Kind = "flag"   // whether a setting is true where nothing is said
)

// Rule is a value that a line of code holds, or that a specification wants.
type Rule struct {
	Path, Name string // the file, and the unit in it
	Line       int    // from 1
	Text       string // as written, on one line
	Kind       Kind
	Amount     quantity.Amount // of a Number
	role       role            // of a Number
	Flag       string          // of a Flag: true or false
	setting    string          // the folded name of what has the value by default, or ""
	// subject is what the name says that code gives the value or compares it with, or what the statement says that
	// wants it.
	subject Words
}

// same reports whether two rules have the same value.
func (r *Rule) same(o *Rule) bool {
	if r.Kind == Flag {
		return r.Flag == o.Flag
	}
	return same(&r.Amount, &o.Amount)
}

// differs reports whether two values may be of the same thing and are not equal.
func (r *Rule) differs(o *Rule) bool {
	if r.Kind != o.Kind || r.same(o) || r.role != "" && o.role != "" && r.role != o.role {
		return false
	}
	return r.Kind != Number || comparable(&r.Amount, &o.Amount)
}

// measured reports whether a value has a unit of measure.
func (r *Rule) measured() bool {
	return r.Kind == Number && r.Amount.Measured() && r.Amount.Dimension != "text"
}

// speaksOf returns the share of the name beside a value of code that a statement speaks of, .5 without a name.
func (r *Rule) speaksOf(value *Rule) float64 {
	if len(value.subject) == 0 {
		return .5
	}
	return float64(value.subject.Shared(r.subject)) / float64(len(value.subject))
}

// role is what a number is of its subject: the most or the least that there may be, or what holds
// where nothing is said.
type role string

const (
	most     role = "most"
	least    role = "least"
	standard role = "standard"
)

var roles = []struct {
	role    role
	wording func() *regexp.Regexp
}{
	{standard, lazyregexp.New(`(?i)(?:^|[^a-z])(?:default|initial|standard)s?(?:$|[^a-z])|既定|初期|デフォルト|標準`)},
	{most, lazyregexp.New(`(?i)(?:^|[^a-z])(?:max|maximum|limit|cap|ceiling|upper|at most|up to|more than|exceed)` +
		`(?:$|[^a-z])|最大|上限|以下|以内|まで`)},
	{least, lazyregexp.New(`(?i)(?:^|[^a-z])(?:min|minimum|floor|lower|at least|less than|fewer than)` +
		`(?:$|[^a-z])|最小|下限|最低|以上|未満`)},
}

// roleOf reads the role that words tell, "" where they tell none or two.
func roleOf(words string) (found role) {
	for _, r := range roles {
		if r.wording().MatchString(words) {
			if found != "" {
				return ""
			}
			found = r.role
		}
	}
	return found
}
