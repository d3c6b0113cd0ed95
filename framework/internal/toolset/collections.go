package toolset

import (
	"encoding/json"
	"fmt"
)

// Object takes an object; when it is not given its arguments are not either.
func (a *Arguments) Object(name string) (object *Arguments, given bool) {
	n, given := a.Take(name)
	if given && n.Kind != '{' {
		a.Wrong(name, n, "an object")
		n = Value{}
	}
	return a.Enter(name, n), given
}

// IntOrObject takes an integer from low up or an object; both nil when not given.
func (a *Arguments) IntOrObject(name string, low int) (*int, *Arguments) {
	n, given := a.Take(name)
	if n.Kind == '{' || !given {
		return nil, a.Enter(name, n)
	}
	return a.integer(name, n, low, Unbounded, "an object or "), a.Enter(name, Value{})
}

// Enter returns the members of an object as arguments whose problems are those of a.
func (a *Arguments) Enter(name string, n Value) *Arguments {
	in := &Arguments{value: n, prefix: a.prefix + name + ".", problem: a.problem}
	a.inner = append(a.inner, in)
	return in
}

// Number takes a number of any size; nil when not given.
func (a *Arguments) Number(name string) *float64 {
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

// Each takes an object of any keys and calls entry for each of its values that is not null;
// entry returns false for a wrong one.
func (a *Arguments) Each(name, expected string, entry func(key, full string, n Value) bool) (given bool) {
	n, given := a.Take(name)
	if given && n.Kind != '{' {
		a.Wrong(name, n, "an object, each of its values "+expected)
		return true
	}
	for _, m := range n.Members {
		full := name + "." + m.Name
		if m.Kind != 'n' && !entry(m.Name, full, m.Value) {
			a.Wrong(Shorten(full), m.Value, expected)
		}
	}
	return given
}

// Numbers takes numbers by key; nil when not given.
func (a *Arguments) Numbers(name string) map[string]float64 {
	out := map[string]float64{}
	if !a.Each(name, "a number", func(key, _ string, n Value) (ok bool) { out[key], ok = n.Number(); return ok }) {
		return nil
	}
	return out
}

// Ints takes integers by key; nil when not given.
func (a *Arguments) Ints(name string, low, high int) map[string]int {
	out := map[string]int{}
	given := a.Each(name, "an integer", func(key, full string, n Value) bool {
		if i := a.integer(full, n, low, high, ""); i != nil {
			out[key] = *i
		}
		return true
	})
	if !given {
		return nil
	}
	return out
}

// TextLists takes lists of strings by key; nil when not given.
func (a *Arguments) TextLists(name string) map[string][]string {
	out := map[string][]string{}
	if !a.Each(name, "a list of strings", func(key, _ string, n Value) (ok bool) {
		out[key], ok = n.Texts()
		return ok
	}) {
		return nil
	}
	return out
}

// Texts takes a list of strings; nil when not given.
func (a *Arguments) Texts(name string) []string {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	texts, ok := n.Texts()
	if !ok {
		a.Wrong(name, n, "a list of strings")
	}
	return texts
}

// Element is an item of a list: an object, or a string that stands for one.
type Element struct {
	Text   string
	Object *Arguments // nil for a string
}

// Raw takes a value as JSON; nil when not given.
func (a *Arguments) Raw(name string) json.RawMessage {
	n, given := a.Take(name)
	if !given {
		return nil
	}
	raw, err := json.Marshal(n.Plain())
	if err != nil {
		a.Wrong(name, n, "JSON")
	}
	return raw
}

// RequiredElements takes a list of objects and strings that must be given.
func (a *Arguments) RequiredElements(name, expected string) (elements []Element) {
	n, given := a.Take(name)
	switch {
	case !given:
		a.Missing(name, expected)
	case n.Kind != '[':
		a.Wrong(name, n, expected)
	}
	for i, item := range n.Items {
		at := fmt.Sprintf("%s.%d", name, i)
		switch item.Kind {
		case '"':
			elements = append(elements, Element{Text: item.Text})
		case '{':
			elements = append(elements, Element{Object: a.Enter(at, item)})
		default:
			a.Wrong(at, item, "an object or a string")
		}
	}
	return elements
}
