package rootfs

import (
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Clean returns the path that a caller gave as the argument param in its normal form: relative, '/'-separated, without
// "." and empty components. It reads a backslash as '/' and removes surrounding white space. An empty or absolute path,
// a drive letter, control characters, invalid UTF-8 and ".." are invalid_path. Clean(Clean(p)) == Clean(p).
func Clean(param, path string) (string, *toolset.Error) {
	if clean(path) {
		return path, nil
	}
	slashed := strings.TrimSpace(strings.ReplaceAll(path, `\`, "/"))
	if problem := syntax(slashed); problem != "" {
		return "", invalid(param, path, problem)
	}
	kept := []string{}
	for part := range strings.SplitSeq(slashed, "/") {
		switch part {
		case "", ".":
		case "..":
			return "", invalid(param, path, `must not contain ".."`)
		default:
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return "", invalid(param, path, "must not be empty")
	}
	return cleanAgain(param, path, strings.Join(kept, "/"))
}

// clean reports whether a path is already in normal form, as those found by a walk usually are.
func clean(path string) bool {
	return fs.ValidPath(path) && path != "." && strings.TrimSpace(path) == path && !strings.Contains(path, `\`) &&
		syntax(path) == ""
}

// cleanAgain cleans what removing "." components has exposed: white space at an end, or a drive letter at the front.
func cleanAgain(param, given, cleaned string) (string, *toolset.Error) {
	if trimmed := strings.TrimSpace(cleaned); trimmed != cleaned || syntax(cleaned) != "" {
		again, err := Clean(param, trimmed)
		if err != nil {
			return "", err.With("got", given)
		}
		return again, nil
	}
	return cleaned, nil
}

// RoundTrips reports whether the file stored under path can be requested by it, see [Unaskable].
func RoundTrips(path string) bool { return Unaskable(path) == "" }

// Unaskable returns why the file stored under path cannot be requested by it, or "": a requested path is cleaned first
// and would then name something else.
func Unaskable(path string) string {
	switch {
	case strings.ContainsFunc(path, unicode.IsControl):
		return "its name holds a line break or another control character"
	case strings.Contains(path, `\`):
		return "its name holds a backslash"
	case !utf8.ValidString(path):
		return "its name is not UTF-8"
	case slices.ContainsFunc(strings.Split(path, "/"), padded):
		return "its name begins or ends with white space"
	case drive().MatchString(path):
		return "its name begins like a drive letter"
	}
	if !clean(path) {
		return "its name cannot be asked for"
	}
	return ""
}

// UnaskableIn is [Unaskable] for a name in a folder that can be requested, "" for the root. It only looks at the name,
// since deep trees have long paths.
func UnaskableIn(dir, name string) string {
	if ordinary(name) {
		return ""
	}
	if dir != "" {
		name = "d/" + name // a drive letter can only be at the front of a path
	}
	return Unaskable(name)
}

// ordinary reports whether a name consists of ASCII letters, digits, '-', '_' and '.', as most do.
func ordinary(name string) bool {
	for _, c := range []byte(name) {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return name != "" && name != "." && name != ".."
}

func padded(name string) bool { return strings.TrimSpace(name) != name }

// Key returns a path in the form by which names are compared: composed (NFC) and case-folded.
func Key(path string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(path)))
}

// drive matches a drive letter at the front of a path: "C:/a", "c:a", but not the name "c::a".
var drive = lazyregexp.New(`^[A-Za-z]:([^:]|$)`)

func syntax(path string) string {
	switch {
	case path == "":
		return "must not be empty"
	case path[0] == '/':
		return "must be relative, not absolute"
	case drive().MatchString(path):
		return "must be relative, without a drive letter"
	case strings.ContainsFunc(path, unicode.IsControl):
		return "must not contain NUL or control characters"
	case !utf8.ValidString(path):
		return "must be valid UTF-8"
	}
	return ""
}

func invalid(param, got, problem string) *toolset.Error {
	return toolset.Errorf(toolset.InvalidPath, "%s %s; give a path relative to its root, such as guide/setup.md", param,
		problem).
		With("parameter", param).With("got", got).With("expected", "a relative path with '/' between its components")
}
