package toolset

import (
	"reflect"
	"slices"
)

// Field is an argument as help and reference pages show it.
type Field struct {
	Name, Type, Doc, Default string
	Required                 bool
	Min, Max                 *int
	Enum                     []string
	// Fields are those of an object.
	Fields []Field
}

// Fields lists the arguments of a struct in order.
func Fields(t reflect.Type) (out []Field) {
	for i := range t.NumField() {
		f := field(t.Field(i))
		if f.Anonymous && f.name == "" {
			out = append(out, Fields(f.Type)...)
		}
		if f.name == "" || f.has("ignored") {
			continue
		}
		row := Field{Name: f.name, Doc: f.Tag.Get("doc"), Default: f.Tag.Get("default"), Required: f.has("required"),
			Enum: f.list("enum")}
		for tag, bound := range map[string]**int{"min": &row.Min, "max": &row.Max} {
			if f.has(tag) {
				n := mustInt(f.Tag.Get(tag))
				*bound = &n
			}
		}
		s := fieldSchema(f, true)
		row.Type = s.Type
		if len(s.Types) > 0 {
			row.Type = s.Types[0]
		}
		inner := f.Type
		for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice}, inner.Kind()) {
			inner = inner.Elem()
		}
		if _, own := reflect.New(inner).Interface().(Schemer); inner.Kind() == reflect.Struct && !own {
			row.Fields = Fields(inner)
		}
		out = append(out, row)
	}
	return out
}
