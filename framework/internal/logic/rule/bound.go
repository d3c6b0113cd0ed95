package rule

import (
	"regexp"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// bound is a wording that compares with the number beside it.
type bound struct {
	op     string
	before func() *regexp.Regexp // ends where the number starts
	behind func() *regexp.Regexp // starts where the unit ends
}

// bounds are tried in this order: "no more than" stands before "more than".
var bounds = []bound{
	{"<=", lazyregexp.New(`(?:no|not|never)(?: be)? (?:more|greater|larger|longer|older|heavier|higher|later) than(?: or equal to)?\s*$|at most\s*$|up to\s*$|maximum of\s*$|within\s*$|limited to\s*$`), nil},
	{">=", lazyregexp.New(`(?:no|not)(?: be)? (?:less|fewer|smaller|shorter|younger|lower) than\s*$|at least\s*$|minimum of\s*$|not below\s*$`), nil},
	{">", lazyregexp.New(`\b(?:more|greater|larger|longer|older|heavier|higher|later|bigger|wider) than\s*$|\b(?:over|above|exceeds?|exceeding|exceeded|beyond)\s*$`), nil},
	{"<", lazyregexp.New(`\b(?:less|fewer|smaller|shorter|younger|lower|lighter) than\s*$|\b(?:under|below)\s*$`), nil},
	{">=", nil, lazyregexp.New(`^[^.,;]{0,20}?\bor (?:more|longer|older|greater|larger|above|higher|later|over)\b|^[^、。,]{0,4}以上`)},
	{"<=", nil, lazyregexp.New(`^[^.,;]{0,20}?\bor (?:less|fewer|shorter|younger|smaller|below|lower)\b|^[^、。,]{0,4}(?:以下|以内)|^(?:先)?まで`)},
	{"<", nil, lazyregexp.New(`^[^、。,]{0,4}(?:未満|に満たな|より(?:少な|小さ|短))`)},
	{">", nil, lazyregexp.New(`^[^、。,]{0,4}(?:を超え|超|を上回|より(?:多|大き|長|重))`)},
}

// boundOf reads the comparison beside a quantity of folded prose, and where its wording starts and ends.
func boundOf(folded string, q found) (op string, start, end int) {
	for _, b := range bounds {
		if b.before != nil {
			if at := b.before().FindStringIndex(folded[:q.start]); at != nil {
				return b.op, at[0], q.end
			}
		} else if at := b.behind().FindStringIndex(folded[q.end:]); at != nil {
			return b.op, q.start, q.end + at[1]
		}
	}
	return "", q.start, q.end
}

// split tells to which side of a bound its own value belongs: 1 to the upper, -1 to the lower.
func split(op string) int {
	if op == ">=" || op == "<" {
		return 1
	}
	return -1
}

// side is where a comparison holds: 1 above, -1 below.
func side(op string) int {
	if strings.HasPrefix(op, ">") {
		return 1
	}
	return -1
}

var (
	refusing = lazyregexp.New(`\b(?:fails?\b|(?:reject|refus|den(?:y|ied)|forbid|block|disallow|prohibit|prevent|disable|declin)\w*)|拒否|拒絶|禁止|却下|無効|受け付けない|エラー`)
	// wanted is what stands right before a bound that is itself the obligation.
	wanted = lazyregexp.New(`\b(?:must|shall|should)(?: only)? (?:be|have|hold|contain|last|exceed|expire|weigh|stay|take)?[^.,;]{0,12}$`)
	// holding is a verb that the bound may stand farther behind, unless a condition comes between.
	holding     = lazyregexp.New(`\b(?:must|shall|should)(?: only)? (?:have|hold|contain|weigh|last|cost|carry|keep|list|own)([^.,;]{0,40})$`)
	conditional = lazyregexp.New(`\b(?:after|when|if|once|until|unless|before)\b`)
	// wantedBehind is the same behind a Japanese bound.
	wantedBehind = lazyregexp.New(`^(?:で|と|に限|の間に限|に?受け付け|に?(?:完了|応答|返))`)
)

// obliged reports whether what stands before a bound makes the bound what is wanted.
func obliged(before string) bool {
	if wanted().MatchString(before) {
		return true
	}
	m := holding().FindStringSubmatch(before)
	return m != nil && !conditional().MatchString(m[1])
}

// modal is the word that an obligation stands behind in English.
var modal = lazyregexp.New(`\b(?:must|shall|should|may|can)\b`)

// refuses reports whether folded prose wants something refused; a failed job or a
// blocked user before the obligation is only what it is about.
func refuses(prose string) bool {
	if at := modal().FindStringIndex(prose); at != nil {
		prose = prose[at[1]:]
	}
	return refusing().MatchString(prose)
}
