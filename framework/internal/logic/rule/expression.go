package rule

import (
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	// wrapper is a call that a number may stand in.
	wrapper = lazyregexp.New(`(?i)\b(?:Decimal|int|float|Number|BigInt|timedelta|time\.Duration|Duration\.of\w+|Duration|f64|i64|u32|u64)\s*\(`)
	factor  = lazyregexp.New(`^([+-]?\d[\d_]*(?:\.\d+)?(?:e\d+)?)(ms|s|m|h|d)?n?$`)
	keyword = lazyregexp.New(`^(\w+)=(.*)$`)
)

// codeUnits are the names of units that a factor may be.
var codeUnits = map[string]unit{
	"nanosecond": {"time", 1e-9}, "microsecond": {"time", 1e-6},
}

// evaluate reads the value of an expression in code: products of numbers and
// named units. name may hold the unit, as LOCK_MINUTES does.
func evaluate(name, expression string) (Quantity, bool) {
	plain := strings.NewReplacer("(", " ", ")", " ", `"`, "", "'", "", ";", "", ",", "").Replace(wrapper().ReplaceAllString(expression, " "))
	q := Quantity{Value: 1, Raw: 1}
	for part := range strings.SplitSeq(plain, "*") {
		if !q.times(strings.TrimSpace(part)) {
			return Quantity{}, false
		}
	}
	if u, ok := nameUnit(name); ok && q.Dim == "" {
		q.Value, q.Dim = q.Value*u.factor, u.dim
	}
	if q.Dim == "" {
		q.Dim = countedBy(name)
	}
	return q, true
}

// times multiplies with a factor and reports whether it is one.
func (q *Quantity) times(part string) bool {
	if m := keyword().FindStringSubmatch(part); m != nil {
		u, ok := unitOf(strings.ToLower(m[1]))
		return ok && q.scale(u) && q.times(m[2])
	}
	if m := factor().FindStringSubmatch(part); m != nil {
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64)
		q.Value, q.Raw = q.Value*n, q.Raw*n
		if u, ok := units[m[2]]; ok && m[2] != "" {
			q.scale(u)
		}
		return err == nil
	}
	word := strings.ToLower(part[strings.LastIndexAny(part, ".:")+1:])
	u, ok := codeUnits[word]
	if !ok && len(word) > 1 {
		u, ok = unitOf(word)
	}
	return ok && q.scale(u)
}

func (q *Quantity) scale(u unit) bool {
	q.Value, q.Dim = q.Value*u.factor, u.dim
	return true
}

// nameUnit is the unit that an identifier ends with, or names before its end.
func nameUnit(name string) (unit, bool) {
	parts := strings.Fields(strings.ToLower(strings.ReplaceAll(apartWords(name), ".", " ")))
	for i := len(parts) - 1; i >= 0; i-- {
		word := strings.Trim(parts[i], "().[]")
		if word == "time" || word == "times" || len(word) < 2 || word == "min" && (i == 0 || i < len(parts)-1) {
			continue
		}
		if u, ok := unitOf(word); ok && u.dim != "count" && word != "cent" {
			return u, true
		}
		if i == len(parts)-1 && priced[word] {
			return unit{"price", 1}, true
		}
	}
	return unit{}, false
}

// priced are the last words of names that hold money without saying which.
var priced = set("price fee amount balance cost subtotal salary wage budget deposit fare total")

var (
	several = lazyregexp.New(`(?:[^aious]|[aeio]e)s\)?$`)
	// lengths end the names of how long something is.
	lengths = lazyregexp.New(`^(.*?)[ .](?:length|len)\)?$`)
)

// countedBy tells what a bare number counts by the name that has it: several things, the
// characters of one, or "" where that does not show.
func countedBy(name string) string {
	name = strings.ToLower(strings.TrimSuffix(apartWords(name), " "))
	of := lengths().FindStringSubmatch(name)
	switch {
	case several().MatchString(name), of != nil && several().MatchString(of[1]):
		return "count"
	case of != nil && of[1] != "":
		return "text"
	}
	return ""
}
