package rule

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Quantity is a number in the base unit of its dimension.
type Quantity struct {
	Value float64
	// Dim is the dimension: time (s), bytes, ratio, money, usd, eur, mass (kg), temperature, length (m), volume (l),
	// width (px), text (characters), count; "" where none is told.
	Dim string
	// Raw is the number as written, without its unit.
	Raw float64
}

// unit is a unit of measure.
type unit struct {
	dim    string
	factor float64
	name   string // that amounts are written in, or "-"
}

//go:embed units.txt
var unitData string

// table holds the units by their names and, those of a dimension largest first, in a row.
var table = sync.OnceValue(func() (t struct {
	named map[string]unit
	all   []unit
}) {
	t.named = map[string]unit{}
	for line := range strings.Lines(unitData) {
		if f := strings.Fields(line); f[0] != "#" {
			factor, _ := strconv.ParseFloat(f[1], 64) // 0 fails the test of the table
			u := unit{f[0], factor, f[2]}
			t.all = append(t.all, u)
			for _, name := range f[2:] {
				t.named[name] = u
			}
		}
	}
	return t
})

// spelled are the numbers that prose spells out.
var spelled = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "ten": "10", "twelve": "12", "twenty": "20", "thirty": "30", "once": "1 time", "twice": "2 time",
}

var (
	spelledOut = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(` + strings.Join(slices.Sorted(maps.Keys(spelled)), "|") + `)\b`)
	})
	oneOf = lazyregexp.New(`\b(one of|one or|no one|at once)\b`)
	// amount is a number in prose with what may be its unit.
	amount = sync.OnceValue(func() *regexp.Regexp {
		japanese := slices.DeleteFunc(slices.Collect(maps.Keys(table().named)),
			func(name string) bool { return !text.HasCJK(name) })
		slices.SortFunc(japanese, func(a, b string) int { return len(b) - len(a) })
		return regexp.MustCompile(`(?:^|[^\w.])(\d[\d,]*(?:\.\d+)?)(?:\s|-)*(%|[a-z]+|` + strings.Join(japanese, "|") + `)?`)
	})
)

// perUnit follows an amount that others are counted by: 1日につき10円.
var perUnit = lazyregexp.New(`^\s*(?:につき|あたり|当たり|ごと|毎に)`)

// found is a quantity in prose and where it stands.
type found struct {
	Quantity
	start, end int
}

// amounts reads the quantities of folded prose.
func amounts(folded string) []found {
	all := []found{}
	for _, at := range amount().FindAllStringSubmatchIndex(folded, -1) {
		raw, err := strconv.ParseFloat(strings.ReplaceAll(folded[at[2]:at[3]], ",", ""), 64)
		if err != nil {
			continue
		}
		q := found{Quantity{Value: raw, Raw: raw}, at[2], at[3]}
		if at[4] >= 0 {
			if u, ok := unitOf(folded[at[4]:at[5]]); ok {
				q.Value, q.Dim, q.end = raw*u.factor, u.dim, at[5]
			} else if !text.EnglishStop(folded[at[4]:at[5]]) {
				q.Dim = "count"
			}
		}
		calendar := strings.HasPrefix(folded[at[3]:], "年") && raw >= 1900 // a date, and no duration
		last := len(all) - 1
		if last >= 0 && q.Dim == "time" && all[last].Dim == "time" &&
			strings.TrimSpace(folded[all[last].end:q.start]) == "" { // 7 時間 45 分
			all[last].Value, all[last].end = all[last].Value+q.Value, q.end
			continue
		}
		if !calendar && !perUnit().MatchString(folded[q.end:]) {
			all = append(all, q)
		}
	}
	return all
}

// foldProse brings prose into the form that amounts and bounds are read in.
func foldProse(s string) string {
	folded := oneOf().ReplaceAllString(text.Fold(s), "")
	return spelledOut().ReplaceAllStringFunc(folded, func(w string) string { return spelled[w] })
}

func unitOf(word string) (unit, bool) {
	u, ok := table().named[word]
	if !ok {
		u, ok = table().named[strings.TrimSuffix(word, "s")]
	}
	return u, ok
}

// same reports whether two quantities are equal. Where one has no unit it may
// stand in any: 1800 is 30 minutes, 0.1 and 10 are 10 %.
func (q Quantity) same(o Quantity) bool {
	if near(q.Value, o.Value) || q.Dim == "bytes" && o.Dim == "bytes" && near(decimal(q), decimal(o)) {
		return true
	}
	return (q.Dim == "" || o.Dim == "") &&
		(near(q.Raw, o.Raw) || near(q.Value, o.Value*1000) || near(q.Value*1000, o.Value))
}

// decimal is an amount of bytes whose thousands were counted as 1000.
func decimal(q Quantity) float64 {
	for _, power := range []float64{1 << 30, 1 << 20, 1 << 10} {
		if rest := q.Value / power; rest >= 1 && rest == math.Trunc(rest) {
			return rest * math.Pow(1000, math.Log2(power)/10)
		}
	}
	return q.Value
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// comparable reports whether two quantities may speak of the same: those of one
// dimension do, and a bare number beside one with a unit where it is the same number.
func (q Quantity) comparable(o Quantity) bool {
	may := func(a, b Quantity) bool {
		return a.Dim == "" && (b.Dim == "text" || b.Dim == "ratio" && 0 < a.Raw && a.Raw < 1)
	}
	return q.family() == o.family() || may(q, o) || may(o, q) || (q.Dim == "" || o.Dim == "") && q.same(o)
}

// family is the dimension; what is counted often names no unit.
func (q Quantity) family() string {
	if q.Dim == "" {
		return "count"
	}
	return q.Dim
}

// String writes a quantity in the largest unit that leaves a whole number, or in the
// smallest one: 25 MB, 90 minutes, 2.5 %.
func (q Quantity) String() string {
	read := ""
	for _, u := range table().all {
		if u.dim != q.Dim || u.name == "-" {
			continue
		}
		n := q.Value / u.factor
		if whole := math.Round(n); n >= 1 && near(n, whole) {
			if whole == 1 && len(u.name) > 2 {
				u.name = strings.TrimSuffix(u.name, "s")
			}
			return number(whole) + " " + u.name
		}
		read = number(n) + " " + u.name
	}
	return cmp.Or(read, number(q.Raw))
}

func number(n float64) string { return strconv.FormatFloat(n, 'g', 12, 64) }

var (
	factor = lazyregexp.New(`^(\d[\d_]*(?:\.\d+)?)(ms|s|m|h|d)?$`)
	// short are letters that only code has for units.
	short = map[string]string{"m": "min", "d": "day"}
)

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
		if u, ok := unitOf(cmp.Or(short[m[2]], m[2])); ok {
			q.scale(u)
		}
		return err == nil
	}
	word := strings.ToLower(part[strings.LastIndexAny(part, ".:")+1:])
	u, ok := unitOf(word)
	return ok && len(word) > 1 && q.scale(u)
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
	}
	return unit{}, false
}
