package quantity

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Unit is what a number counts.
type Unit struct {
	// Dimension is what amounts are compared by, such as time; count:noun for counted things, unit:symbol for an
	// unknown unit of measure, "" for a plain number.
	Dimension string
	Factor    float64 // to the base unit of the dimension
	Slack     float64 // share by which an equal amount in another unit may differ
	name      string  // that amounts are written with, or "-"
}

const counts = "count:"

var calendar = [...]string{"date", "monthday", "clock", "month", "year"}

// Measured reports whether this is a unit of measure.
func (u Unit) Measured() bool { return u.Dimension != "" && !u.Counted() && !u.Dated() }

// Counted reports whether things are counted.
func (u Unit) Counted() bool { return strings.HasPrefix(u.Dimension, counts) }

// Dated reports whether this is a unit of the calendar: a date as 100·month + day, the day of any month (monthday), a
// time of day in minutes (clock), a month or a year.
func (u Unit) Dated() bool { return slices.Contains(calendar[:], u.Dimension) }

//go:embed units.txt
var unitData string

// table holds the units by name, and in a list, in which those of a dimension are together, largest first.
var table = sync.OnceValue(func() (t struct {
	named   map[string]Unit
	all     []Unit
	longest int // bytes of a name
}) {
	t.named = map[string]Unit{}
	for line := range strings.Lines(unitData) {
		f := strings.Fields(line)
		if f[0] == "#" {
			continue
		}
		factor, _ := strconv.ParseFloat(f[1], 64) // a test rejects 0
		slack, _ := strconv.ParseFloat(f[2], 64)
		u := Unit{f[0], factor, slack, f[3]}
		t.all = append(t.all, u)
		for _, name := range f[3:] {
			if each, ok := strings.CutSuffix(f[0], "*"); ok {
				u.Dimension = each + name
			}
			t.named[name] = u
			t.longest = max(t.longest, len(name))
		}
	}
	return t
})

// Named returns the unit with a folded name, in the singular or plural.
func Named(name string) (Unit, bool) {
	u, ok := table().named[name]
	if !ok && len(name) > 2 {
		u, ok = table().named[strings.TrimSuffix(name, "s")]
	}
	return u, ok && name != "-"
}

// unitAt returns the unit at the start of s, in Japanese the longest one, and its name. If a Latin word is not a unit,
// name is that word.
func unitAt(s string) (u Unit, name string) {
	if n := wordEnd(s); n > 0 {
		u, _ = Named(s[:n])
		return u, s[:n]
	}
	for end := min(len(s), table().longest); end > 0; end-- {
		if u, ok := table().named[s[:end]]; ok {
			return u, s[:end]
		}
	}
	return u, ""
}
