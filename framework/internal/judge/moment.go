package judge

import (
	"strconv"
	"strings"
)

// amounts gives all that a sentence states and another one may state otherwise:
// its quantities, and those that no unit tells, such as dates and times of day.
func (s *sentence) amounts() []quantity {
	if s.looked&forAmounts == 0 {
		s.looked |= forAmounts
		if !s.counts() {
			return nil
		}
		s.found = quantities(nil, s.norm)
		if s.plain = len(s.found); s.digits {
			s.found = moments(s.found, s.norm)
		}
		s.found = worded(s.found, s)
	}
	return s.found
}

// counts reports whether a sentence may state an amount.
func (s *sentence) counts() bool {
	return s.digits || s.has(spelledCues) || s.has(wordedCues) || s.has(dayCues)
}

// quantities gives those amounts that have a unit.
func (s *sentence) quantities() []quantity { return s.amounts()[:s.plain] }

// moments appends the dates, times of day and versions of a normalised text, and its
// numbers without a unit.
func moments(out []quantity, s string) []quantity {
	first := len(out)
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		end := numberEnd(s, i)
		if q, ok := momentAt(s, i, end); ok {
			out = append(out, q)
			end = q.end
		}
		i = end
	}
	return joinMoments(out, first, s)
}

// momentAt reads a date, a time of day, a version, or a number without a unit.
func momentAt(s string, start, end int) (quantity, bool) {
	for _, read := range [...]func(string, int, int) (quantity, bool){clockAt, dateAt, versionAt, bareAt} {
		if q, ok := read(s, start, end); ok {
			q.start = min(q.start, start)
			q.number, q.noun = q.end, q.end
			q.role = roleOf(s, q.start, q.end)
			if q.name == "version" {
				q.role = roleOf(s, nameStart(s, q.start), q.end)
			}
			if q.name == "date" && q.role == exact && !told(s[:q.start]) {
				q.role = loose // one of many days
			}
			if q.role == exact && endsIn(s[:q.start], []string{" by ", "before ", "no later than "}) || q.role == ahead {
				q.role = most
			}
			return q, true
		}
	}
	return quantity{}, false
}

// told reports whether what follows is what a thing is, and no mere time of it.
func told(before string) bool {
	return endsIn(before, []string{"は", "は毎週", "毎週", "毎月", ": ", ":", " is ", " on every ", "every ", " by ", "before ", "休み", "は、", "は毎年"}) ||
		strings.HasSuffix(before, " on ") && onceADay[lastWord(before[:len(before)-len(" on ")])]
}

// onceADay are said of what has a day of its own.
var onceADay = set(`start starts begin begins end ends due close closes open opens expire expires fall falls finish finishes held`)

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

const noon = 12 * 60

// clockAt reads a time of day in minutes: 9:30, 9時半, 午後6時, 11 a.m.
func clockAt(s string, start, end int) (quantity, bool) {
	hours, err := strconv.Atoi(s[start:end])
	if err != nil || hours > 24 || start > 1 && (s[start-1] == ':' || s[start-1] == '.') && isDigit(s[start-2]) {
		return quantity{}, false
	}
	q := quantity{name: "clock", unit: unit{dimension: "clock", factor: 1}, value: float64(60 * hours), start: start, end: end}
	rest, told := s[end:], false
	if after, ok := strings.CutPrefix(rest, ":"); ok && len(after) > 1 && isDigit(after[0]) && isDigit(after[1]) {
		minutes, _ := strconv.Atoi(after[:2])
		q.value, q.end, told = q.value+float64(minutes), end+3, true
	} else if after, ok := strings.CutPrefix(rest, "時"); ok && !strings.HasPrefix(after, "間") {
		q.end, told = end+len("時"), true
		n := numberEnd(after, 0)
		switch minutes, err := strconv.Atoi(after[:n]); {
		case err == nil && strings.HasPrefix(after[n:], "分"):
			q.value, q.end = q.value+float64(minutes), q.end+n+len("分")
		case strings.HasPrefix(after, "半"):
			q.value, q.end = q.value+30, q.end+len("半")
		}
	}
	half, width := halfOfDay(s[q.end:])
	if width > 0 {
		told, q.end = true, q.end+width
	}
	for _, p := range [...]struct {
		word string
		half int
	}{{"午前", 1}, {"午後", 2}, {"夜", 2}, {"夕方", 2}, {"朝", 1}} {
		if strings.HasSuffix(s[:start], p.word) {
			half, q.start = p.half, start-len(p.word)
		}
	}
	switch {
	case half == 2 && q.value < noon:
		q.value += noon
	case half == 1 && q.value >= noon && width > 0:
		q.value -= noon
	}
	return q, told
}

