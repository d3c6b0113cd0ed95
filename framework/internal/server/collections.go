package server

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// number reads a JSON number, or a string that is written as one.
func (n node) number() (float64, bool) {
	if n.kind != '0' && n.kind != '"' || strings.Trim(n.text, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.text, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// Number takes a number of any size; nil when not given.
func (a *Arguments) Number(name string) *float64 {
	n, given := a.take(name)
	if !given {
		return nil
	}
	f, ok := n.number()
	if !ok {
		a.wrong(name, n, "a number")
		return nil
	}
	return &f
}

// Each takes an object of any keys and hands over every entry but null ones; given
// is false when there is none.
func (a *Arguments) Each(name, expected string, entry func(key, full string, n node) bool) (given bool) {
	n, given := a.take(name)
	if given && n.kind != '{' {
		a.wrong(name, n, "an object, each of its values "+expected)
		return true
	}
	for _, m := range n.members {
		full := name + "." + m.name
		if m.kind != 'n' && !entry(m.name, full, m.node) {
			a.wrong(short(full), m.node, expected)
		}
	}
	return given
}

// Numbers takes numbers by key; nil when not given.
func (a *Arguments) Numbers(name string) map[string]float64 {
	out := map[string]float64{}
	if !a.Each(name, "a number", func(key, _ string, n node) (ok bool) { out[key], ok = n.number(); return ok }) {
		return nil
	}
	return out
}

// Ints takes integers by key; nil when not given.
func (a *Arguments) Ints(name string, low, high int) map[string]int {
	out := map[string]int{}
	given := a.Each(name, "an integer", func(key, full string, n node) bool {
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
	if !a.Each(name, "a list of strings", func(key, _ string, n node) (ok bool) { out[key], ok = n.texts(); return ok }) {
		return nil
	}
	return out
}

// Texts takes a list of strings; nil when not given.
func (a *Arguments) Texts(name string) []string {
	n, given := a.take(name)
	if !given {
		return nil
	}
	texts, ok := n.texts()
	if !ok {
		a.wrong(name, n, "a list of strings")
	}
	return texts
}

func (n node) texts() ([]string, bool) {
	texts := make([]string, len(n.items))
	for i, item := range n.items {
		if item.kind != '"' {
			return nil, false
		}
		texts[i] = item.text
	}
	return texts, n.kind == '['
}

// element is an item of a list: an object, or a string that stands for one.
type element struct {
	text   string
	object *Arguments // nil for a string
}

// RequiredElements takes a list of objects and strings that must be given.
func (a *Arguments) RequiredElements(name, expected string) (elements []element) {
	n, given := a.take(name)
	switch {
	case !given:
		a.missing(name, expected)
	case n.kind != '[':
		a.wrong(name, n, expected)
	}
	for i, item := range n.items {
		at := fmt.Sprintf("%s.%d", name, i)
		switch item.kind {
		case '"':
			elements = append(elements, element{text: item.text})
		case '{':
			elements = append(elements, element{object: a.enter(at, item)})
		default:
			a.wrong(at, item, "an object or a string")
		}
	}
	return elements
}
