package toolset

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// Object takes an object with members. If it is missing, so are its arguments.
func (a *Arguments) Object(name string, members ...string) (object *Arguments, given bool) {
	n, given := a.Take(name)
	if given && n.Kind != '{' {
		expected := "an object"
		if len(members) > 0 {
			expected += " with " + strings.Join(members, ", ")
		}
		a.Wrong(name, n, expected)
		n = Value{}
	}
	return a.enter(name, n), given
}

// IntOrObject takes an integer from low up, or an object; both are nil if it is missing.
func (a *Arguments) IntOrObject(name string, low int) (*int, *Arguments) {
	n, given := a.Take(name)
	if n.Kind == '{' || !given {
		return nil, a.enter(name, n)
	}
	return a.integer(name, n, low, Unbounded, "an object or "), a.enter(name, Value{})
}

// enter returns the members of an object as arguments that report their problems to a.
func (a *Arguments) enter(name string, n Value) *Arguments {
	in := &Arguments{value: n, prefix: a.prefix + name + ".", problem: a.problem}
	a.inner = append(a.inner, in)
	return in
}

// mapOf takes an object with any keys. value reads each of its values, and returns false for a wrong one; null values
// are left out. It returns nil if the object is missing.
func mapOf[V any](a *Arguments, name, expected string, value func(full string, n Value) (V, bool)) map[string]V {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	if n.Kind != '{' {
		a.Wrong(name, n, "an object, each of its values "+expected)
	}
	out := map[string]V{}
	for _, m := range n.Members {
		full := name + "." + m.Name
		if m.Kind == 'n' {
			continue
		}
		if v, ok := value(full, m.Value); ok {
			out[m.Name] = v
		} else {
			a.Wrong(Shorten(full), m.Value, expected)
		}
	}
	return out
}

// Numbers takes numbers by key, or nil if they are missing.
func (a *Arguments) Numbers(name string) map[string]float64 {
	return mapOf(a, name, "a number", func(_ string, n Value) (float64, bool) { return n.Number() })
}

// Ints takes integers by key, or nil if they are missing.
func (a *Arguments) Ints(name string, low, high int) map[string]int {
	return mapOf(a, name, "an integer", func(full string, n Value) (int, bool) {
		i := a.integer(full, n, low, high, "")
		return *cmp.Or(i, new(int)), i != nil
	})
}

// Texts takes a list of strings, or nil if it is missing.
func (a *Arguments) Texts(name string) []string {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	texts, ok := n.texts()
	if ok {
		return texts
	}
	for i, item := range n.Items {
		if item.Kind != '"' {
			a.Wrong(fmt.Sprintf("%s[%d]", name, i), item, "a string")
			return nil
		}
	}
	a.Wrong(name, n, "a list of strings")
	return nil
}

// Element is an item of a list: an object, or a string instead of one.
type Element struct {
	Text   string
	Object *Arguments // nil for a string
}

// Raw takes a value as JSON, or nil if it is missing.
func (a *Arguments) Raw(name string) json.RawMessage {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	raw, err := json.Marshal(n.plain())
	if err != nil {
		a.Wrong(name, n, "JSON")
	}
	return raw
}

// RequiredElements takes a required list of objects and strings.
func (a *Arguments) RequiredElements(name, expected string) (elements []Element) {
	n, given := a.Take(name)
	switch {
	case !given:
		a.missing(name, expected)
	case n.Kind != '[':
		a.Wrong(name, n, expected)
	}
	for i, item := range n.Items {
		at := fmt.Sprintf("%s.%d", name, i)
		switch item.Kind {
		case '"':
			elements = append(elements, Element{Text: item.Text})
		case '{':
			elements = append(elements, Element{Object: a.enter(at, item)})
		default:
			a.Wrong(at, item, "an object or a string")
		}
	}
	return elements
}