// halfOfDay reads a.m. as 1 and p.m. as 2, with the bytes that it takes.
func halfOfDay(s string) (half, width int) {
	trimmed := strings.TrimPrefix(s, " ")
	for i, p := range [...]string{"a.m.", "am", "p.m.", "pm", "a.m", "", "p.m"} {
		if p != "" && strings.HasPrefix(trimmed, p) && (len(trimmed) == len(p) || !isAlnum(trimmed[len(p)])) {
			return 1 + i/2%2, len(s) - len(trimmed) + len(p)
		}
	}
	return 0, 0
}

var monthNames = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// dateAt reads a day of the year: 10月31日, 31 March, March 31st. Its value is 100 · month + day.
func dateAt(s string, start, end int) (quantity, bool) {
	n, err := strconv.Atoi(s[start:end])
	if err != nil || n < 1 || n > 31 {
		return quantity{}, false
	}
	q := quantity{name: "date", unit: unit{dimension: "date", factor: 1}, start: start, end: end}
	if rest, ok := strings.CutPrefix(s[end:], "月"); ok {
		digits := numberEnd(rest, 0)
		day, err := strconv.Atoi(rest[:digits])
		if err == nil && strings.HasPrefix(rest[digits:], "日") {
			q.value, q.end = float64(100*n+day), end+len("月")+digits+len("日")
			if strings.HasSuffix(s[:start], "年") {
				q.per = s[max(0, start-len("0000年")):start]
			}
			return q, true
		}
		if strings.HasPrefix(rest, "末") {
			q.value, q.end = float64(100*n+31), end+len("月末")
			return q, true
		}
		return q, false
	}
	tail := s[end:]
	for _, th := range [...]string{"st", "nd", "rd", "th"} {
		tail = strings.TrimPrefix(tail, th)
	}
	after := strings.TrimPrefix(strings.TrimPrefix(tail, " "), "of ")
	before := strings.TrimSuffix(strings.TrimSuffix(s[:start], " "), ".")
	for m, name := range monthNames {
		switch {
		case strings.HasPrefix(after, name) && after != tail && (len(after) == len(name) || !isAlnum(after[len(name)])):
			q.end = len(s) - len(after) + len(name)
		case strings.HasSuffix(before, name) && len(before) < start && !strings.HasPrefix(tail, ","):
			q.start, q.end = len(before)-len(name), len(s)-len(tail)
		default:
			continue
		}
		q.value = float64(100*(m+1) + n)
		return q, true
	}
	return q, false
}

// versionAt reads the version of a program: version 2.1, Python 3.11 or later.
func versionAt(s string, start, end int) (quantity, bool) {
	before, number := s[:start], s[start:end]
	named := endsIn(before, []string{"version ", "versions ", "version: ", "バージョン", "バージョンは", " v", "ver.", "ver. "})
	if !named && strings.Count(number, ".") == 1 && strings.HasSuffix(before, " ") && len(before) > 1 && before[len(before)-2] >= 'a' && before[len(before)-2] <= 'z' {
		named = startsWith(s[end:], []string{" or later", " or newer", " or higher", " or above", " and later", "+", "以上", "以降", ".", " is required"}) || strings.Contains(s, "at least ") || strings.Contains(s, "以降")
	}
	if !named || strings.Contains(number, ",") {
		return quantity{}, false
	}
	major, minor, _ := strings.Cut(number, ".")
	a, _ := strconv.ParseFloat(major, 64)
	b, _ := strconv.ParseFloat(strings.ReplaceAll(minor, ".", ""), 64)
	q := quantity{name: "version", unit: unit{dimension: "version", factor: 1}, value: 1000*a + b, start: start, end: end}
	return q, true
}

