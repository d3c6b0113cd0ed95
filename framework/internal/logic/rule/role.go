package rule

import (
	"regexp"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

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
