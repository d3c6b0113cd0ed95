package rule

import (
	"regexp"

	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Kind is the kind of a value.
type Kind string

// The kinds.
const (
	Number Kind = "number" // with its unit: 25 MB, 3 attempts
	Flag   Kind = "flag"   // the default of a setting
)

// Rule is a value in a line of code, or one that a specification wants.
type Rule struct {
	Path, Name string // the file, and the unit in it
	Line       int    // from 1
	Text       string // as written, on one line
	Kind       Kind
	Amount     quantity.Amount // for a Number
	role       role            // for a Number
	Flag       string          // for a Flag: true or false
	setting    string          // the folded name of the setting that has the value by default, or ""
	// subject is what the name says to which code assigns or compares the value, or what the statement says that wants
	// it.
	subject Words
}

// same reports whether two rules have the same value.
func (r *Rule) same(o *Rule) bool {
	return r.Kind == o.Kind && r.Flag == o.Flag && (r.Kind == Flag || same(&r.Amount, &o.Amount))
}

// differs reports whether two values may concern the same thing and are not equal.
func (r *Rule) differs(o *Rule) bool {
	if r.Kind != o.Kind || r.same(o) || r.role != "" && o.role != "" && r.role != o.role {
		return false
	}
	return r.Kind != Number || commensurable(&r.Amount, &o.Amount)
}

// measured reports whether a value has a unit of measure.
func (r *Rule) measured() bool {
	return r.Kind == Number && r.Amount.Measured() && r.Amount.Dimension != "text"
}

// speaksOf returns the share of the words in a code value's name that the statement mentions, or .5 without a name.
func (r *Rule) speaksOf(value *Rule) float64 {
	if len(value.subject) == 0 {
		return .5
	}
	return float64(value.subject.Shared(r.subject)) / float64(len(value.subject))
}

// role is what a number is to its subject: the maximum, the minimum or the default.
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

// roleOf returns the role that words name, or "" if they name none or two.
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
