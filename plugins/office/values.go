package office

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// format is how a number in a workbook is shown.
type format uint8

const (
	plain format = iota
	percent
	date
	timeOfDay
	dateAndTime
)

// values formats the values of cells in a workbook.
type values struct {
	formats   []format // by style
	since1904 bool
}

// readFormats returns the formats of the cell styles.
func (p *pkg) readFormats(part string) (all []format) {
	own := map[int]format{}
	p.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "numFmt":
			own[number(e, "numFmtId", 0)] = formatOf(archive.Attribute(e, "formatCode"))
		case "cellXfs":
			return false, x.Each(func(e xml.StartElement) (bool, error) {
				if e.Name.Local == "xf" {
					id := number(e, "numFmtId", 0)
					f, found := own[id]
					if !found {
						f = builtIn(id)
					}
					all = append(all, f)
				}
				return false, nil
			})
		}
		return e.Name.Local == "styleSheet" || e.Name.Local == "numFmts", nil
	})
	return all
}

// builtIn returns the format for an id that workbooks do not define, including those of East Asia.
func builtIn(id int) format {
	switch {
	case id == 9 || id == 10:
		return percent
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id >= 57 && id <= 58:
		return date
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id >= 45 && id <= 47, id == 55, id == 56:
		return timeOfDay
	case id == 22:
		return dateAndTime
	}
	return plain
}

// counted matches elapsed hours, minutes or seconds; [Red] and [$-411] mean something else.
var counted = lazyregexp.New(`(?i)^\[(?:h+|m+|s+)\]`)

// formatOf returns the format for a code such as `yyyy"年"m"月"d"日"`.
func formatOf(code string) format {
	code, _, _ = strings.Cut(code, ";")
	var days, times, quoted, bracketed bool
	for i := 0; i < len(code); i++ {
		c := code[i] | 0x20
		switch {
		case quoted:
			quoted = code[i] != '"'
		case bracketed && code[i] == ']':
			bracketed = false
		case code[i] == '"':
			quoted = true
		case code[i] == '\\' || code[i] == '_' || code[i] == '*':
			i++
		case code[i] == '[':
			bracketed = true
			times = times || counted().MatchString(code[i:])
		case bracketed:
		case c == 'y' || c == 'd' || c == 'e' || c == 'g' && days:
			days = days || code[i] != 'E' && !strings.HasPrefix(code, "General")
		case c == 'h' || c == 's':
			times = true
		case code[i] == '%':
			return percent
		}
	}
	switch {
	case days && times:
		return dateAndTime
	case days:
		return date
	case times:
		return timeOfDay
	case strings.Contains(strings.ToLower(code), "mmm"):
		return date
	}
	return plain
}

// show returns a value of a kind, formatted by a style.
func (v *values) show(value, kind string, style int) string {
	switch kind {
	case "b":
		if value == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "str", "inlineStr", "e", "d":
		return value
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return value
	}
	f := plain
	if style >= 0 && style < len(v.formats) {
		f = v.formats[style]
	}
	if f == percent {
		return decimal(n*100) + "%"
	}
	if f == plain || n < 0 || n >= 2958466 { // the days up to the year 9999
		return decimal(n)
	}
	return v.date(n, f)
}

// decimal formats a number with the digits that a workbook stores.
func decimal(n float64) string {
	if n, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64); err == nil && math.Abs(n) < 1e15 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return strconv.FormatFloat(n, 'g', 15, 64)
}

// date formats a number of days in ISO 8601.
func (v *values) date(n float64, f format) string {
	day := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case v.since1904:
		day = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case n < 60:
		day = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC) // workbooks have a 29 February in 1900
	}
	whole, part := math.Modf(n)
	at := day.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*86400)) * time.Second)
	switch {
	case f == timeOfDay && n < 1:
		return at.Format(clock(at))
	case f == date && at.Hour() == 0 && at.Minute() == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format(time.DateOnly + " " + clock(at))
}

func clock(t time.Time) string {
	if t.Second() == 0 {
		return "15:04"
	}
	return time.TimeOnly
}
