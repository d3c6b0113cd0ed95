package rule

import "github.com/sagasu-search/sagasu/sdk/x/lazyregexp"

// role is what an amount is of its subject: the most or the least that there may be,
// or what holds where nothing is said.
type role string

const (
	most     role = "most"
	least    role = "least"
	standard role = "standard"
)

var (
	standing = lazyregexp.New(`(?i)(?:^|[^a-z])(?:default|initial|standard)(?:$|[^a-z])|既定|初期|デフォルト|標準`)
	topmost  = lazyregexp.New(`(?i)(?:^|[^a-z])(?:max|maximum|limit|cap|ceiling|upper|largest|longest|highest)(?:$|[^a-z])|最大|上限|最長|最高`)
	lowest   = lazyregexp.New(`(?i)(?:^|[^a-z])(?:min|minimum|least|floor|lower|smallest|shortest|lowest)(?:$|[^a-z])|最小|下限|最低|最短`)
)

// minutes is a unit that ends a name as the least begins one.
var minutes = lazyregexp.New(`(?i) mins?$`)

// roleOf reads the role that words tell, and where they tell none the bound does.
func roleOf(words, op string, sign int) role {
	words = minutes().ReplaceAllString(words, "")
	if standing().MatchString(words) {
		return standard
	}
	up, down := topmost().MatchString(words), lowest().MatchString(words)
	if up == down && op != "" && sign != 0 {
		up, down = side(op)*sign < 0, side(op)*sign > 0
	}
	switch {
	case up == down:
		return ""
	case up:
		return most
	}
	return least
}

// otherRole reports whether two amounts are not of the same role: the largest page
// tells nothing of the default one. A bound that is turned round keeps its number.
func otherRole(has, wants Rule) bool {
	if has.role == "" || wants.role == "" || has.role == wants.role {
		return false
	}
	return has.role == standard || wants.role == standard || !has.Amount.same(wants.Amount)
}
