package toolset

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// argument is a field of an argument struct.
type argument struct {
	name string // "" for a field that is not an argument
	reflect.StructField
}

func field(f reflect.StructField) argument {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" || !f.IsExported() {
		name = ""
	}
	return argument{name, f}
}

func (f argument) has(tag string) bool { _, ok := f.Tag.Lookup(tag); return ok }

func (f argument) list(tag string) []string {
	return strings.FieldsFunc(f.Tag.Get(tag), func(r rune) bool { return r == ',' })
}

// number returns the integer in a tag, or otherwise if there is no such tag.
func (f argument) number(tag string, otherwise int) int {
	if !f.has(tag) {
		return otherwise
	}
	return mustInt(f.Tag.Get(tag))
}

func mustInt(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("toolset: tag: " + err.Error())
	}
	return n
}

// verbatim returns the arguments whose texts go into files.
func verbatim(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if f := field(t.Field(i)); f.has("verbatim") {
			names = append(names, f.name)
		}
	}
	return slices.Clip(names)
}
