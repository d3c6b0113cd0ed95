package figure

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// role is how a number bounds what it counts.
type role uint8

const (
	exact role = iota
	most
	least
	every
	ahead // so long before something
	loose // an average, a choice, a condition: too vague to contradict
	about // near the number
	span  // from the number to another one
)

// quantity is a number with its unit.
type quantity struct {
	unit       unit
	name       string // of the unit as written
	value      float64
	high       float64 // where a span ends
	role       role
	per        string // what it is reckoned by: per month, 1枚につき
	start, end int    // in the normalised text, with its unit and sign
	number     int    // where the digits end
	noun       int    // where a unit starts that is no word of the subject
}

// quantities appends the numbers with a unit that a normalised sentence states.
// Dates, times of day, numbers of articles, steps and versions are none.
func quantities(out []quantity, s string) []quantity {
	first := len(out)
	for i := 0; i < len(s); {
		switch {
		case isDigit(s[i]):
			end := numberEnd(s, i)
			if q, ok := quantityAt(s, i, end, s[i:end]); ok {
				out = append(out, q)
				end = q.end
			}
			i = end
		case s[i] >= 'a' && s[i] <= 'z':
			end := latinEnd(s, i)
			if n := numberWord(s[i:end]); n != "" {
				if q, ok := quantityAt(s, i, end, n); ok && (n != "1" || !strings.HasPrefix(q.unit.dimension, "count ")) {
					out = append(out, q)
					end = q.end
				}
			}
			i = end
		default:
			i++
		}
	}
	return reckon(out[:first], out[first:], s)
}

var numberWords = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11", "twelve": "12", "fourteen": "14", "fifteen": "15", "twenty": "20", "thirty": "30", "forty-five": "45", "sixty": "60", "ninety": "90"}

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
	q = quantity{value: value, start: start, end: end, number: end, noun: end}
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
	q.role = roleOf(s, q.start, q.end)
	q.spans(before, s[q.end:])
	return q, true
}

