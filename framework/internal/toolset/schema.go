package toolset

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schemer is implemented by types that describe themselves, such as unions.
type Schemer interface {
	JSONSchema() *jsonschema.Schema
}

// InputSchema describes an argument struct by the tags of [Decode], and
//
//	minItems:"1"      of a list, maxItems:"9"
//	pattern:"…"       of a text
//	schema:"open"     on the field _: other members are allowed
//
// Bounds of a map or a list are those of what it holds.
//
// What is not required may be null.
func InputSchema(t reflect.Type) *jsonschema.Schema { return structSchema(t, true) }

// outputSchema describes a result struct, or the error instead of it. Members without omitempty are required unless
// tagged optional or members of an embedded pointer. Pointers without omitempty, and members tagged nullable, may be
// null. A field tagged schema:"object" or schema:"objects" is an object, or a list of objects, without further
// description; one tagged schema:"-" is left out.
func outputSchema(t reflect.Type) *jsonschema.Schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := structSchema(t, false)
	failed := structSchema(reflect.TypeFor[Error](), false)
	failed.Description = "Present instead of the other members when the call failed."
	s.Properties["error"] = failed
	s.PropertyOrder = append(s.PropertyOrder, "error")
	s.AnyOf = []*jsonschema.Schema{{Required: s.Required}, {Required: []string{"error"}}}
	s.Required = nil
	return s
}

func structSchema(t reflect.Type, input bool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	closed := input
	for i := range t.NumField() {
		f := field(t.Field(i))
		if f.Name == "_" && f.Tag.Get("schema") == "open" {
			closed = false
		}
		if f.Anonymous && f.name == "" {
			of, optional := f.Type, f.Type.Kind() == reflect.Pointer
			if optional {
				of = of.Elem()
			}
			inner := structSchema(of, input)
			for _, name := range inner.PropertyOrder {
				if s.Properties[name] == nil { // else the struct around has a member of that name
					s.Properties[name] = inner.Properties[name]
					s.PropertyOrder = append(s.PropertyOrder, name)
				}
			}
			if !optional {
				s.Required = append(s.Required, inner.Required...)
			}
			closed = closed && inner.AdditionalProperties != nil
			continue
		}
		if f.name == "" || f.Tag.Get("schema") == "-" {
			continue
		}
		s.Properties[f.name] = fieldSchema(f, input)
		s.PropertyOrder = append(s.PropertyOrder, f.name)
		if required(f, input) {
			s.Required = append(s.Required, f.name)
		}
	}
	if closed {
		s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	return s
}

func required(f argument, input bool) bool {
	if input {
		return f.has("required")
	}
	return !f.has("optional") && !strings.Contains(f.Tag.Get("json"), ",omit")
}

// fieldSchema describes a field according to its tags.
func fieldSchema(f argument, input bool) *jsonschema.Schema {
	s := typeSchema(f, f.Type, input)
	if doc := f.Tag.Get("doc"); doc != "" {
		s.Description = doc
	}
	for _, word := range f.list("enum") {
		s.Enum = append(s.Enum, word)
	}
	bounded := s
	switch {
	case s.Items != nil:
		bounded = s.Items
	case s.AdditionalProperties != nil && f.Type.Kind() == reflect.Map:
		bounded = s.AdditionalProperties
	}
	for tag, bound := range map[string]**float64{"min": &bounded.Minimum, "max": &bounded.Maximum} {
		if input && f.has(tag) && (tag == "min" || mustInt(f.Tag.Get(tag)) != Unbounded) {
			n := float64(mustInt(f.Tag.Get(tag)))
			*bound = &n
		}
	}
	for tag, bound := range map[string]**int{"minLength": &s.MinLength, "maxLength": &s.MaxLength,
		"minItems": &s.MinItems, "maxItems": &s.MaxItems} {
		if f.has(tag) {
			n := mustInt(f.Tag.Get(tag))
			*bound = &n
		}
	}
	s.Pattern += f.Tag.Get("pattern")
	if def, ok := f.Tag.Lookup("default"); ok && input {
		if f.Type.Kind() == reflect.String {
			def = strconv.Quote(def)
		}
		s.Default = json.RawMessage(def)
	}
	omitted := strings.Contains(f.Tag.Get("json"), ",omit")
	nullable := input && !f.has("required") || f.has("nullable") || !input && !omitted &&
		f.Type.Kind() == reflect.Pointer
	if nullable && s.Type != "" && s.Type != "null" {
		s.Type, s.Types = "", []string{s.Type, "null"}
		if len(s.Enum) > 0 {
			s.Enum = append(s.Enum, nil)
		}
	}
	return s
}

func typeSchema(f argument, t reflect.Type, input bool) *jsonschema.Schema {
	if s, ok := reflect.New(t).Interface().(Schemer); ok {
		return s.JSONSchema()
	}
	switch f.Tag.Get("schema") {
	case "object":
		return &jsonschema.Schema{Type: "object"}
	case "objects":
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "object"}}
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return &jsonschema.Schema{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeSchema(f, t.Elem(), input)
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: typeSchema(argument{}, t.Elem(), input)}
	case reflect.Map:
		s := &jsonschema.Schema{Type: "object"}
		if t.Elem().Kind() != reflect.Interface {
			s.AdditionalProperties = typeSchema(argument{}, t.Elem(), input)
		}
		return s
	case reflect.Struct:
		return structSchema(t, input)
	}
	return &jsonschema.Schema{}
}

// BriefDescription returns the description without its example, which errors and the reference page have.
func (t Tool) BriefDescription() string {
	brief, _, _ := strings.Cut(t.Description, " Example: ")
	return brief
}

// briefInput describes an argument struct without obvious constraints: non-empty texts and lists, minimum numbers and
// large maxima, patterns, and defaults of false and 0. Calls are still checked against all of them.
func briefInput(t reflect.Type) *jsonschema.Schema {
	s := InputSchema(t)
	brief(s)
	return s
}

// farMaximum is a maximum that calls hardly ever exceed.
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
			delete(s.Properties, name) // refs from hits may contain them, and they change nothing
			continue
		}
		briefMember(p)
	}
	if s.Items != nil {
		briefMember(s.Items)
	}
}

// briefMember drops the rule that an object inside the arguments has no other members.
func briefMember(s *jsonschema.Schema) {
	brief(s)
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
}

// shortDescription is the maximum length in characters of a result member's description that is sent to clients; longer
// ones are only in the reference page of the tool.
const shortDescription = 40

// briefOutput describes a result without the content of its members.
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
