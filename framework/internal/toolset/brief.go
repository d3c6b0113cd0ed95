package toolset

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// briefInput describes an argument struct without bounds that go without saying: texts and lists that
// are not empty, numbers from 0 or 1 on. Calls are checked against all of it.
func briefInput(t reflect.Type) *jsonschema.Schema {
	s := InputSchema(t)
	brief(s)
	return s
}

func brief(s *jsonschema.Schema) {
	if s.Minimum != nil && (*s.Minimum == 0 || *s.Minimum == 1) {
		s.Minimum = nil
	}
	s.MinLength, s.MinItems = nil, nil
	for name, p := range s.Properties {
		if name == "target" || name == "signals" {
			delete(s.Properties, name) // a ref may bring them along from hits, and they change nothing
			continue
		}
		brief(p)
		if p.AdditionalProperties != nil && p.AdditionalProperties.Not != nil {
			p.AdditionalProperties = nil
		}
	}
	if s.Items != nil {
		brief(s.Items)
	}
}

// briefOutput describes a result without what lies inside its members.
func briefOutput(s *jsonschema.Schema) *jsonschema.Schema {
	out := &jsonschema.Schema{
		Type: s.Type, PropertyOrder: s.PropertyOrder, AnyOf: s.AnyOf, Properties: map[string]*jsonschema.Schema{},
	}
	for name, member := range s.Properties {
		m := &jsonschema.Schema{Type: member.Type, Types: member.Types, Description: member.Description}
		if member.Items != nil {
			m.Items = &jsonschema.Schema{Type: member.Items.Type, Types: member.Items.Types}
		}
		out.Properties[name] = m
	}
	out.Properties["error"] = &jsonschema.Schema{Type: "object"}
	return out
}
