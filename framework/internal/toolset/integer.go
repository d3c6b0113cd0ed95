package toolset

import (
	"strconv"
	"strings"
)

// exactInt reads a JSON number that is a whole one, such as 10, 10.0 or 1e1,
// without rounding.
func exactInt(number string) (int, bool) {
	mantissa, exponent, err := splitExponent(number)
	if err != nil {
		return 0, false
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	point := len(whole) + exponent
	switch {
	case strings.Trim(digits, "0") == "":
		return 0, true
	case point <= 0 || point > len(digits)+19:
		return 0, false
	case point > len(digits):
		digits += strings.Repeat("0", point-len(digits))
	}
	if strings.Trim(digits[point:], "0") != "" {
		return 0, false
	}
	sign := ""
	if negative {
		sign = "-"
	}
	n, err := strconv.Atoi(sign + digits[:point])
	return n, err == nil
}

func splitExponent(number string) (mantissa string, exponent int, err error) {
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return number, 0, nil
	}
	exponent, err = strconv.Atoi(number[i+1:])
	return number[:i], exponent, err
}

// textInt reads a string that converts exactly: just the digits that the
// integer itself is written with.
func textInt(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text
}
