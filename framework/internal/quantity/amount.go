package quantity

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Amount is a number with what it counts.
type Amount struct {
	Unit
	// Number is the number as written, Value the same in the base unit of the dimension. High is the end of a range in
	// that unit, or Value.
	Number, Value, High float64
	Start, End          int // in the text, including the unit and the sign of a currency
}

// HeldBy reports whether b is the same amount, or a range with that amount at one end.
func (a *Amount) HeldBy(b *Amount) bool {
	if a.Dimension != b.Dimension {
		return false
	}
	slack := 0.
	if a.Factor != b.Factor {
		slack = max(a.Slack, b.Slack)
	}
	holds := func(v float64) bool { return near(v, b.Value, slack) || near(v, b.High, slack) }
	return holds(a.Value) && holds(a.High)
}

func near(a, b, slack float64) bool {
	return math.Abs(a-b) <= max(slack, 1e-9)*max(math.Abs(a), math.Abs(b))
}

// String writes an amount in the largest unit that leaves a whole number, or in the smallest one: 25 MB, 90 minutes,
// 2.5 %.
func (a *Amount) String() string {
	read := ""
	for _, u := range table().all {
		if u.Dimension != a.Dimension || u.name == "-" {
			continue
		}
		n := a.Value / u.Factor
		if whole := math.Round(n); n >= 1 && near(n, whole, 0) {
			if whole == 1 && len(u.name) > 2 {
				u.name = strings.TrimSuffix(u.name, "s")
			}
			return plain(whole) + " " + u.name
		}
		read = plain(n) + " " + u.name
	}
	return cmp.Or(read, plain(a.Number))
}

func plain(n float64) string { return strconv.FormatFloat(n, 'g', 12, 64) }

// Read returns the numbers of folded text with what they count, in order. It leaves out numbers that name something:
// those of articles, steps and versions, and those within names.
func Read(s string) (out []Amount) {
	var last Amount
	for i := 0; i < len(s); {
		a, ok := Amount{}, false
		switch {
		case isDigit(s[i]):
			a.Start, a.End = i, i+numberEnd(s[i:])
			var err error
			a.Number, err = strconv.ParseFloat(strings.ReplaceAll(s[a.Start:a.End], ",", ""), 64)
			ok = err == nil && a.read(s, &last)
			i = max(i+numberEnd(s[i:]), a.End)
		case isAlnum(s[i]):
			a.Start, a.End = i, i+tokenEnd(s[i:])
			ok = a.spelled(s, &last)
			i = max(i+tokenEnd(s[i:]), a.End)
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			i += n
		}
		if n := len(out) - 1; ok && n >= 0 {
			a.Start = max(a.Start, out[n].End) // 5$6: a sign belongs to the number before it
		}
		if ok && !a.continues(s, out) {
			out = append(out, a)
			last = a
		}
	}
	return out
}

// spelled parses a number in words. It rejects "one" without a unit of measure, which is seldom an amount.
func (a *Amount) spelled(s string, last *Amount) bool {
	word := s[a.Start:a.End]
	if a.Number = words().ordinals[word]; a.Number > 0 { // of a month
		ok := a.dated("", s[a.End:], last) >= 0
		a.Value, a.High = a.Number, a.Number
		return ok
	}
	tens, ones, _ := strings.Cut(word, "-")
	a.Number = words().numerals[tens] + words().numerals[ones]
	if a.Number == 0 {
		return false
	}
	for strings.HasPrefix(s[a.End:], " ") {
		n := wordEnd(s[a.End+1:])
		by := words().multiples[s[a.End+1:a.End+1+n]]
		if by == 0 {
			break
		}
		a.Number, a.End = a.Number*by, a.End+1+n
	}
	return a.read(s, last) && (a.Number != 1 || a.Measured())
}

