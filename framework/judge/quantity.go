package judge

import (
	"math"
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
	loose // about, an average, a range: too vague to contradict
)

// quantity is a number with its unit.
type quantity struct {
	unit       unit
	name       string // of the unit as written
	value      float64
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
				if q, ok := quantityAt(s, i, end, n); ok && !strings.HasPrefix(q.unit.dimension, "count ") {
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

func numberEnd(s string, i int) int {
	for i < len(s) && (isDigit(s[i]) || i+1 < len(s) && (s[i] == '.' || s[i] == ',') && isDigit(s[i-1]) && isDigit(s[i+1])) {
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
	q.role = roleOf(s[:q.start], s[q.end:])
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
	if u.dimension == "" && countable(name) {
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

var (
	vague     = [...]string{"約", "およそ", "おおむね", "概ね", "平均", "~", "about ", "around ", "approximately ", "roughly ", "average of ", "nearly ", "almost ", "typically ", "usually ", "between "}
	vagueTail = [...]string{"程度", "ほど", "くらい", "ぐらい", "前後", "弱", "強", "~", "-", " or so", " on average", "を目安", "が目安"}
	atMost    = [...]string{"最大", "最長", "最高", "上限は", "上限を", "限度は", "within ", "up to ", "at most ", "no more than ", "maximum of ", "maximum ", "not exceed ", "limit of ", "limited to ", "until "}
	mostTail  = [...]string{"以内", "まで", "以下", "未満", "を上限", "を限度", "を超え", " or less", " or fewer", " or under", " at most", " maximum"}
	atLeast   = [...]string{"最低", "最短", "最小", "少なくとも", "at least ", "minimum of ", "more than ", "over ", "no less than ", "older than ", "after ", "from "}
	leastTail = [...]string{"以上", "超", "以降", "経過", "を過ぎ", "から", "後", "が過ぎ", " or more", " or older", " or longer", " after"}
	aheadTail = [...]string{"前", " before", " prior", " in advance", " ahead"}
	atEvery   = [...]string{"every ", "each "}
	everyTail = [...]string{"ごと", "毎", "に1回", "に1度", "に一度", "に一回", "おき"}
)

func roleOf(before, after string) role {
	switch {
	case endsIn(before, vague[:]), startsWith(after, vagueTail[:]), ranged(before, after):
		return loose
	case startsWith(after, everyTail[:]), endsIn(before, atEvery[:]):
		return every
	case startsWith(after, aheadTail[:]):
		return ahead
	case startsWith(after, leastTail[:]), endsIn(before, atLeast[:]):
		return least
	case startsWith(after, mostTail[:]), endsIn(before, atMost[:]):
		return most
	}
	return exact
}

// ranged reports whether " to " and another number stand before or after.
func ranged(before, after string) bool {
	rest, ok := strings.CutSuffix(before, " to ")
	next, follows := strings.CutPrefix(after, " to ")
	return ok && rest != "" && isDigit(rest[len(rest)-1]) || follows && next != "" && isDigit(next[0])
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
		if a, b := &found[i-1], &found[i]; a.unit.dimension == b.unit.dimension && a.end <= b.start && between(s[a.end:b.start]) {
			a.role, b.role = loose, loose
		}
	}
	for i, q := range found {
		after := s[q.end:]
		if rate, ok := rateOf(s, q); ok {
			out = append(out, rate)
			continue
		}
		if q.value == 1 && q.role != every && (startsWith(after, []string{"あたり", "当たり", "につき", "の", "に", "で"}) || i+1 < len(found) && found[i+1].start == q.end) {
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
		if q.per == "" {
			q.per = monthly(s[:q.start])
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
		if last, _ := utf8.DecodeLastRuneInString(head); ok && !unicode.IsDigit(last) && !strings.ContainsRune("か毎ヶ", last) && scriptOf(last) != han {
			return quantity{unit: units[p.unit], name: p.unit, value: 1, role: every, start: len(head), end: q.end, number: q.end, noun: q.end}, true
		}
	}
	return q, false
}

func monthly(before string) string {
	for _, p := range [...]string{"月額", "年額", "日額", "毎月", "毎年", "毎日", "週", "月", "年"} {
		if strings.HasSuffix(before, p) {
			return p
		}
	}
	return ""
}

// differs reports whether two numbers that count the same cannot both hold.
func (q *quantity) differs(r *quantity) bool {
	if q.unit.dimension != r.unit.dimension || q.per != r.per || !comparable(q.role, r.role) {
		return false
	}
	return !q.equal(r)
}

// equal reports whether two numbers are the same amount.
func (q *quantity) equal(r *quantity) bool {
	a, b := q.value*q.unit.factor, r.value*r.unit.factor
	slack := 1e-9
	if q.unit.factor != r.unit.factor {
		slack = max(q.unit.slack, r.unit.slack, slack)
	}
	return math.Abs(a-b) <= slack*max(a, b)
}

func comparable(a, b role) bool {
	if a == loose || b == loose {
		return false
	}
	return a == b || a == exact && b == most || a == most && b == exact
}

// between reports whether two numbers with s between them are a range or a choice.
func between(s string) bool {
	switch s {
	case "から", "~", "-", " to ", " and ", " or ", "または", "か", "や", "、", ", ":
		return true
	}
	return false
}
