package publication

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Date is a day, or a month or year as a whole: Day, or Month and Day, are 0.
// The zero Date means no date.
type Date struct{ Year, Month, Day int }

var dateForm = lazyregexp.New(`^([0-9]{4})(?:[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?|([0-9]{2})([0-9]{2}))?$`)

// ParseDate reads YYYY, YYYY-MM, YYYY-MM-DD and YYYYMMDD, in any width; slashes and dots
// stand for hyphens. ok is false when it is no date of the calendar.
func ParseDate(s string) (d Date, ok bool) {
	m := dateForm().FindStringSubmatch(strings.TrimSpace(norm.NFKC.String(s)))
	if m == nil {
		return Date{}, false
	}
	d = Date{number(m[1]), number(m[2] + m[4]), number(m[3] + m[5])}
	if d.Year == 0 || d.Month == 0 && m[2]+m[4] != "" || d.Day == 0 && m[3]+m[5] != "" {
		return Date{}, false
	}
	first := time.Date(d.Year, time.Month(max(d.Month, 1)), max(d.Day, 1), 0, 0, 0, 0, time.UTC)
	if first.Year() != d.Year || int(first.Month()) != max(d.Month, 1) {
		return Date{}, false
	}
	return d, true
}

// number returns the value of digits that a pattern has checked; "" is 0.
func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// First returns the first day of d as the number YYYYMMDD; 0 for no date.
func (d Date) First() int {
	if d.Year == 0 {
		return 0
	}
	return d.Year*10000 + max(d.Month, 1)*100 + max(d.Day, 1)
}

// Last returns the last day of d as the number YYYYMMDD; 0 for no date.
func (d Date) Last() int {
	switch {
	case d.Year == 0:
		return 0
	case d.Month == 0:
		return d.Year*10000 + 1231
	case d.Day == 0:
		return d.Year*10000 + d.Month*100 + time.Date(d.Year, time.Month(d.Month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
	}
	return d.First()
}

// String returns YYYY, YYYY-MM or YYYY-MM-DD; "" for no date.
func (d Date) String() string {
	switch {
	case d.Year == 0:
		return ""
	case d.Month == 0:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d-%02d", d.Year, d.Month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// MarshalText implements encoding.TextMarshaler.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Date) UnmarshalText(text []byte) (err error) {
	date, ok := ParseDate(string(text))
	if !ok && len(text) > 0 {
		err = fmt.Errorf("%.40q is no date", text)
	}
	*d = date
	return err
}
