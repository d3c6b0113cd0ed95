package lexical

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// numbers are digits with the separators in between, such as 10, 1.0, 10:30 and 2019-10-24.
var numbers = lazyregexp.New(`\d+(?:[^\pL\pM\pN\pS]+\d+)*`)

// leastDigits is the minimum number of digits of a number that may also be written without its separators, such as a
// date, a postcode or a telephone number: 03-1234-5678 is 0312345678, but 2-1 is not 21.
const leastDigits = 7

// LooseForm returns a normalised text without separators, except those in numbers whose meaning depends on them:
// numbers with a dot, such as 1.0, or with few digits, such as 10:30.
func LooseForm(norm string) string {
	var b strings.Builder
	end := 0
	for _, at := range numbers().FindAllStringIndex(norm, -1) {
		number := norm[at[0]:at[1]]
		if digits := text.Loose(number); len(digits) >= leastDigits && !strings.Contains(number, ".") {
			number = digits
		}
		b.WriteString(text.Loose(norm[end:at[0]]) + number)
		end = at[1]
	}
	return b.String() + text.Loose(norm[end:])
}

// HoldsLoose reports whether a normalised text contains needle, which is in loose form (see [LooseForm]), when
// separators in the text are ignored. It does not match inside a different number: 35 in 3.5, 1.0 in 11.0 or 2.1.0.
func HoldsLoose(norm, needle string) bool {
	for from := 0; ; {
		start, end := text.IndexLoose(norm[from:], needle)
		if start < 0 {
			return false
		}
		start, end, from = from+start, from+end, from+start+1
		if inNumber(norm, start, needle) || inNumber(norm, end, needle) {
			continue
		}
		if found := norm[start:end]; found == needle || slices.Equal(numbersOf(LooseForm(found)), numbersOf(needle)) {
			return true
		}
	}
}

func numbersOf(s string) []string { return numbers().FindAllString(s, -1) }

// inNumber reports whether the digits before and after at belong to one number. A dot or a separator of needle may be
// between them: 3.5 ends at the hyphen of 3.5-4.0.
func inNumber(norm string, at int, needle string) bool {
	joins := func(i int) bool {
		return i > 0 && i+1 < len(norm) && isDigit(norm[i-1]) && isDigit(norm[i+1]) &&
			(norm[i] == '.' || text.IsSeparator(rune(norm[i])) && strings.IndexByte(needle, norm[i]) >= 0)
	}
	return at > 0 && at < len(norm) && isDigit(norm[at-1]) && isDigit(norm[at]) || joins(at-1) || joins(at)
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
