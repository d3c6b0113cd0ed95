package rootfs

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Glob selects files by a pattern: * and ? within a name, ** across folders, [a-z] and {md,json}. A pattern without a
// slash matches names in any folder, unless it begins with ./. One that ends with a slash matches everything in a
// folder. A leading ! selects what the rest does not match.
type Glob struct {
	pattern string
	base    string
	negated bool
}

// EscapeGlob returns a pattern that matches exactly a path.
func EscapeGlob(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`, `{`, `[{]`).Replace(path)
}

// NewGlob parses a pattern relative to the folder base. An empty one selects all files.
func NewGlob(pattern, base string) (Glob, error) {
	rest, negated := strings.CutPrefix(strings.TrimSpace(pattern), "!")
	rest, fixed := strings.CutPrefix(norm.NFC.String(strings.ReplaceAll(rest, `\`, "/")), "./")
	if pattern != "" && rest == "" || !doublestar.ValidatePattern(rest) {
		return Glob{}, toolset.Invalid("glob", pattern, "a pattern such as *.md, drafts/** or !artifacts/daily/**")
	}
	if strings.HasSuffix(rest, "/") {
		rest += "**"
	}
	if rest != "" && !fixed && !strings.Contains(rest, "/") {
		rest = "**/" + rest
	}
	return Glob{rest, base, negated}, nil
}

// Match reports whether the file at a path below the root is selected.
func (g Glob) Match(path string) bool {
	if g.base != "" {
		below, ok := strings.CutPrefix(path, g.base+"/")
		if !ok {
			return false
		}
		path = below
	}
	return g.pattern == "" || doublestar.MatchUnvalidated(g.pattern, norm.NFC.String(path)) != g.negated
}