// measure reads the unit behind a number. Where the word behind it is an
// adjective, the word after that may be the unit (20 vacation days).
func (q *quantity) measure(after string) bool {
	rest := strings.TrimLeft(after, " -")
	u, name := unitAt(rest)
	if u.dimension == "" && len(name) > 2 && strings.HasPrefix(rest[len(name):], " ") {
		if next, second := unitAt(rest[len(name)+1:]); next.dimension == "time" {
			u, q.noun = next, q.end+len(after)-len(rest)+len(name)
			name = rest[:len(name)+1+len(second)]
		}
	}
	if u.dimension == "" && rest == after && len(name) > 1 && len(name) <= longestSymbol { // 240kPa, 600rpm
		u = unit{dimension: "unit " + name, factor: 1}
	}
	if u.dimension == "" && name == "" {
		if name = rest[:hanEnd(rest, 2)]; strings.HasPrefix(name, "時") || strings.HasPrefix(name, "以") || strings.HasPrefix(name, "未") {
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
	if strings.HasPrefix(u.dimension, "count ") {
		q.noun = q.end // what is counted is a word of the subject
	}
	return true
}

// longestSymbol bounds the letters of a unit that is known by its place alone.
const longestSymbol = 4

// ordinal reports whether the number names something rather than counting it.
func ordinal(before, after string) bool {
	before = strings.TrimRight(before, " ")
	for _, p := range [...]string{"第", "#", "手順", "図", "表", "別表", "別紙", "様式", "付録", "項目", "ver.", "version", "v", "step", "section", "chapter", "table", "figure", "fig.", "page",
		"article", "appendix", "no.", "type", "class", "line", "error", "code", "平成", "令和", "昭和", "/", ":", "-", "毎月", "month of"} {
		if strings.HasSuffix(before, p) {
			return true
		}
	}
	for _, p := range [...]string{"章", "条", "項", "号", "節", "版", "番", "位", "世紀", "階", "丁目", "分の", "月", "時頃", "代", ":", "/", "st ", "nd ", "rd ", "th "} {
		if strings.HasPrefix(after, p) {
			return true
		}
	}
	return false
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

func endsIn(s string, cues []string) bool {
	for _, c := range cues {
		if strings.HasSuffix(s, c) {
			return true
		}
	}
	return false
}

func startsWith(s string, cues []string) bool {
	for _, c := range cues {
		if strings.HasPrefix(s, c) {
			return true
		}
	}
	return false
}

// reckon joins numbers that belong together: 1枚につき220円 and $15 per visit are
// reckoned by something, and 2か月に1回 is how often and no count.
func reckon(out, found []quantity, s string) []quantity {
	per := ""
	for i := 1; i < len(found); i++ {
		a, b := &found[i-1], &found[i]
		if a.unit.dimension != b.unit.dimension || a.end > b.start {
			continue
		}
		switch between := s[a.end:b.start]; {
		case slices.Contains(ranges[:], between):
			a.ranges(b)
		case slices.Contains(choices[:], between):
			a.role, b.role = loose, loose
		}
	}
	for i, q := range found {
		if q.name == "" {
			continue
		}
		after := s[q.end:]
		if rate, ok := rateOf(s, q); ok {
			out = append(out, rate)
			continue
		}
		if q.value == 1 && q.role != every && (startsWith(after, []string{"あたり", "当たり", "につき", "の", "に", "で"}) && !startsWith(after, []string{"です", "であ"}) || i+1 < len(found) && found[i+1].start == q.end) {
			per = q.name
			continue
		}
		if q.name == "回" && i > 0 && found[i-1].role == every {
			continue
		}
		q.per = per
		for _, cue := range [...]string{" per ", " a ", " an ", " each ", "/"} {
			if rest, ok := strings.CutPrefix(after, cue); ok {
				q.per = rest[:latinEnd(rest, 0)]
			}
		}
		if _, rest, ok := strings.Cut(after[:min(len(after), longestPer)], " per "); ok && q.per == "" && !strings.ContainsAny(after[:strings.Index(after, " per ")], ",;.") {
			q.per = rest[:latinEnd(rest, 0)]
		}
		if _, rest, ok := strings.Cut(after[:min(len(after), longestPer)], " each "); ok && q.per == "" && units[rest[:latinEnd(rest, 0)]].dimension == "time" {
			q.per = rest[:latinEnd(rest, 0)]
		}
		if q.per == "" {
			q.per = monthly(s[:q.start])
		}
		if plain, ok := perNames[q.per]; ok {
			q.per = plain
		}
		per = ""
		out = append(out, q)
	}
	return out
}

// rateOf reads how often: 月に1回 is every month, as 2か月に1回 is every two.
func rateOf(s string, q quantity) (quantity, bool) {
	before, ok := strings.CutSuffix(s[:q.start], "に")
	if !ok || q.value != 1 || q.name != "回" && q.name != "度" {
		return q, false
	}
	for _, p := range [...]struct{ name, unit string }{{"月", "か月"}, {"週", "週間"}, {"年", "年"}, {"日", "日"}} {
		head, ok := strings.CutSuffix(before, p.name)
		if last, _ := utf8.DecodeLastRuneInString(head); ok && !unicode.IsDigit(last) && !strings.ContainsRune("か毎ヶ", last) && !isHan(last) {
			return quantity{unit: units[p.unit], name: p.unit, value: 1, role: every, start: len(head), end: q.end, number: q.end, noun: q.end}, true
		}
	}
	return q, false
}

// longestPer bounds the bytes between an amount and the end of what it is reckoned by.
const longestPer = 30

// perNames are other names for what is reckoned by.
var perNames = map[string]string{"annum": "year", "月額": "月", "毎月": "月", "年額": "年", "毎年": "年", "日額": "日", "毎日": "日"}

func monthly(before string) string {
	for _, p := range [...]string{"月額", "年額", "日額", "毎月", "毎年", "毎日", "週", "月", "年"} {
		if strings.HasSuffix(before, p) {
			return p
		}
	}
	return ""
}
