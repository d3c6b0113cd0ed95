package quantity

import (
	"strconv"
	"strings"
)

// dated reads a year, a day of the year or a time of day. It returns the number of bytes after the number that belong
// to it, or -1 for none.
func (a *Amount) dated(before, after string) int {
	if rest, ok := strings.CutPrefix(after, "月"); ok {
		if day, n := leading(rest); n > 0 && strings.HasPrefix(rest[n:], "日") {
			a.Dimension, a.Number = "date", 100*a.Number+day
			return len("月") + n + len("日")
		}
		a.Dimension = "month"
		return len("月")
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
	if last := strings.TrimSuffix(before, " "); month == 0 && a.Number <= 31 {
		month = words().months[last[strings.LastIndexByte(last, ' ')+1:]]
	}
	if month > 0 {
		a.Dimension, a.Number = "date", 100*month+a.Number
		return 0
	}
	return -1
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
