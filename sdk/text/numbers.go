package text

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// notNumeral is the value of characters that are not numerals.
const notNumeral = -1

// numerals are the values of the kanji numerals: 0 to 9, or a power of ten.
var numerals = map[rune]int64{
	'〇': 0, '零': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
	'十': 10, '百': 100, '千': 1000, '万': 1e4, '億': 1e8, '兆': 1e12,
}

// numeral returns the value of an ASCII digit or a kanji numeral.
func numeral(r rune) int64 {
	if r >= '0' && r <= '9' {
		return int64(r - '0')
	}
	if v, ok := numerals[r]; ok {
		return v
	}
	return notNumeral
}

// digits converts a run of digits and numerals to ASCII digits: 二〇二六, 千二百, 1万2,000, 12百万. It
// returns "" if the run is not a number.
func digits(run string) string {
	if !strings.ContainsAny(run, "十百千万億兆") {
		return positional(run)
	}
	var sum, group, value int64 // totals: of the whole run, since the last of 万億兆, since the last power
	big, small := int64(math.MaxInt64), int64(math.MaxInt64)
	open := false // value holds digits not yet multiplied
	for rest := run; rest != ""; {
		part, tail := leadingDigits(rest)
		if part != "" {
			v, err := strconv.ParseInt(positional(part), 10, 64)
			if open || err != nil || v > 1e12 {
				return ""
			}
			value, open, rest = v, true, tail
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		power := numeral(r)
		if power < 1e4 {
			if power >= small {
				return ""
			}
			if !open {
				value = 1
			}
			group, small = group+value*power, power
		} else {
			group += value
			if power >= big || group == 0 || group > math.MaxInt64/4/power {
				return ""
			}
			sum, group, big, small = sum+group*power, 0, power, math.MaxInt64
		}
		value, open, rest = 0, false, rest[size:]
	}
	return strconv.FormatInt(sum+group+value, 10)
}

// leadingDigits splits off the digits, kanji digits and commas that run starts with.
func leadingDigits(run string) (part, rest string) {
	for i, r := range run {
		if numeral(r) >= 10 {
			return run[:i], run[i:]
		}
	}
	return run, ""
}

// positional converts digits one by one. They must be all kanji or all ASCII; ASCII digits may have
// commas between groups. Otherwise it returns "".
func positional(run string) string {
	if strings.Contains(run, ",") {
		if !grouped(run) {
			return ""
		}
		run = strings.ReplaceAll(run, ",", "")
	}
	out := make([]byte, 0, 20)
	for _, r := range run {
		if (r < utf8.RuneSelf) != (run[0] < utf8.RuneSelf) {
			return ""
		}
		out = append(out, byte('0'+numeral(r)))
	}
	return string(out)
}

// romanDigits converts a Roman numeral from 1 to 39 to ASCII digits.
func romanDigits(s string) (string, bool) {
	tens := 0
	ones := s
	for strings.HasPrefix(ones, "x") && tens < 3 {
		ones, tens = ones[1:], tens+1
	}
	for v, form := range [...]string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"} {
		if form == ones && s != "" && s != "x" {
			return strconv.Itoa(tens*10 + v), true
		}
	}
	return "", false
}
