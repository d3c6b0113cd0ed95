package toolset

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Arguments are the arguments of one call. A handler takes each by name and
// then asks Err, which knows the first problem: an argument that nobody took,
// in the order of the call, before one of the wrong type or range, in the
// order of taking. null means not given.
type Arguments struct {
	value   Value
	prefix  string // of dotted names, such as "budget."
	names   []string
	inner   []*Arguments
	problem **Error // the first, shared with inner objects
	paths   []any   // names and texts of paths, in turn
}

// ParseArguments reads the JSON of a call's arguments.
func ParseArguments(raw []byte) (*Arguments, *Error) {
	value, err := parseArguments(raw)
	if err != nil {
		return nil, err
	}
	return Separate(value), nil
}

// Separate returns the arguments of an object whose problems are its own.
func Separate(object Value) *Arguments {
	return &Arguments{value: object, problem: new(*Error)}
}

// Err is the first problem, or nil. It is called after the last argument was taken.
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

// dotted writes names as an error names them.
func (a *Arguments) dotted(names []string) []string {
	full := make([]string, len(names))
	for i, n := range names {
		full[i] = a.prefix + n
	}
	return full
}

// Shorten cuts a text of the caller's to the length in which errors and logs repeat it.
func Shorten(text string) string {
	if runes := []rune(text); len(runes) > maxGotRunes {
		return string(runes[:maxGotRunes]) + "…"
	}
	return text
}

// Find returns a value without taking it.
func (a *Arguments) Find(name string) (Value, bool) { return a.value.Find(name) }

// FullName returns the name of an argument as errors write it, with those of the objects around it.
func (a *Arguments) FullName(name string) string { return a.prefix + name }

// take marks a name as known and gives its value.
func (a *Arguments) Take(name string) (Value, bool) {
	a.names = append(a.names, name)
	return a.value.Find(name)
}

func (a *Arguments) Fail(err *Error) {
	if *a.problem == nil {
		*a.problem = err
	}
}

func (a *Arguments) Wrong(name string, got Value, expected string) {
	a.Fail(Invalid(a.prefix+name, got.Describe(), expected))
}

func (a *Arguments) Missing(name, expected string) {
	a.Fail(Errorf(InvalidParameter, "%s is required: give %s", a.prefix+name, expected).
		Argument(a.prefix+name, nil, expected))
}

// Text takes a string; given is false when there is none.
func (a *Arguments) Text(name string) (text string, given bool) {
	n, given := a.Take(name)
	if given && n.Kind != '"' {
		a.Wrong(name, n, "a string")
		return "", true
	}
	return n.Text, given
}

// Path takes a string that names a file; given is false when there is none.
func (a *Arguments) Path(name string) (path string, given bool) {
	path, given = a.Text(name)
	if path != "" {
		a.paths = append(a.paths, name, Shorten(path))
	}
	return path, given
}

// Paths returns the names and texts, in turn and shortened, of the paths that were taken with
// [Arguments.Path], without those inside objects: they are what the log says of a call.
func (a *Arguments) Paths() []any { return a.paths }

// RequiredText takes a string that must be given; it may be empty.
func (a *Arguments) RequiredText(name, expected string) string {
	text, given := a.Text(name)
	if !given {
		a.Missing(name, expected)
	}
	return text
}

// FilledText takes a string that may be absent but not blank.
func (a *Arguments) FilledText(name string) string {
	text, given := a.Text(name)
	if given && strings.TrimSpace(text) == "" {
		a.Wrong(name, Value{Kind: '"', Text: text}, "a string that is not empty")
	}
	return text
}

// RequiredFilledText takes a string that must be given and not blank.
func (a *Arguments) RequiredFilledText(name, expected string) string {
	if _, given := a.value.Find(name); !given {
		return a.RequiredText(name, expected)
	}
	return a.FilledText(name)
}

// Choice takes one of the given words, "" when not given.
func (a *Arguments) Choice(name string, of ...string) string {
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

// Bool takes a boolean and nothing that resembles one; nil when not given.
func (a *Arguments) Bool(name string) *bool {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	if n.Kind != 't' && n.Kind != 'f' {
		a.Wrong(name, n, "a boolean, true or false")
	}
	value := n.Kind == 't'
	return &value
}

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

// Object takes an object; when it is not given its arguments are not either.
func (a *Arguments) Object(name string) (object *Arguments, given bool) {
	n, given := a.Take(name)
	if given && n.Kind != '{' {
		a.Wrong(name, n, "an object")
		n = Value{}
	}
	return a.Enter(name, n), given
}

// RequiredObject takes an object that must be given.
func (a *Arguments) RequiredObject(name, expected string) *Arguments {
	object, given := a.Object(name)
	if !given {
		a.Missing(name, expected)
	}
	return object
}

// IntOrObject takes an integer from low up or an object; both nil when not given.
func (a *Arguments) IntOrObject(name string, low int) (*int, *Arguments) {
	n, given := a.Take(name)
	if n.Kind == '{' || !given {
		return nil, a.Enter(name, n)
	}
	return a.integer(name, n, low, Unbounded, "an object or "), a.Enter(name, Value{})
}

func (a *Arguments) Enter(name string, n Value) *Arguments {
	in := &Arguments{value: n, prefix: a.prefix + name + ".", problem: a.problem}
	a.inner = append(a.inner, in)
	return in
}

// Ignore takes arguments that a result carries and a call may hand back
// unused; each is of one of the given JSON kinds.
func (a *Arguments) Ignore(name, expected string, kinds ...jsontext.Kind) {
	if n, given := a.Take(name); given && !slices.Contains(kinds, n.Kind) {
		a.Wrong(name, n, expected)
	}
}
