package quantity

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// dated reads a year, a day of the year or of a month, or a time of day. It returns the number of bytes after the
// number that belong to it, or -1 for none. last is the amount before.
func (a *Amount) dated(before, after string, last *Amount) int {
	if rest, ok := strings.CutPrefix(after, "月"); ok {
		if day, n := leading(rest); n > 0 && strings.HasPrefix(rest[n:], "日") {
			a.Dimension, a.Number = "date", 100*a.Number+day
			return len("月") + n + len("日")
		}
		if strings.HasPrefix(rest, "末") && 1 <= a.Number && a.Number <= 12 {
			a.Dimension, a.Number = "date", 100*a.Number+lastDays[int(a.Number)-1]
			return len("月末")
		}
		a.Dimension = "month"
		return len("月")
	}
	if rest, ok := strings.CutPrefix(after, "日"); ok && a.day(before, rest, last) {
		return len("日")
	}
	if n := a.numeric(before, after); n >= 0 {
		return n
	}
	if rest, ok := strings.CutPrefix(after, "時"); ok && !strings.HasPrefix(rest, "間") {
		minutes, n := leading(rest)
		if strings.HasPrefix(rest, "半") {
			minutes = 30
		}
		a.clock(minutes, strings.HasSuffix(before, "午後") || strings.HasSuffix(before, "夜"))
		return len("時") + n
	}
	if rest, ok := strings.CutPrefix(after, ":"); ok && a.Number <= 24 {
		if minutes, n := leading(rest); n == 2 {
			a.clock(minutes, false)
			return 1 + n
		}
	}
	word := strings.TrimPrefix(after, " ")
	for _, half := range [...]string{"a.m", "am", "p.m", "pm"} {
		if strings.HasPrefix(word, half) && wordEnd(word[len(half):]) == 0 && a.Number <= 12 {
			a.clock(0, half[0] == 'p')
			return len(after) - len(word) + len(half)
		}
	}
	alone := strings.HasPrefix(after, "年") || wordEnd(word) == 0 || strings.HasSuffix(before, "in ")
	if a.Number >= 1900 && a.Number < 2100 && alone && !strings.HasSuffix(before, "$") {
		a.Dimension = "year"
		return 0
	}
	for _, th := range [...]string{"st ", "nd ", "rd ", "th ", "of "} {
		word = strings.TrimPrefix(word, th)
	}
	month := words().months[word[:wordEnd(word)]]
	if word := strings.TrimRight(before, " ."); month == 0 && a.Number <= 31 {
		month = words().months[word[strings.LastIndexByte(word, ' ')+1:]]
	}
	if month > 0 {
		a.Dimension, a.Number = "date", 100*month+a.Number
		return 0
	}
	return -1
}

var lastDays = [...]float64{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// day reads the day of a month that is named before it: 翌月5日, 1月19日から22日, 26日(月). It reports false for a number of
// days.
func (a *Amount) day(before, after string, last *Amount) bool {
	switch month := last.month(); {
	case endsWith(before, words().monthly):
		a.Dimension = "monthday"
	case month > 0 && (onWeekday(after) || endsWith(before, words().joints) && !startsWith(after, words().spans)):
		a.Dimension, a.Number = "date", 100*month+a.Number
	default:
		return false
	}
	return true
}

// month returns the month of a date, or 0.
func (a *Amount) month() float64 {
	switch a.Dimension {
	case "month":
		return a.Number
	case "date":
		return math.Floor(a.Number / 100)
	}
	return 0
}

// numeric reads the month and the day of 2027-03-01 and 2027/3/1, and of 3/1 if a day of the week follows or its table
// cell holds nothing else.
func (a *Amount) numeric(before, after string) int {
	if after == "" || after[0] != '-' && after[0] != '/' || a.Number < 1 || a.Number > 12 {
		return -1
	}
	day, n := leading(after[1:])
	rest, sep := after[1+n:], after[:1]
	if day < 1 || day > 31 || strings.HasPrefix(rest, sep) {
		return -1
	}
	year, digits := leading(before[max(0, len(before)-len("2027-")):])
	full := digits == 4 && 1900 <= year && year < 2100 && strings.HasSuffix(before, sep)
	cell := strings.HasSuffix("|"+strings.TrimRight(before, " "), "|") &&
		strings.HasPrefix(strings.TrimLeft(rest, " ")+"|", "|")
	if !full && (sep == "-" || !cell && !onWeekday(rest)) {
		return -1
	}
	a.Dimension, a.Number = "date", 100*a.Number+day
	return 1 + n
}

// onWeekday reports whether a day of the week in parentheses follows a day.
func onWeekday(after string) bool {
	rest, ok := strings.CutPrefix(after, "(")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && strings.ContainsRune("月火水木金土日", r)
}

// clock turns an hour into a time of day.
func (a *Amount) clock(minutes float64, afternoon bool) {
	a.Dimension, a.Number = "clock", 60*a.Number+minutes
	if afternoon && a.Number < 12*60 {
		a.Number += 12 * 60
	}
}

// leading returns the number at the start of s, and its length in bytes.
func leading(s string) (value float64, n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	value, _ = strconv.ParseFloat(s[:n], 64)
	return value, n
}
