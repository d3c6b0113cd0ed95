package rule

import (
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var factor = lazyregexp.New(`^(\d[\d_]*(?:\.\d+)?)(ms|s|m|h|d)?$`)

// codeUnits are the names of units that a factor may be.
var codeUnits = map[string]unit{
	"nanosecond": {"time", 1e-9}, "microsecond": {"time", 1e-6}, "m": {"time", 60}, "d": {"time", 86400},
}

// evaluate reads the value of a product of numbers and named units.
func evaluate(product string) (Quantity, bool) {
	q := Quantity{Value: 1, Raw: 1}
	for part := range strings.SplitSeq(product, "*") {
		if !q.times(strings.TrimSpace(part)) {
			return Quantity{}, false
		}
	}
	return q, true
}

// times multiplies with a factor and reports whether it is one.
func (q *Quantity) times(part string) bool {
	if m := factor().FindStringSubmatch(part); m != nil {
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64)
		q.Value, q.Raw = q.Value*n, q.Raw*n
		if u, ok := codeUnits[m[2]]; ok {
			q.scale(u)
		} else if u, ok := units[m[2]]; ok {
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
	parts := strings.Fields(strings.ToLower(strings.ReplaceAll(Apart(name), ".", " ")))
	for i := len(parts) - 1; i >= 0; i-- {
		word := strings.Trim(parts[i], "().[]")
		if word == "time" || word == "times" || len(word) < 2 || word == "min" && (i == 0 || i < len(parts)-1) {
			continue
		}
		if u, ok := unitOf(word); ok && u.dim != "count" && word != "cent" {
			return u, true
		}
		if i == len(parts)-1 && priced()[word] {
			return unit{"price", 1}, true
		}
	}
	return unit{}, false
}

// priced are the last words of names that hold money without saying which.
var priced = lazySet("price fee amount balance cost subtotal salary wage budget deposit fare total")
