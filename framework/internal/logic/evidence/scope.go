package evidence

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// mostScopes bounds the paths that a search names.
const mostScopes = 100

// scopes gathers the patterns that files lie in, with the folders that their stars stand
// for: openspec/changes/limits/specs/** for openspec/changes/*/specs/**.
type scopes []scopeOf

type scopeOf struct {
	glob  string
	depth int             // folders before its first **, or before the name of a file
	found map[string]bool // such folders
}

func newScopes(globs repo.Globs) scopes {
	var all scopes
	for _, glob := range globs.All() {
		before, _, _ := strings.Cut(glob, "**")
		all = append(all, scopeOf{glob, strings.Count(before, "/"), map[string]bool{}})
	}
	return all
}

// add counts a file as searched.
func (s scopes) add(file string) {
	for _, x := range s {
		parts := strings.SplitAfterN(file, "/", x.depth+1)
		folders := strings.Join(parts[:min(x.depth, len(parts)-1)], "")
		if !x.found[folders] && doublestar.MatchUnvalidated(x.glob, file) {
			x.found[folders] = true
		}
	}
}

// list returns the patterns, in order of the globs and of the folders.
func (s scopes) list() []string {
	var all []string
	for _, x := range s {
		rest := path.Join(strings.Split(x.glob, "/")[x.depth:]...)
		for _, folders := range slices.Sorted(maps.Keys(x.found)) {
			all = append(all, folders+rest)
		}
	}
	return all[:min(len(all), mostScopes)]
}
