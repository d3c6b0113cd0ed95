package toolset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Unbounded is the upper bound of a range that has none.
const Unbounded = math.MaxInt32

// Int takes an integer from low to high, or nil if it is missing. 10.0 and "10" are integers; 10.5, "10.5", true and ""
// are not.
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
		expected := fmt.Sprintf("an integer from %d to %d", low, high)
		switch {
		case low == math.MinInt && high == math.MaxInt:
			expected = "an integer"
		case high == Unbounded && (!ok || value < low):
			expected = fmt.Sprintf("an integer, %d or more", low)
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

// exactInt parses a JSON number that is an integer, such as 10, 10.0 or 1e1.
func exactInt(number string) (int, bool) {
	f, err := strconv.ParseFloat(number, 64)
	return int(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<63
}

// textInt parses a string that is written exactly like the integer.
func textInt(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text
}

// number takes a number of any size, or nil if it is missing.
func (a *Arguments) number(name string) *float64 {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	f, ok := n.Number()
	if !ok {
		a.Wrong(name, n, "a number")
		return nil
	}
	return &f
}

// Text takes a string; given is false if it is missing or null.
func (a *Arguments) Text(name string) (text string, given bool) {
	n, given := a.Take(name)
	if given && n.Kind != '"' {
		a.Wrong(name, n, "a string")
		return "", true
	}
	return n.Text, given
}

// filledText takes a string that may be missing but not blank.
func (a *Arguments) filledText(name string) string {
	text, given := a.Text(name)
	if given && strings.TrimSpace(text) == "" {
		a.Wrong(name, Value{Kind: '"', Text: text}, "a string that is not empty")
	}
	return text
}

// choice takes one of the given words, or "" if it is missing.
func (a *Arguments) choice(name string, of ...string) string {
	n, given := a.Take(name)
	if !given || n.Kind == '"' && slices.Contains(of, n.Text) {
		return n.Text
	}
	err := Invalid(a.prefix+name, n.Describe(), "one of "+strings.Join(of, ", "))
	if close := DidYouMean(n.Text, of, 3); len(close) > 0 {
		err = err.With("did_you_mean", close)
	}
	a.Fail(err)
	return ""
}

// Path takes a string that names a file; given is false if it is missing or null.
func (a *Arguments) Path(name string) (path string, given bool) {
	path, given = a.Text(name)
	if path != "" {
		a.paths = append(a.paths, name, Shorten(path))
	}
	return path, given
}

// Paths returns pairs of name and shortened text of the paths taken with [Arguments.Path], except those inside objects,
// for the log.
func (a *Arguments) Paths() []any { return a.paths }
