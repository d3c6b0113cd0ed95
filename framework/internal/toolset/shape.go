package toolset

import (
	"cmp"
	"maps"
	"slices"
)

// shape is the part of an input schema that determines what a call needs.
type shape struct {
	Required   []string
	Properties map[string]shape
	AnyOf      []shape
}

// object returns the shape of an object, also if null is allowed instead.
func (s shape) object() shape {
	for _, one := range s.AnyOf {
		if one.Properties != nil {
			return one
		}
	}
	return s
}

// fill adds what is required and missing, and removes optional objects that cannot be completed.
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
		if property.object().incomplete(deeper) && !slices.Contains(s.Required, name) {
			delete(call, name)
		}
	}
}

// incomplete reports whether a required argument is missing.
func (s shape) incomplete(call map[string]any) bool {
	return slices.ContainsFunc(s.Required, func(name string) bool { return call[name] == nil })
}

// optional reports whether an argument may be missing.
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

// objects returns the arguments that are objects, required ones first.
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

// relocate corrects misplaced members of a call: names that belong in an object argument next to it, and an unknown
// object around names that are arguments.
func (s shape) relocate(call map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(call)) {
		if object, ok := call[name].(map[string]any); ok && s.isUnknown(call, name) {
			s.unwrap(call, name, object)
		}
	}
	moved := map[string]bool{}
	for _, surely := range []bool{true, false} {
		for _, name := range s.objects() {
			if inner := s.Properties[name].object(); !surely || s.wants(call, name) {
				s.gather(call, name, inner, moved)
			}
		}
		for name := range moved {
			delete(call, name)
		}
	}
}

// wants reports whether an object is given, is required, or has everything that it needs next to it.
func (s shape) wants(call map[string]any, name string) bool {
	needs := s.Properties[name].object().Required
	return call[name] != nil || slices.Contains(s.Required, name) ||
		len(needs) > 0 && !slices.ContainsFunc(needs, func(need string) bool { return !s.isUnknown(call, need) })
}

// gather fills an object argument with members that were given next to it.
func (s shape) gather(call map[string]any, name string, inner shape, moved map[string]bool) {
	object, ok := call[name].(map[string]any)
	if !ok && call[name] != nil {
		return
	}
	found := map[string]any{}
	for part := range inner.Properties {
		if s.isUnknown(call, part) {
			found[part], moved[part] = call[part], true
		}
	}
	if len(found) > 0 {
		maps.Copy(found, object)
		call[name] = found
	}
}

// unwrap uses an unknown object as a missing object argument if it has everything for it, or else as a wrapper of
// missing arguments.
func (s shape) unwrap(call map[string]any, name string, object map[string]any) {
	for _, meant := range s.objects() {
		if inner := s.Properties[meant].object(); call[meant] == nil && len(inner.Required) > 0 &&
			!inner.incomplete(object) {
			delete(call, name)
			call[meant] = inner.known(object)
			return
		}
	}
	whole, beside := s.known(object), s.known(call)
	maps.Copy(whole, beside)
	if !s.incomplete(whole) && len(whole) > 0 && (s.incomplete(call) || len(beside) == 0) {
		delete(call, name)
		maps.Copy(call, whole)
	}
}
