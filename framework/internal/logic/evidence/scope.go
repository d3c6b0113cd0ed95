package evidence

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// mostScopes bounds the paths that a search names.
const mostScopes = 100

// scopes returns the patterns that files lie in, with the folders that their stars stand
// for: openspec/changes/limits/specs/** for openspec/changes/*/specs/**.
func scopes(globs repo.Globs, files []string) (all []string) {
	for _, glob := range globs.All() {
		before, _, _ := strings.Cut(glob, "**")
		depth := strings.Count(before, "/") // folders before the first **, or before the name of a file
		rest, from := path.Join(strings.Split(glob, "/")[depth:]...), len(all)
		for _, file := range files {
			if doublestar.MatchUnvalidated(glob, file) {
				parts := strings.SplitAfterN(file, "/", depth+1)
				all = append(all, strings.Join(parts[:min(depth, len(parts)-1)], "")+rest)
			}
		}
		slices.Sort(all[from:])
		all = append(all[:from], slices.Compact(all[from:])...)
	}
	return all[:min(len(all), mostScopes)]
}