// read finds what the number at Start to End counts. It reports false if the number names something.
func (a *Amount) read(s string, last *Amount) bool {
	before, after := s[max(0, a.Start-longestBefore):a.Start], s[a.End:]
	if n := a.dated(before, after, last); n >= 0 {
		a.End += n
		a.Value, a.High = a.Number, a.Number
		return true
	}
	beside := func(w string) bool { return strings.HasSuffix(before, w) }
	if slices.ContainsFunc(words().beside, beside) ||
		isDigit(s[a.Start]) && endsWith(strings.TrimRight(before, " "), words().heads) || // not: No. Twenty
		startsWith(after, words().tails) || strings.HasPrefix(after, "年度") || isShare(after) {
		return false
	}
	if sign, n := utf8.DecodeLastRuneInString(before); strings.ContainsRune("$€£¥", sign) {
		a.Unit, a.Start = table().named[string(sign)], a.Start-n
	} else {
		a.measure(after)
	}
	a.Value = a.Number * cmp.Or(a.Factor, 1)
	a.High = a.Value
	return !startsWith(s[a.End:], words().per)
}

// isShare reports whether the number before is one of a fraction: 3分の2.
func isShare(after string) bool {
	rest, ok := strings.CutPrefix(after, "分の")
	return ok && rest != "" && isDigit(rest[0])
}

// measure reads the unit after the number. If the word after the number is an adjective, the next word may be the unit:
// 20 vacation days.
func (a *Amount) measure(after string) {
	rest := strings.TrimLeft(after, " -")
	u, name := unitAt(rest)
	length := len(name)
	if u.Dimension == "" && length > 2 && strings.HasPrefix(rest[length:], " ") {
		if next, second := unitAt(rest[length+1:]); next.Dimension == "time" {
			u, length = next, length+1+len(second)
		}
	}
	switch {
	case u.Dimension != "":
	case name == "":
		name = rest[:hanEnd(rest)]
		if length = len(name); length > 0 && !strings.ContainsAny(name[:len("時")], "時以未") {
			u = Unit{Dimension: counts + name, Factor: 1}
		}
	case rest == after && 1 < length && length <= longestSymbol: // 240kPa, 600rpm
		u = Unit{Dimension: "unit:" + name, Factor: 1}
	case length > 3 && strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") &&
		!slices.Contains(words().uncounted, name):
		u = Unit{Dimension: counts + strings.TrimSuffix(name, "s"), Factor: 1}
	}
	if u.Dimension != "" {
		a.Unit, a.End = u, a.End+len(after)-len(rest)+length
	}
}

const (
	day  = 24 * 60 * 60
	week = 7 * day
)

// longestSymbol is the maximum number of letters of a unit that is known by its place alone; longestBefore is the
// maximum number of bytes before a number that say what it is.
const (
	longestSymbol = 4
	longestBefore = 32
)

// hanEnd returns the end of the kanji at the start of s, at most two.
func hanEnd(s string) (end int) {
	for range 2 {
		r, n := utf8.DecodeRuneInString(s[end:])
		if !isHan(r) {
			break
		}
		end += n
	}
	return end
}

// continues adds a to the amount before it if they are one amount or range, and reports whether it did: 7時間45分, 3日から5日,
// 3 to 5 days.
func (a *Amount) continues(s string, all []Amount) bool {
	if len(all) == 0 || a.Dimension == "" || a.Dated() {
		return false
	}
	last := &all[len(all)-1]
	if last.High != last.Value || last.End > a.Start {
		return false
	}
	between := strings.TrimSpace(s[last.End:a.Start])
	switch {
	case between == "" && a.Dimension == "time" && last.Dimension == "time" && a.Factor < last.Factor &&
		(last.Factor < day || last.Factor > week): // 1日8時間 is 8 hours a day
		last.Value += a.Value
		last.High, last.End = last.Value, a.End
		return true
	case !slices.Contains(words().joints, between) ||
		between == "and" && !strings.HasSuffix(strings.TrimRight(s[:last.Start], " "), "between"):
		return false
	case last.Dimension == "":
		last.Unit, last.Value = a.Unit, last.Number*a.Factor
	case last.Dimension != a.Dimension:
		return false
	}
	last.High, last.End = a.Value, a.End
	return true
}
