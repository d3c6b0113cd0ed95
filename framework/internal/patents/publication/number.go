package publication

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// NumberType says what a document number numbers.
type NumberType int

const (
	UnsaidNumber NumberType = iota // the writing does not say
	ApplicationNumber
	PublicationNumber
	ExaminedNumber // of a granted patent, or of an examined publication
)

// Number is a document number in its parts. Where a number has no form that is known,
// Serial is all of it.
type Number struct {
	Country string // "JP", "JPWO" for 再表, "WO", "US" …
	Type    NumberType
	Year    int    // of the common era; 0 where the form has none
	Serial  string // digits; behind a year six of them with leading zeros, of US applications seven
	Kind    string // the kind code, such as A or B2; "" where none is written
}

var numberForms = []struct {
	form func() *regexp.Regexp
	read func(m []string) Number
}{
	{lazyregexp.New(`^(特願|特開|特表|特公)(昭和?|平成?)? ?([0-9]{1,2}|[12][0-9]{3})[-/]([0-9]{1,7})(?: ?[AB][0-9]?)?$`), readJapanese},
	{lazyregexp.New(`^(特願|特開|特表|特公)() ?([0-9]{4})([0-9]{6})(?: ?[AB][0-9]?)?$`), readJapanese},
	{lazyregexp.New(`^(?:再公?表|JP ?WO)[- ]?(?:WO)? ?([0-9]{4}|[0-9]{2})[-/ ]?([0-9]{5,6}) ?([AS][0-9]?)?$`), func(m []string) Number {
		return Number{"JPWO", PublicationNumber, fullYear(m[1]), six(m[2]), m[3]}
	}},
	{lazyregexp.New(`^特許(?:第 ?)?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{5,8})$`), func(m []string) Number {
		return Number{"JP", ExaminedNumber, 0, digits(m[1]), ""}
	}},
	{lazyregexp.New(`^JP ?([HS])?([0-9]{2}|[0-9]{4})[-/]([0-9]{1,7}) ?([A-Z][0-9]?)?$`), readPlain},
	{lazyregexp.New(`^JP ?([HS])([0-9]{2})([0-9]{6}) ?([A-Z][0-9]?)?$`), readPlain},
	{lazyregexp.New(`^JP ?()((?:19|20)[0-9]{2})0?([0-9]{6}) ?([A-Z][0-9]?)?$`), readPlain},
	{lazyregexp.New(`^WO ?([0-9]{4}|[0-9]{2})[-/ ]?([0-9]{5,6}) ?([A-Z][0-9]?)?$`), func(m []string) Number {
		return Number{"WO", PublicationNumber, fullYear(m[1]), six(m[2]), m[3]}
	}},
	{lazyregexp.New(`^国際公開第? ?(?:WO)?([0-9]{4}|[0-9]{2})/([0-9]{5,6})$`), func(m []string) Number {
		return Number{"WO", PublicationNumber, fullYear(m[1]), six(m[2]), ""}
	}},
	{lazyregexp.New(`^(米国|欧州|中国|韓国)(?:公開|登録)?特許(出願公開)?第? ?([0-9][0-9/, -]*)$`), func(m []string) Number {
		return readForeign([]string{m[0], offices[m[1]], m[3], ""})
	}},
	{lazyregexp.New(`^US ?(D|RE|PP|H|T|X|AI) ?([0-9][0-9,]*) ?([A-Z][0-9]?)?$`), func(m []string) Number {
		return Number{"US", typeOf(m[3]), 0, m[1] + padded(digits(m[2]), 1), m[3]}
	}},
	{lazyregexp.New(`^([A-Z]{2}) ?([0-9][0-9/, -]*) ?([A-Z][0-9]?)?$`), readForeign},
}

// offices holds the codes of countries as gazettes of Japan name them.
var offices = map[string]string{"米国": "US", "欧州": "EP", "中国": "CN", "韓国": "KR"}

