package tension

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed data/units.txt
var unitData string

// amount is a number with what it counts.
type amount struct {
	dimension string
	value     float64 // in the dimension's base unit; a date as 100·month + day, a time of day in minutes
}

type unit struct {
	dimension string
	factor    float64
}

var units = sync.OnceValue(func() map[string]unit {
	m := make(map[string]unit)
	for line := range strings.Lines(unitData) {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] == "#" {
			continue
		}
		factor, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			continue
		}
		for _, name := range f[2:] {
			m[name] = unit{f[0], factor}
			if name[0] < utf8.RuneSelf && len(name) > 2 {
				m[name+"s"] = unit{f[0], factor}
			}
		}
	}
	return m
})

const longestUnit = 5 * utf8.UTFMax // bytes

var numerals = map[string]float64{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
	"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fourteen": 14, "fifteen": 15,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100, "thousand": 1000,
	"half": 0.5, "once": 1, "twice": 2}

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
	"november", "december"}

const mostAmounts = 12 // of one sentence

// amounts gives the numbers of a folded sentence.
func amounts(s string) (out []amount) {
	for i := 0; i < len(s) && len(out) < mostAmounts; {
		var a amount
		start, end := i, i
		switch {
		case isDigit(s[i]):
			end = numberEnd(s, i)
			v, err := strconv.ParseFloat(strings.ReplaceAll(s[i:end], ",", ""), 64)
			if err != nil {
				i = end
				continue
			}
			a.value = v
		case s[i] >= 'a' && s[i] <= 'z':
			end = i + wordEnd(s[i:])
			if v, ok := numerals[s[i:end]]; ok {
				a.value = v
				for strings.HasPrefix(s[end:], " hundred") || strings.HasPrefix(s[end:], " thousand") {
					n := 1 + wordEnd(s[end+1:])
					a.value *= numerals[s[end+1:end+n]]
					end += n
				}
				break
			}
			i = end
			continue
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
			continue
		}
		if i = a.read(s, start, end); a.dimension != "" {
			out = append(out, a)
		}
	}
	return out
}

// numberEnd is where the number ends that starts at start: a point or a comma belongs to it only before a digit.
func numberEnd(s string, start int) int {
	end := start
	for end < len(s) && (isDigit(s[end]) || (s[end] == ',' || s[end] == '.') && end+1 < len(s) && isDigit(s[end+1])) {
		end++
	}
	return end
}

// read finds out what the number at [start, end) counts and returns where its unit ends.
func (a *amount) read(s string, start, end int) int {
	before, after := s[:start], s[end:]
	if strings.HasSuffix(before, "第") || strings.HasPrefix(after, "条") || strings.HasPrefix(after, "項") {
		return end // the number of an article
	}
	if n := a.calendar(before, after); n >= 0 {
		return end + n
	}
	rest := strings.TrimLeft(after, " -")
	skipped := len(after) - len(rest)
	if sign, _ := utf8.DecodeLastRuneInString(before); strings.ContainsRune("$€£¥", sign) {
		a.dimension = "money"
	} else if n := a.measure(rest); n > 0 {
		end += skipped + n
	} else if n := wordEnd(rest); n > 2 {
		end += skipped + n
		if a.measure(strings.TrimPrefix(rest[n:], " ")) == 0 { // two large bags
			a.dimension = "count " + string(stem([]byte(rest[:n])))
		}
	} else if r, n := utf8.DecodeRuneInString(rest); classOf(r) == han {
		a.dimension = "count " + rest[:n]
	}
	return end
}

// measure reads the unit that a text starts with and returns its bytes.
func (a *amount) measure(s string) int {
	table := units()
	if n := wordEnd(s); n > 0 {
		u, ok := table[s[:n]]
		if !ok {
			return 0
		}
		a.dimension, a.value = u.dimension, a.value*u.factor
		return n
	}
	for n := min(len(s), longestUnit); n > 0; n-- {
		if u, ok := table[s[:n]]; ok {
			a.dimension, a.value = u.dimension, a.value*u.factor
			return n
		}
	}
	return 0
}

// calendar reads a year, a day of the year or a time of day, and returns the bytes behind the number that belong to
// it, -1 for none.
func (a *amount) calendar(before, after string) int {
	if rest, ok := strings.CutPrefix(after, "月"); ok {
		day, n := leading(rest)
		if n > 0 && strings.HasPrefix(rest[n:], "日") {
			a.dimension, a.value = "date", 100*a.value+day
			return len("月") + n + len("日")
		}
		a.dimension = "month"
		return len("月")
	}
	if rest, ok := strings.CutPrefix(after, "時"); ok && !strings.HasPrefix(rest, "間") {
		minutes, n := leading(rest)
		if strings.HasPrefix(rest, "半") {
			minutes = 30
		}
		a.dimension, a.value = "clock", 60*a.value+minutes
		if a.value <= 12*60 && (strings.HasSuffix(before, "午後") || strings.HasSuffix(before, "夜")) {
			a.value += 12 * 60
		}
		return len("時") + n
	}
	if rest, ok := strings.CutPrefix(after, ":"); ok && a.value <= 24 {
		if minutes, n := leading(rest); n == 2 {
			a.dimension, a.value = "clock", 60*a.value+minutes
			return 1 + n
		}
	}
	word := strings.TrimPrefix(after, " ")
	for _, half := range [...]string{"a.m", "am", "p.m", "pm"} {
		if strings.HasPrefix(word, half) && wordEnd(word[len(half):]) == 0 && a.value <= 12 {
			if a.dimension, a.value = "clock", 60*a.value; half[0] == 'p' && a.value < 12*60 {
				a.value += 12 * 60
			}
			return len(after) - len(word) + len(half)
		}
	}
	alone := strings.HasPrefix(after, "年") || wordEnd(word) == 0 || strings.HasSuffix(before, "in ")
	if a.value >= 1900 && a.value < 2100 && alone && !strings.HasSuffix(before, "$") {
		a.dimension = "year"
		return 0
	}
	for _, th := range [...]string{"st ", "nd ", "rd ", "th ", "of "} {
		word = strings.TrimPrefix(word, th)
	}
	for m, name := range months {
		ends := strings.HasSuffix(strings.TrimSuffix(before, " "), name) && a.value <= 31
		if ends || strings.HasPrefix(word, name) && wordEnd(word) == len(name) {
			a.dimension, a.value = "date", float64(100*(m+1))+a.value
			return 0
		}
	}
	return -1
}

func leading(s string) (value float64, n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	v, _ := strconv.ParseFloat(s[:n], 64)
	return v, n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// calendar are the dimensions of dates and times of day.
var calendar = map[string]bool{"date": true, "month": true, "year": true, "clock": true}

// compareAmounts reports whether two sentences share a dimension without a common value, which one, and whether they
// share a value.
func compareAmounts(a, b []amount) (differs, agrees bool, dimension string) {
	for i := range a {
		shared, equal := false, false
		for j := range b {
			if a[i].dimension == b[j].dimension {
				shared = true
				equal = equal || equals(a[i].value, b[j].value)
			}
		}
		switch {
		case equal:
			agrees = true
		case shared && !differs:
			differs, dimension = true, a[i].dimension
		}
	}
	return differs, agrees, dimension
}

// equals allows a month to be 30 days.
func equals(a, b float64) bool {
	d := a - b
	return d <= 0.02*b && -d <= 0.02*b
}
