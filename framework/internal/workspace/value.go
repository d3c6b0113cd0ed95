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

// value is what a setting may hold and where in a Workspace it goes.
type value struct {
	want string // completes "must be …"
	bool bool   // a flag that needs no value
	path bool   // one or more paths, made absolute before they are set
	list string // separator of a list, "" for a single value
	toml func(any) bool
	set  func(w *Workspace, raw string) bool // false: not what is wanted
	show func(w *Workspace) string
}

func isString(v any) bool { _, ok := v.(string); return ok }

func word(field func(*Workspace) *string) value {
	return value{
		want: "text without control characters",
		toml: isString,
		set: func(w *Workspace, raw string) bool {
			*field(w) = raw
			return strings.IndexFunc(raw, unicode.IsControl) < 0
		},
		show: func(w *Workspace) string { return *field(w) },
	}
}

func path(field func(*Workspace) *string) value {
	v := word(field)
	v.want, v.path = "a path", true
	return v
}

func enum(field func(*Workspace) *string, of ...string) value {
	v := word(field)
	v.want = "one of " + strings.Join(of, ", ")
	v.set = func(w *Workspace, raw string) bool {
		*field(w) = strings.ToLower(raw)
		return slices.Contains(of, *field(w))
	}
	return v
}

func integer(low, high int, field func(*Workspace) *int) value {
	return value{
		want: fmt.Sprintf("an integer from %d to %d", low, high),
		toml: func(v any) bool { _, ok := v.(int64); return ok },
		set: func(w *Workspace, raw string) bool {
			n, err := strconv.Atoi(raw)
			*field(w) = n
			return err == nil && n >= low && n <= high
		},
		show: func(w *Workspace) string { return strconv.Itoa(*field(w)) },
	}
}

func float(low, high float64, field func(*Workspace) *float64) value {
	return value{
		want: fmt.Sprintf("a number from %g to %g", low, high),
		toml: isNumber,
		set: func(w *Workspace, raw string) bool {
			f, err := strconv.ParseFloat(raw, 64)
			*field(w) = f
			return err == nil && inRange(f, low, high)
		},
		show: func(w *Workspace) string { return strconv.FormatFloat(*field(w), 'g', -1, 64) },
	}
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

func inRange(f, low, high float64) bool { return !math.IsNaN(f) && f >= low && f <= high }

func boolean(field func(*Workspace) *bool) value {
	return value{
		want: "true or false",
		bool: true,
		toml: func(v any) bool { _, ok := v.(bool); return ok },
		set: func(w *Workspace, raw string) bool {
			on, err := strconv.ParseBool(raw)
			*field(w) = on
			return err == nil
		},
		show: func(w *Workspace) string { return strconv.FormatBool(*field(w)) },
	}
}

func enums(field func(*Workspace) *[]string, of ...string) value {
	return value{
		want: "a list of " + strings.Join(of, ", "),
		list: ",",
		toml: isStrings,
		set: func(w *Workspace, raw string) bool {
			names := split(raw, ",")
			*field(w) = names
			return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(of, n) })
		},
		show: func(w *Workspace) string { return strings.Join(*field(w), ",") },
	}
}

// paths is a list separated as the operating system separates paths.
func paths(field func(*Workspace) *[]string) value {
	separator := string(filepath.ListSeparator)
	return value{
		want: "a list of folders",
		path: true,
		list: separator,
		toml: isStrings,
		set: func(w *Workspace, raw string) bool {
			*field(w) = split(raw, separator)
			return strings.IndexFunc(raw, unicode.IsControl) < 0
		},
		show: func(w *Workspace) string { return strings.Join(*field(w), separator) },
	}
}

// globs is a list of patterns of paths; a comma in braces belongs to its pattern.
func globs(field func(*Workspace) *[]string) value {
	return value{
		want: "a list of globs of paths below LOGIC_ROOT, such as backend/**",
		list: ",",
		toml: isStrings,
		set: func(w *Workspace, raw string) bool {
			*field(w) = repo.Split(raw)
			return repo.Globs{Code: *field(w)}.Check() == nil
		},
		show: func(w *Workspace) string { return strings.Join(*field(w), ",") },
	}
}

// isStrings accepts a string and an array of strings.
func isStrings(v any) bool {
	items, ok := v.([]any)
	return isString(v) || ok && !slices.ContainsFunc(items, func(item any) bool { return !isString(item) })
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
