package figure

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// quantity is a number with its unit, or a range of such.
type quantity struct {
	unit       unit
	name       string // of the unit as written
	value      float64
	high       float64 // where a range ends, in the dimension's base unit
	ranges     bool    // from value to high
	start, end int     // in the normalised text, with its unit and sign
}

// quantities returns the numbers with a unit that a normalised sentence states.
// Dates, times of day, numbers of articles, steps and versions are none.
func quantities(s string) (out []quantity) {
	add := func(q quantity) {
		if last := len(out) - 1; last >= 0 && out[last].upTo(q, s) {
			out[last].high, out[last].ranges, out[last].end = q.value*q.unit.factor, true, q.end
			return
		}
		out = append(out, q)
	}
	for i := 0; i < len(s); {
		switch {
		case isDigit(s[i]):
			end := numberEnd(s, i)
			if q, ok := quantityAt(s, i, end, s[i:end]); ok {
				add(q)
				end = q.end
			}
			i = end
		case s[i] >= 'a' && s[i] <= 'z':
			end := latinEnd(s, i)
			if n := numberWord(s[i:end]); n != "" {
				q, ok := quantityAt(s, i, end, n)
				if ok && (n != "1" || !strings.HasPrefix(q.unit.dimension, "count ")) {
					add(q)
					end = q.end
				}
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// upTo reports whether a range goes from q to another quantity: 3日から5日.
func (q *quantity) upTo(to quantity, s string) bool {
	joints := []string{"から", "~", "-", " to ", " - ", "、~"}
	return q.unit.dimension == to.unit.dimension && q.end <= to.start && slices.Contains(joints, s[q.end:to.start])
}

var numberWords = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "fourteen": "14", "fifteen": "15", "twenty": "20", "thirty": "30",
	"forty-five": "45", "sixty": "60", "ninety": "90",
}

// numberWord gives the digits of a number that is spelt out, "" for another word.
func numberWord(s string) string {
	if len(s) < len("one") || len(s) > len("forty-five") || strings.IndexByte("otfsen", s[0]) < 0 {
		return ""
	}
	return numberWords[s]
}

// numberEnd is where the number ends that starts at start, which is start itself where
// none does: a point or a comma belongs to a number only between two digits.
func numberEnd(s string, start int) int {
	i := start
	for i < len(s) && (isDigit(s[i]) || i > start && i+1 < len(s) && (s[i] == '.' || s[i] == ',') && isDigit(s[i+1])) {
		i++
	}
	return i
}

var currencies = [...]struct{ sign, dimension string }{{"$", "dollar"}, {"€", "euro"}, {"£", "pound"}, {"¥", "yen"}}

// quantityAt reads the number at [start, end).
func quantityAt(s string, start, end int, digits string) (q quantity, ok bool) {
	value, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	before, after := s[:start], s[end:]
	if err != nil || ordinal(before, after) {
		return q, false
	}
	q = quantity{value: value, start: start, end: end}
	for _, c := range currencies {
		if strings.HasSuffix(before, c.sign) {
			q.unit, q.name, q.start = unit{dimension: c.dimension, factor: 1}, c.sign, start-len(c.sign)
		}
	}
	if q.name == "" && !q.measure(after) {
		return q, false
	}
	if q.name == "年" && (value >= 1000 || strings.HasPrefix(s[q.end:], "度") || dated(s[q.end:])) || clock(q, s) {
		return q, false
	}
	q.spans(before)
	return q, true
}

// spans reads a number without a unit before the joint of a range: 3 to 5 days.
func (q *quantity) spans(before string) {
	for _, joint := range [...]string{" to ", "~", "-", " and ", "から"} {
		cut, ok := strings.CutSuffix(before, joint)
		if !ok || joint == " and " && !strings.Contains(before, "between ") {
			continue
		}
		start := len(cut)
		for start > 0 && (isDigit(cut[start-1]) || cut[start-1] == '.') {
			start--
		}
		if low, err := strconv.ParseFloat(cut[start:], 64); err == nil {
			q.high, q.value, q.ranges, q.start = q.value*q.unit.factor, low, true, start
		}
		return
	}
}

// measure reads the unit behind a number. Where the word behind it is an
// adjective, the word after that may be the unit (20 vacation days).
func (q *quantity) measure(after string) bool {
	rest := strings.TrimLeft(after, " -")
	u, name := unitAt(rest)
	if u.dimension == "" && len(name) > 2 && strings.HasPrefix(rest[len(name):], " ") {
		if next, second := unitAt(rest[len(name)+1:]); next.dimension == "time" {
			u = next
			name = rest[:len(name)+1+len(second)]
		}
	}
	if u.dimension == "" && rest == after && len(name) > 1 && len(name) <= longestSymbol { // 240kPa, 600rpm
		u = unit{dimension: "unit " + name, factor: 1}
	}
	if u.dimension == "" && name == "" {
		name = rest[:hanEnd(rest, 2)]
		if name != "" && strings.ContainsAny(name[:utf8.RuneLen('時')], "時以未") {
			name = ""
		}
	}
	if u.dimension == "" && (name != "" && name[0] >= utf8.RuneSelf || countable(name)) {
		u = unit{dimension: "count " + strings.TrimSuffix(name, "s"), factor: 1}
	}
	if u.dimension == "" {
		return false
	}
	q.unit, q.name, q.end = u, name, q.end+len(after)-len(rest)+len(name)
	return true
}

// longestSymbol bounds the letters of a unit that is known by its place alone.
const longestSymbol = 4

// Signs before and behind a number that names something rather than counting it.
var (
	ordinalHeads = strings.Fields("第 # 手順 図 表 別表 別紙 様式 付録 項目 ver. version v step section chapter " +
		"table figure fig. page article appendix no. type class line error code 平成 令和 昭和 / : - 毎月")
	ordinalTails = append(strings.Fields("章 条 項 号 節 版 番 位 世紀 階 丁目 分の 月 時頃 代 : /"), "st ", "nd ", "rd ", "th ")
)

// ordinal reports whether the number names something rather than counting it.
func ordinal(before, after string) bool {
	before = strings.TrimRight(before, " ")
	return strings.HasSuffix(before, "month of") ||
		slices.ContainsFunc(ordinalHeads, func(p string) bool { return strings.HasSuffix(before, p) }) ||
		slices.ContainsFunc(ordinalTails, func(p string) bool { return strings.HasPrefix(after, p) })
}

// dated reports whether a month follows, so that the years are a date.
func dated(after string) bool {
	digits := strings.TrimLeft(after, "0123456789")
	return digits != after && strings.HasPrefix(digits, "月")
}

// clock reports a day of the month or a time of day.
func clock(q quantity, s string) bool {
	before := s[:q.start]
	return q.name == "日" && strings.HasSuffix(before, "月") && !strings.HasSuffix(before, "か月") ||
		q.name == "分" && strings.HasSuffix(before, "時")
}
