package repo

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ignores are the patterns of the .gitignore files from the root down to a
// folder, as gitignore(5) describes them; the last one that matches decides.
type ignores []ignore

type ignore struct {
	pattern string // matches a path below the root
	keep    bool   // it takes back what an earlier one ignores
	dirs    bool   // only folders
}

// below adds the patterns of the .gitignore of a folder.
func (all ignores) below(dir string, file []byte) ignores {
	added := append(ignores{}, all...)
	for line := range strings.Lines(string(file)) {
		if i, ok := parseIgnore(dir, line); ok {
			added = append(added, i)
		}
	}
	return added
}

func parseIgnore(dir, line string) (ignore, bool) {
	line = strings.TrimRight(strings.TrimPrefix(line, "\ufeff"), "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return ignore{}, false
	}
	i := ignore{}
	line, i.keep = strings.CutPrefix(line, "!")
	line, i.dirs = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if !anchored {
		line = "**/" + line
	}
	i.pattern = path.Join(literal(dir), braces.Replace(line))
	return i, line != "" && doublestar.ValidatePattern(i.pattern)
}

// braces are plain characters in a .gitignore, and literal makes all signs so.
var (
	braces  = strings.NewReplacer("{", `\{`, "}", `\}`)
	literal = strings.NewReplacer("{", `\{`, "}", `\}`, "*", `\*`, "?", `\?`, "[", `\[`).Replace
)

// match reports whether a path is ignored.
func (all ignores) match(name string, isDir bool) bool {
	for n := len(all) - 1; n >= 0; n-- {
		if i := all[n]; (isDir || !i.dirs) && doublestar.MatchUnvalidated(i.pattern, name) {
			return !i.keep
		}
	}
	return false
}