// docdb is a number in three parts, as offices exchange them: US.8925999.B2 or US-8925999-B2; or with its
// kind code in brackets.
var docdb = lazyregexp.New(`^([A-Z]{2})[ .-]*([0-9A-Z/,-]*[0-9])(?:[ .-]+| ?\()([A-Z][0-9]?)\)?$`)

// ParseNumber reads a document number: 特願, 特開, 特表, 再表, 特許 and 特公 forms, plain
// ones such as JP2023-123456A, EPODOC's, and those of other countries, in any width.
func ParseNumber(s string) Number {
	s = PlainNumber(s)
	if m := docdb().FindStringSubmatch(s); m != nil {
		s = m[1] + m[2] + m[3]
	}
	for _, f := range numberForms {
		if m := f.form().FindStringSubmatch(s); m != nil {
			return f.read(m)
		}
	}
	return Number{Serial: bare(s)}
}

// PlainNumber returns a number with one kind of hyphen, without regard to width and without the 号公報 or 号明細書 that
// may end it.
func PlainNumber(s string) string {
	s = patentcode.Plain(strings.Map(oneHyphen, strings.TrimSpace(norm.NFKC.String(s))))
	for _, ending := range []string{"公報", "明細書", "パンフレット"} {
		s = strings.TrimSuffix(s, ending)
	}
	return strings.TrimSuffix(s, "号")
}

// bare returns a number without what parts it.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, s)
}

func oneHyphen(r rune) rune {
	if unicode.Is(unicode.Pd, r) || r == '−' || r == 'ー' {
		return '-'
	}
	return r
}

func readJapanese(m []string) Number {
	n := Number{Country: "JP", Year: eraYear(m[2], m[3]), Serial: six(m[4])}
	switch m[1] {
	case "特願":
		n.Type = ApplicationNumber
	case "特公":
		n.Type = ExaminedNumber
	default:
		n.Type, n.Kind = PublicationNumber, "A"
	}
	return n
}

func readForeign(m []string) Number {
	n := Number{Country: m[1], Type: typeOf(m[3]), Serial: padded(digits(m[2]), 1), Kind: m[3]}
	long := len(n.Serial) == 10 || len(n.Serial) == 11
	if year := n.Serial[:min(len(n.Serial), 2)]; n.Country == "US" && long && (year == "19" || year == "20") {
		n.Year, n.Serial = number(n.Serial[:4]), padded(n.Serial[4:], 7) // DOCDB and EPODOC write six digits
	}
	return n
}

func readPlain(m []string) Number {
	return Number{"JP", typeOf(m[4]), eraYear(m[1], m[2]), six(m[3]), m[4]}
}

// typeOf returns a number's type by its kind code.
func typeOf(kind string) NumberType {
	switch {
	case kind == "":
		return UnsaidNumber
	case kind[0] == 'B' || kind[0] == 'C' || kind[0] == 'Y':
		return ExaminedNumber
	}
	return PublicationNumber
}

// eraYear returns a year of the common era; without an era, two digits are of it too.
func eraYear(era, year string) int {
	switch {
	case strings.HasPrefix(era, "昭") || era == "S":
		return number(year) + 1925
	case era != "":
		return number(year) + 1988
	}
	return fullYear(year)
}

func fullYear(year string) int {
	switch y := number(year); {
	case y < 70:
		return y + 2000
	case y < 100:
		return y + 1900
	default:
		return y
	}
}

// six returns a serial number in six digits.
func six(serial string) string { return padded(serial, 6) }

// padded returns a serial number in n digits, or more where it has them without leading zeros.
func padded(serial string, n int) string {
	return fmt.Sprintf("%0*s", n, strings.TrimLeft(serial, "0"))
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// Key returns the same for all writings of a number. The kind code is no part of it.
func (n Number) Key() string {
	if n.Year == 0 {
		return n.Country + n.Serial
	}
	return fmt.Sprintf("%s%04d%s", n.Country, n.Year, n.Serial)
}
