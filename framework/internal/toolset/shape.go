package toolset

import (
	"cmp"
	"maps"
	"slices"
)

// shape is the part of an input schema that says what a call needs.
type shape struct {
	Required   []string
	Properties map[string]shape
	AnyOf      []shape
}

// object returns the shape of an object, also where null may stand instead.
func (s shape) object() shape {
	for _, one := range s.AnyOf {
		if one.Properties != nil {
			return one
		}
	}
	return s
}

// fill adds what is required and missing, and leaves out what is not required and
// cannot be filled.
func (s shape) fill(call, typical map[string]any) {
	for _, name := range s.Required {
		if call[name] == nil {
			call[name] = typical[name]
		}
	}
	for name, property := range s.Properties {
		deeper, given := call[name].(map[string]any)
		if !given {
			continue
		}
		inner, _ := typical[name].(map[string]any)
		property.object().fill(deeper, inner)
		if property.object().lacks(deeper) && !slices.Contains(s.Required, name) {
			delete(call, name)
		}
	}
}

func (s shape) lacks(call map[string]any) bool {
	return slices.ContainsFunc(s.Required, func(name string) bool { return call[name] == nil })
}

// optional reports whether an argument need not be given.
func (s shape) optional(path []string) bool {
	if len(path) > 1 {
		return s.Properties[path[0]].object().optional(path[1:])
	}
	return !slices.Contains(s.Required, path[0])
}

// isUnknown reports whether a name of the call is not an argument.
func (s shape) isUnknown(call map[string]any, name string) bool {
	_, known := s.Properties[name]
	return call[name] != nil && !known
}

// objects returns the arguments that are objects, those that must be given first.
func (s shape) objects() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if s.Properties[name].object().Properties != nil {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(slices.Index(s.Required, b), slices.Index(s.Required, a))
	})
	return names
}

// known returns the members of a call that are arguments.
func (s shape) known(call map[string]any) map[string]any {
	out := maps.Clone(call)
	maps.DeleteFunc(out, func(name string, _ any) bool { _, known := s.Properties[name]; return !known })
	return out
}
