package rule

import (
	"math"
	"strconv"
	"strings"
)

// scales are the units that people read amounts in, by dimension, the largest first.
var scales = map[string][]struct {
	name   string
	factor float64
}{
	"time":  {{"days", 86400}, {"hours", 3600}, {"minutes", 60}, {"seconds", 1}, {"ms", .001}},
	"bytes": {{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}, {"bytes", 1}},
	"ratio": {{"%", .01}}, "money": {{"yen", 1}}, "usd": {{"USD", 1}}, "eur": {{"EUR", 1}},
	"mass": {{"kg", 1}, {"g", .001}}, "length": {{"km", 1000}, {"m", 1}}, "volume": {{"l", 1}}, "width": {{"px", 1}},
}

// String writes a quantity in the largest unit that leaves a whole number, or in the
// smallest one: 25 MB, 90 minutes, 2.5 %.
func (q Quantity) String() string {
	units := scales[q.Dim]
	if len(units) == 0 {
		return number(q.Raw)
	}
	for _, u := range units {
		if n := q.Value / u.factor; n >= 1 && near(n, math.Round(n)) {
			return number(math.Round(n)) + " " + singular(math.Round(n), u.name)
		}
	}
	last := units[len(units)-1]
	return number(q.Value/last.factor) + " " + last.name
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', 12, 64) }

func singular(n float64, unit string) string {
	if n == 1 && len(unit) > 2 {
		return strings.TrimSuffix(unit, "s")
	}
	return unit
}
