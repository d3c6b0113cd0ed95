package toolset

import (
	"fmt"
	"math"
	"strconv"
)

// Unbounded is the high end of a range without one.
const Unbounded = math.MaxInt32

// Int takes an integer from low to high; nil when not given. 10.0 and "10" are
// integers, 10.5, "10.5", true and "" are not.
func (a *Arguments) Int(name string, low, high int) *int {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	return a.integer(name, n, low, high, "")
}

func (a *Arguments) integer(name string, n Value, low, high int, orElse string) *int {
	value, ok := 0, false
	switch n.Kind {
	case '0':
		value, ok = exactInt(n.Text)
	case '"':
		value, ok = textInt(n.Text)
	}
	if !ok || value < low || value > high {
		expected := integerRange(low, high)
		if ok && value > high {
			expected = fmt.Sprintf("an integer from %d to %d", low, high)
		}
		err := Invalid(a.prefix+name, n.Describe(), orElse+expected)
		if ok {
			err = err.With("nearest", min(max(value, low), high))
		}
		a.Fail(err)
		return nil
	}
	return &value
}

func integerRange(low, high int) string {
	if low == math.MinInt && high == math.MaxInt {
		return "an integer"
	}
	if high == Unbounded {
		return fmt.Sprintf("an integer, %d or more", low)
	}
	return fmt.Sprintf("an integer from %d to %d", low, high)
}

// exactInt reads a JSON number that is a whole one, such as 10, 10.0 or 1e1.
func exactInt(number string) (int, bool) {
	f, err := strconv.ParseFloat(number, 64)
	return int(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<63
}

// textInt reads a string that converts exactly: just the digits that the
// integer itself is written with.
func textInt(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text
}