// nameStart is where the name before a version starts.
func nameStart(s string, at int) int {
	return strings.LastIndexByte(strings.TrimSuffix(s[:at], " "), ' ') + 1
}

// bareAt reads a number that ends a statement: the default is 100, on port 8080.
func bareAt(s string, start, end int) (quantity, bool) {
	value, err := strconv.ParseFloat(s[start:end], 64)
	before, after := s[:start], s[end:]
	named := before == "port " || strings.HasSuffix(before, " port ") || strings.HasSuffix(before, "ポート") || inPlace(before)
	if err != nil || !named && !endsIn(before, []string{" is ", ": ", ":", "= ", "=", "は", " to ", " defaults to ", "番号は"}) || endsIn(before, []string{" up to ", "to :"}) {
		return quantity{}, false
	}
	serves := named && startsWith(after, []string{" is used", " is the ", " is for ", " serves ", "を使", "を用", "を利用", "で待ち", "が使"})
	if !serves && after != "" && after != "." && !startsWith(after, []string{". ", ", ", "; ", " (", ")", "です", "である", "に設定", "とな", "とし", "とする", "。", "、", "番", " by default", " and ", " if ", " unless ", "'", "}", " in ", " for "}) {
		return quantity{}, false
	}
	return quantity{name: "number", unit: unit{dimension: "number", factor: 1}, value: value, start: start, end: end}, true
}

// inPlace reports whether a number is the name of a place that the sentence puts
// something in: in room 12, at gate 4.
func inPlace(before string) bool {
	rest, spaced := strings.CutSuffix(before, " ")
	rest, name := cutLast(rest)
	rest, word := cutLast(rest)
	return spaced && rest != "" && placedBy[word] && !noPlace[name] && !ordinal(before, "") &&
		units[name].dimension == "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == ""
}

// cutLast cuts the last word off a text.
func cutLast(s string) (rest, word string) {
	at := strings.LastIndexByte(s, ' ')
	return s[:max(at, 0)], s[at+1:]
}

// placedBy stand before a place that has a number.
var placedBy = set(`in at from via through`)

// noPlace stand before a number that is a year or an age.
var noPlace = set(`age ages about early late mid fiscal year spring summer autumn fall winter january february march april may june july august september october november december`)

// joinMoments makes one span of two times that a range joins.
func joinMoments(out []quantity, first int, s string) []quantity {
	kept := out[:first]
	for i := first; i < len(out); i++ {
		q := out[i]
		if k := len(kept) - 1; k >= first && kept[k].unit.dimension == q.unit.dimension && kept[k].end <= q.start {
			a, joint := &kept[k], s[kept[k].end:q.start]
			if startsWith(joint, []string{"から", "~", "-", " to ", " - ", " until ", " and "}) && len(joint) <= len("から当日の") {
				a.high, a.role, a.end, a.number, a.noun = q.value, span, q.end, q.end, q.end
				continue
			}
		}
		if q.unit.dimension == "clock" {
			q.from(s)
		}
		kept = append(kept, q)
	}
	return kept
}

// from reads the hour that a range starts with where it shares the a.m. of its end: 7 to 10 a.m.
func (q *quantity) from(s string) {
	for _, joint := range [...]string{" to ", " and ", "-", "~"} {
		head, ok := strings.CutSuffix(s[:q.start], joint)
		if !ok || head == "" || !isDigit(head[len(head)-1]) {
			continue
		}
		start := len(head)
		for start > 0 && isDigit(head[start-1]) {
			start--
		}
		hours, err := strconv.Atoi(head[start:])
		if err != nil || hours > 12 {
			return
		}
		low := float64(60 * hours)
		if q.value >= noon && low+noon < q.value {
			low += noon
		}
		q.high, q.value, q.role, q.start = q.value, low, span, start
		return
	}
}

