package rule

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// amounts reads the numbers in prose, except those of dates.
func amounts(prose string) []quantity.Amount {
	return slices.DeleteFunc(quantity.Read(text.Fold(prose)), func(a quantity.Amount) bool { return a.Dated() })
}

// same reports whether two amounts are equal. An amount without a unit of measure may have any: 1800 is 30 minutes.
func same(a, b *quantity.Amount) bool {
	if a.HeldBy(b) || b.HeldBy(a) {
		return true
	}
	return !(a.Measured() && b.Measured()) && (near(a.Number, b.Number) || near(a.Value, b.Value))
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// commensurable reports whether two amounts may mean the same. They have the same dimension, or one is a count and
// often has no unit, or one is a bare number that may have any unit in which it is the same number.
func commensurable(a, b *quantity.Amount) bool {
	may := func(a, b *quantity.Amount) bool {
		share := b.Dimension == "percent" && 0 < a.Number && a.Number < 1
		return a.Dimension == "" && (b.Dimension == "text" || share || same(a, b))
	}
	return a.Dimension == b.Dimension || !a.Measured() && !b.Measured() || may(a, b) || may(b, a)
}

var (
	factor = lazyregexp.New(`^(\d[\d_]*(?:\.\d+)?)(ms|s|m|h|d)?$`)
	// short are letters that are units only in code.
	short = map[string]string{"m": "min", "d": "day"}
)

// evaluate returns the value of a product of numbers and named units.
func evaluate(product string) (quantity.Amount, bool) {
	a := quantity.Amount{Number: 1, Value: 1}
	for part := range strings.SplitSeq(product, "*") {
		if !times(&a, strings.TrimSpace(part)) {
			return quantity.Amount{}, false
		}
	}
	return a, true
}

// times multiplies by a factor and reports whether part is one.
func times(a *quantity.Amount, part string) bool {
	if m := factor().FindStringSubmatch(part); m != nil {
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64)
		a.Value, a.Number = a.Value*n, a.Number*n
		if u, ok := quantity.Named(cmp.Or(short[m[2]], m[2])); ok {
			scale(a, u)
		}
		return err == nil
	}
	word := strings.ToLower(part[strings.LastIndexAny(part, ".:")+1:])
	u, ok := quantity.Named(word)
	if ok = ok && len(word) > 1; ok {
		scale(a, u)
	}
	return ok
}

func scale(a *quantity.Amount, u quantity.Unit) { a.Value, a.Unit = a.Value*u.Factor, u }

// noUnits are names of units that mean something else in code.
var noUnits = strings.Fields("cent db bar business working ton pound")

// nameUnit returns the unit in an identifier, searched from its end.
func nameUnit(name string) (quantity.Unit, bool) {
	parts := strings.Fields(strings.ToLower(Apart(name)))
	for i, word := range slices.Backward(parts) {
		if slices.Contains(noUnits, word) || len(word) < 2 ||
			i < len(parts)-1 && word == "rate" || word == "min" && (i == 0 || i < len(parts)-1) {
			continue
		}
		if u, ok := quantity.Named(word); ok && u.Measured() {
			return u, true
		}
	}
	return quantity.Unit{}, false
}
