package toolset

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// BriefDescription returns the description without its example: errors and the reference page have one.
func (t Tool) BriefDescription() string {
	brief, _, _ := strings.Cut(t.Description, " Example: ")
	return brief
}

// briefInput describes an argument struct without bounds that go without saying: texts and lists that
// are not empty, least numbers and far maxima, digits of a hash, false and 0 as defaults. Calls are checked against all
// of it.
func briefInput(t reflect.Type) *jsonschema.Schema {
	s := InputSchema(t)
	brief(s)
	return s
}

// farMaximum is what hardly a call goes beyond.
const farMaximum = 1000

func brief(s *jsonschema.Schema) {
	s.Minimum, s.MinLength, s.MinItems, s.Pattern = nil, nil, nil, ""
	if s.Maximum != nil && *s.Maximum > farMaximum {
		s.Maximum = nil
	}
	if d := string(s.Default); d == "false" || d == "0" {
		s.Default = nil
	}
	for _, one := range s.AnyOf {
		briefMember(one)
	}
	for name, p := range s.Properties {
		if name == "target" || name == "signals" {
			delete(s.Properties, name) // a ref may bring them along from hits, and they change nothing
			continue
		}
		briefMember(p)
	}
	if s.Items != nil {
		briefMember(s.Items)
	}
}

// briefMember leaves out that an object inside the arguments has no other members.
func briefMember(s *jsonschema.Schema) {
	brief(s)
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
}

// shortDescription is how many characters a description of a result's member has at most that clients are
// sent; longer ones stand in the reference page of the tool.
const shortDescription = 40

// briefOutput describes a result without what lies inside its members.
func briefOutput(s *jsonschema.Schema) *jsonschema.Schema {
	out := &jsonschema.Schema{
		Type: s.Type, PropertyOrder: s.PropertyOrder, AnyOf: s.AnyOf, Properties: map[string]*jsonschema.Schema{},
	}
	for name, member := range s.Properties {
		m := &jsonschema.Schema{Type: member.Type, Types: member.Types}
		if utf8.RuneCountInString(member.Description) <= shortDescription {
			m.Description = member.Description
		}
		out.Properties[name] = m
	}
	out.Properties["error"] = &jsonschema.Schema{Type: "object"}
	return out
}