// words for amounts that hold no number.
var wordedAmounts = [...]struct {
	word  string
	unit  string
	value float64
	role  role
}{
	{"半年", "か月", 6, exact}, {"半額", "%", 50, exact}, {"半分", "%", 50, exact}, {"全額", "%", 100, exact}, {"毎日", "日", 1, every}, {"毎週", "週", 1, every}, {"毎月", "か月", 1, every}, {"毎年", "年", 1, every},
	{"half a year", "months", 6, exact}, {"half year", "months", 6, exact}, {"half of ", "%", 50, exact}, {"half the ", "%", 50, exact}, {"a third of ", "%", 33.3, exact},
	{"a fortnight", "days", 14, exact}, {" a week", "week", 1, exact}, {" a month", "month", 1, exact}, {" an hour", "hour", 1, exact}, {" a year", "year", 1, exact}, {" a day", "day", 1, exact},
	{"once a year", "year", 1, every}, {"once a month", "month", 1, every}, {"once a week", "week", 1, every}, {"once a day", "day", 1, every}, {"twice a year", "months", 6, every},
	{"quarterly", "quarter", 1, every}, {"every quarter", "quarter", 1, every}, {"monthly", "month", 1, every}, {"every month", "month", 1, every}, {"weekly", "week", 1, every}, {"every week", "week", 1, every},
	{"daily", "day", 1, every}, {"every day", "day", 1, every}, {"hourly", "hour", 1, every}, {"every hour", "hour", 1, every}, {"yearly", "year", 1, every}, {"annually", "year", 1, every}, {"every year", "year", 1, every},
}

var wordedCues, dayCues = func() (worded, days []cue) {
	for i := range wordedAmounts {
		worded = append(worded, cues(wordedAmounts[i].word)...)
	}
	for _, names := range weekdays {
		days = append(days, cues(names[:]...)...)
	}
	return worded, days
}()

// worded appends the amounts that are told in words.
func worded(out []quantity, of *sentence) []quantity {
	s := of.norm
	if of.has(wordedCues) {
		for i := range wordedAmounts {
			w := &wordedAmounts[i]
			at := strings.Index(s, w.word)
			if at < 0 {
				continue
			}
			start, end := at, at+len(w.word)
			if strings.HasPrefix(w.word, " ") {
				if start++; !endsIn(s[:start], []string{"within ", "for ", "least ", "last ", "lasts ", "than ", "most ", "after ", "half ", "of "}) || end < len(s) && isAlnum(s[end]) {
					continue
				}
			}
			q := quantity{unit: units[w.unit], name: w.unit, value: w.value, role: w.role, start: start, end: end, number: end, noun: end}
			if strings.HasPrefix(w.word, "every ") || w.role == exact {
				q.role = max(w.role, roleOf(s, start, end))
				if w.role == every {
					q.role = every
				}
			}
			out = append(out, q)
		}
	}
	if !of.has(dayCues) {
		return out
	}
	return weekday(out, s)
}

var weekdays = [...][2]string{{"monday", "月曜"}, {"tuesday", "火曜"}, {"wednesday", "水曜"}, {"thursday", "木曜"}, {"friday", "金曜"}, {"saturday", "土曜"}, {"sunday", "日曜"}}

func weekday(out []quantity, s string) []quantity {
	for day, names := range weekdays {
		for _, name := range names {
			if i := strings.Index(s, name); i >= 0 {
				end := i + len(name)
				for _, tail := range [...]string{"日", "s"} {
					if strings.HasPrefix(s[end:], tail) {
						end += len(tail)
					}
				}
				role := exact
				if !told(s[:i]) && !strings.HasSuffix(s[:i], "closed on ") {
					role = loose
				}
				out = append(out, quantity{role: role, unit: unit{dimension: "weekday", factor: 1}, name: name, value: float64(day + 1), start: i, end: end, number: end, noun: end})
			}
		}
	}
	return out
}
