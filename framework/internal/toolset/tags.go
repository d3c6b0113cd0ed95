package toolset

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// argument is a field of an argument struct.
type argument struct {
	name string // "" for a field that is no argument
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

// bounds are those of an integer.
func (f argument) bounds() (low, high int) {
	low, high = 0, Unbounded
	if f.has("min") {
		low = mustInt(f.Tag.Get("min"))
	}
	if f.has("max") {
		high = mustInt(f.Tag.Get("max"))
	}
	return low, high
}

// limit is an upper bound that a tag sets.
func (f argument) limit(tag string) int {
	if !f.has(tag) {
		return Unbounded
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

// verbatim are the arguments whose texts go into files.
func verbatim(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if f := field(t.Field(i)); f.has("verbatim") {
			names = append(names, f.name)
		}
	}
	return slices.Clip(names)
}
