package workspace

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Parser is a type of setting that parses its own text. Lists are shown with commas.
type Parser interface {
	ParseSetting(raw string) error
}

// setting is a field of a struct in a [Schema], with its tags.
type setting struct {
	reflect.StructTag
	name  string
	field reflect.Value
}

// key returns the setting's name in a TOML file.
func (s setting) key() string { return strings.ToLower(s.name) }

// flag returns the setting's name on a command line.
func (s setting) flag() string { return strings.ReplaceAll(s.key(), "_", "-") }

func (s setting) isPath() bool { return s.Get("kind") == "path" }

func (s setting) isList() bool { return s.field.Kind() == reflect.Slice }

// forGuests reports whether a workspace's own file may set it.
func (s setting) forGuests() bool { _, ok := s.Lookup("guest"); return ok }

// private reports whether its text must not be shown.
func (s setting) private() bool { _, ok := s.Lookup("private"); return ok }

// standard returns the default as text: that of the tag, or what the schema's struct holds.
func (s setting) standard() string {
	if def, ok := s.Lookup("default"); ok || s.field.IsZero() {
		return def
	}
	return s.show()
}

// separator returns the separator of a list's items: the system's for paths, otherwise a comma.
func (s setting) separator() string {
	if s.isPath() {
		return string(filepath.ListSeparator)
	}
	return ","
}

// want completes "it must be …".
func (s setting) want() string {
	switch kind := s.field.Kind(); {
	case s.Get("want") != "":
		return s.Get("want")
	case s.Get("enum") != "":
		return "one of " + strings.ReplaceAll(s.Get("enum"), ",", ", ")
	case kind == reflect.Bool:
		return "true or false"
	case kind == reflect.Int:
		return fmt.Sprintf("an integer from %s to %s", s.Get("min"), s.Get("max"))
	case kind == reflect.Float64:
		return fmt.Sprintf("a number from %s to %s", s.Get("min"), s.Get("max"))
	case s.isPath() && s.isList():
		return "a list of folders"
	case s.isPath():
		return "a path"
	case s.isList():
		return "a list of names"
	}
	return "text without control characters"
}

// set parses a text into the field. It reports whether the text is valid.
func (s setting) set(raw string) bool {
	if own, ok := s.field.Addr().Interface().(Parser); ok {
		return own.ParseSetting(raw) == nil
	}
	switch s.field.Kind() {
	case reflect.Bool:
		on, err := strconv.ParseBool(raw)
		s.field.SetBool(on)
		return err == nil
	case reflect.Int:
		n, err := strconv.Atoi(raw)
		s.field.SetInt(int64(n))
		return err == nil && s.bounds(float64(n))
	case reflect.Float64:
		x, err := strconv.ParseFloat(raw, 64)
		s.field.SetFloat(x)
		return err == nil && s.bounds(x)
	case reflect.Slice:
		s.field.Set(reflect.ValueOf(split(raw, s.separator())))
		return isPlain(raw)
	}
	words := s.Get("enum")
	if words != "" {
		raw = strings.ToLower(raw)
	}
	s.field.SetString(raw)
	return isPlain(raw) && (words == "" || slices.Contains(strings.Split(words, ","), raw))
}

// bounds reports whether a number is from min to max; NaN is not.
func (s setting) bounds(x float64) bool {
	low, err := strconv.ParseFloat(s.Get("min"), 64)
	high, err2 := strconv.ParseFloat(s.Get("max"), 64)
	if err != nil || err2 != nil {
		panic("workspace: the tags of " + s.name + " lack min or max")
	}
	return inRange(x, low, high)
}

func (s setting) show() string {
	if !s.isList() {
		return fmt.Sprint(s.field.Interface())
	}
	items := []string{}
	for _, item := range s.field.Seq2() {
		items = append(items, item.String())
	}
	return strings.Join(items, s.separator())
}

// takes reports whether a TOML value has the setting's type.
func (s setting) takes(v any) bool {
	switch s.field.Kind() {
	case reflect.Bool:
		return is[bool](v)
	case reflect.Int:
		return is[int64](v)
	case reflect.Float64:
		return is[int64](v) || is[float64](v)
	case reflect.Slice:
		items, ok := v.([]any)
		return is[string](v) || ok && !slices.ContainsFunc(items, func(item any) bool { return !is[string](item) })
	}
	return is[string](v)
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func inRange(x, low, high float64) bool { return x >= low && x <= high }

// isPlain reports whether a text has no control characters.
func isPlain(text string) bool { return strings.IndexFunc(text, unicode.IsControl) < 0 }

// split splits a list into its non-empty items.
func split(raw, separator string) []string {
	items := []string{}
	for item := range strings.SplitSeq(raw, separator) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}
