package toolset

import (
	"maps"
	"slices"
)

// relocate puts right what is in the wrong place of a call: names that belong into an
// object argument beside it, and an object that is no argument around names that are.
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

// wants reports whether an object is given, must be, or has all that it needs beside it.
func (s shape) wants(call map[string]any, name string) bool {
	needs := s.Properties[name].object().Required
	return call[name] != nil || slices.Contains(s.Required, name) ||
		len(needs) > 0 && !slices.ContainsFunc(needs, func(need string) bool { return !s.isUnknown(call, need) })
}

// gather fills an object argument with what was given beside it.
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

// unwrap takes an object that is no argument for one that is missing and that it has all for, or
// else for a wrapper of the arguments that are missing.
func (s shape) unwrap(call map[string]any, name string, object map[string]any) {
	for _, meant := range s.objects() {
		if inner := s.Properties[meant].object(); call[meant] == nil && len(inner.Required) > 0 &&
			!inner.lacks(object) {
			delete(call, name)
			call[meant] = inner.known(object)
			return
		}
	}
	whole, beside := s.known(object), s.known(call)
	maps.Copy(whole, beside)
	if !s.lacks(whole) && len(whole) > 0 && (s.lacks(call) || len(beside) == 0) {
		delete(call, name)
		maps.Copy(call, whole)
	}
}
