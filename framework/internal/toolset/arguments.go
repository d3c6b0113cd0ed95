package toolset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Arguments are the arguments of one call, which [Decode] reads into a struct. Each is taken by name; Err then returns
// the first problem: an argument that was not taken, in the order of the call, before one of the wrong type or range,
// in the order of taking. null counts as missing.
type Arguments struct {
	value   Value
	prefix  string // of dotted names, such as "budget."
	names   []string
	inner   []*Arguments
	problem **Error // the first, shared with inner objects
	paths   []any   // pairs of name and text of paths
}

// ParseArguments parses the arguments of a call. Nothing and null are an empty object. It fails for anything except one
// well-formed object without duplicate names.
func ParseArguments(raw []byte) (*Arguments, *Error) {
	if len(raw) > maxArgumentBytes {
		most := "at most %d bytes of JSON; write a longer text in pieces, with vault_write and mode append"
		return nil, Invalid("arguments", fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf(most, maxArgumentBytes))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return Separate(Value{Kind: '{'}), nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	value, err := readValue(d, 0)
	if err == nil {
		err = atEnd(d)
	}
	switch {
	case err != nil:
		return nil, malformed(err)
	case value.Kind == 'n':
		value = Value{Kind: '{'}
	case value.Kind != '{':
		return nil, Invalid("arguments", value.Describe(), "a JSON object")
	}
	return Separate(value), nil
}

// Separate returns the members of an object as arguments with an Err of their own.
func Separate(object Value) *Arguments {
	return &Arguments{value: object, problem: new(*Error)}
}

// Err returns the first problem, or nil. Call it after the last argument was taken.
func (a *Arguments) Err() error {
	if err := a.unknown(); err != nil {
		return err
	}
	if *a.problem != nil {
		return *a.problem
	}
	return nil
}

func (a *Arguments) unknown() error {
	for _, m := range a.value.Members {
		if !slices.Contains(a.names, m.Name) {
			return a.unknownName(m)
		}
	}
	for _, in := range a.inner {
		if err := in.unknown(); err != nil {
			return err
		}
	}
	return nil
}

func (a *Arguments) unknownName(m Member) error {
	name, expected := Shorten(a.prefix+m.Name), "no arguments"
	if len(a.names) > 0 {
		expected = "one of " + strings.Join(a.dotted(a.names), ", ")
	}
	close := a.dotted(DidYouMean(m.Name, a.names, 3))
	if len(close) == 0 {
		return Errorf(InvalidParameter, "%s is not an argument here; use %s", name, expected).
			Argument(name, m.Describe(), expected)
	}
	return Errorf(InvalidParameter, "%s is not an argument here; did you mean %s?", name, close[0]).
		Argument(name, m.Describe(), expected).With("did_you_mean", close)
}

// dotted returns names as they appear in errors.
func (a *Arguments) dotted(names []string) []string {
	full := make([]string, len(names))
	for i, n := range names {
		full[i] = a.prefix + n
	}
	return full
}

// Find returns a value without taking it.
func (a *Arguments) Find(name string) (Value, bool) { return a.value.find(name) }

// FullName returns the name of an argument as it appears in errors, including the names of the objects around it.
func (a *Arguments) FullName(name string) string { return a.prefix + name }

// Take returns the value of an argument and marks its name as known.
func (a *Arguments) Take(name string) (Value, bool) {
	a.names = append(a.names, name)
	return a.value.find(name)
}

// Fail reports a problem; the first one counts.
func (a *Arguments) Fail(err *Error) {
	if *a.problem == nil {
		*a.problem = err
	}
}

// Wrong reports an argument of the wrong type or range.
func (a *Arguments) Wrong(name string, got Value, expected string) {
	a.Fail(Invalid(a.prefix+name, got.Describe(), expected))
}

// missing reports an argument that must be given.
func (a *Arguments) missing(name, expected string) {
	a.Fail(Errorf(InvalidParameter, "%s is required: give %s", a.prefix+name, expected).
		Argument(a.prefix+name, nil, expected))
}

// Either requires one of two arguments, a thing or a list of such things. expected says what to give if both are
// missing.
func (a *Arguments) Either(one, several, expected string) {
	_, first := a.Find(one)
	list, second := a.Find(several)
	switch {
	case first && second:
		a.Fail(Errorf(InvalidParameter, "%s and %s exclude each other; leave one out", one, several).
			Argument(several, list.Describe(), "left out beside "+one))
	case !first && !second:
		a.missing(one, expected)
	}
}

// Ignore takes an argument that results have and that a call may send back unused. It must be of one of the given JSON
// kinds.
func (a *Arguments) Ignore(name, expected string, kinds ...jsontext.Kind) {
	if n, given := a.Take(name); given && !slices.Contains(kinds, n.Kind) {
		a.Wrong(name, n, expected)
	}
}
