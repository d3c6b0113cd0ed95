package git

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// Ignores holds the patterns of the .gitignore files below a root, as gitignore(5) describes them. It reads each
// file once.
type Ignores struct {
	root    *rootfs.Root
	folders map[string][]ignore // patterns from the root down to a folder; the last match decides
}

type ignore struct {
	pattern string // matches a path below the root
	keep    bool   // it revokes an earlier match
	dirs    bool   // matches only folders
}

// NewIgnores returns the patterns below a root. They are read when [Ignores.Match] first needs them.
func NewIgnores(root *rootfs.Root) *Ignores { return &Ignores{root, map[string][]ignore{}} }

// Match reports whether patterns of the folders above a path ignore it. The content of an ignored folder is ignored
// too, so ask about the folder first.
func (g *Ignores) Match(name string, isDir bool) bool {
	all := g.below(path.Dir(name))
	for n := len(all) - 1; n >= 0; n-- {
		if i := all[n]; (isDir || !i.dirs) && doublestar.MatchUnvalidated(i.pattern, name) {
			return !i.keep
		}
	}
	return false
}

// below returns the patterns from the root down to a folder.
func (g *Ignores) below(dir string) []ignore {
	if all, ok := g.folders[dir]; ok {
		return all
	}
	var all []ignore
	if dir != "." {
		all = append(all, g.below(path.Dir(dir))...)
	}
	name := path.Join(dir, ".gitignore")
	if info, err := g.root.Dir().Lstat(filepath.FromSlash(name)); err == nil && info.Mode().IsRegular() {
		src, _ := g.root.ReadFile(name) // an unreadable file ignores nothing
		for line := range strings.Lines(string(src)) {
			if i, ok := parseIgnore(dir, line); ok {
				all = append(all, i)
			}
		}
	}
	g.folders[dir] = all
	return all
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

// braces escapes what is a plain character in a .gitignore; literal escapes all special characters.
var (
	braces  = strings.NewReplacer("{", `\{`, "}", `\}`)
	literal = strings.NewReplacer("{", `\{`, "}", `\}`, "*", `\*`, "?", `\?`, "[", `\[`).Replace
)
