package workspace

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// value is what a setting may hold, bound to the field of a Workspace that holds it.
type value struct {
	want string // completes "must be …"
	bool bool   // a flag that needs no value
	path bool   // one or more paths, made absolute before they are set
	list string // separator of a list, "" for a single value
	toml func(any) bool
	set  func(raw string) bool // false: not what is wanted
	show func() string
}

// single is a value that parse reads from one text.
func single[T any](field *T, want string, toml func(any) bool, parse func(raw string) (T, bool)) value {
	return value{
		want: want,
		toml: toml,
		set:  func(raw string) (ok bool) { *field, ok = parse(raw); return ok },
		show: func() string { return fmt.Sprint(*field) },
	}
}

func word(field *string) value {
	return single(field, "text without control characters", is[string],
		func(raw string) (string, bool) { return raw, isPlain(raw) })
}

func path(field *string) value {
	v := word(field)
	v.want, v.path = "a path", true
	return v
}

func enum(field *string, of ...string) value {
	return single(field, "one of "+strings.Join(of, ", "), is[string], func(raw string) (string, bool) {
		raw = strings.ToLower(raw)
		return raw, slices.Contains(of, raw)
	})
}

func integer(field *int, low, high int) value {
	want := fmt.Sprintf("an integer from %d to %d", low, high)
	return single(field, want, is[int64], func(raw string) (int, bool) {
		n, err := strconv.Atoi(raw)
		return n, err == nil && n >= low && n <= high
	})
}

func float(field *float64, low, high float64) value {
	want := fmt.Sprintf("a number from %g to %g", low, high)
	isNumber := func(v any) bool { return is[int64](v) || is[float64](v) }
	return single(field, want, isNumber, func(raw string) (float64, bool) {
		f, err := strconv.ParseFloat(raw, 64)
		return f, err == nil && inRange(f, low, high)
	})
}

func boolean(field *bool) value {
	v := single(field, "true or false", is[bool], func(raw string) (bool, bool) {
		on, err := strconv.ParseBool(raw)
		return on, err == nil
	})
	v.bool = true
	return v
}

// several is a list that parse reads from one text.
func several(field *[]string, want, separator string, parse func(raw string) ([]string, bool)) value {
	v := single(field, want, isStrings, parse)
	v.list = separator
	v.show = func() string { return strings.Join(*field, separator) }
	return v
}

// words are names separated by commas; who uses them knows which there are.
func words(field *[]string) value {
	return several(field, "a list of names", ",", func(raw string) ([]string, bool) { return split(raw, ","), true })
}

// paths is a list separated as the operating system separates paths.
func paths(field *[]string) value {
	separator := string(filepath.ListSeparator)
	v := several(field, "a list of folders", separator, func(raw string) ([]string, bool) {
		return split(raw, separator), isPlain(raw)
	})
	v.path = true
	return v
}

// globList is a list of patterns of paths; a comma in braces belongs to its pattern.
func globList(field *[]string) value {
	want := "a list of globs of paths below LOGIC_ROOT, such as backend/**"
	return several(field, want, ",", func(raw string) ([]string, bool) {
		patterns := repo.Split(raw)
		return patterns, repo.Globs{Code: patterns}.Check() == nil
	})
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func inRange(f, low, high float64) bool { return !math.IsNaN(f) && f >= low && f <= high }

// isPlain reports whether a text holds no control characters.
func isPlain(text string) bool { return strings.IndexFunc(text, unicode.IsControl) < 0 }

// isStrings accepts a string and an array of strings.
func isStrings(v any) bool {
	items, ok := v.([]any)
	return is[string](v) || ok && !slices.ContainsFunc(items, func(item any) bool { return !is[string](item) })
}

// split cuts a list into its non-empty items.
func split(raw, separator string) []string {
	items := []string{}
	for item := range strings.SplitSeq(raw, separator) {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}
