package evidence

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sagasu-search/sagasu/framework/corpus/repo"
)

// mostScopes bounds the paths that a search names.
const mostScopes = 100

// scopes are the patterns that a repository's files lie in, with the folders that their
// stars stand for: openspec/changes/limits/specs/** for openspec/changes/*/specs/**.
func scopes(globs repo.Globs, files []string) []string {
	var all []string
	for _, glob := range slices.Concat(globs.Code, globs.Changes, globs.Specs) {
		depth := strings.Count(strings.Split(glob, "**")[0], "/")
		found := map[string]bool{}
		for _, file := range files {
			if name := narrowed(glob, file, depth); !found[name] && doublestar.MatchUnvalidated(glob, file) {
				found[name] = true
			}
		}
		all = append(all, slices.Sorted(maps.Keys(found))...)
	}
	return all[:min(len(all), mostScopes)]
}

// narrowed is a pattern with the first folders of a file in place of its own.
func narrowed(glob, file string, depth int) string {
	folders := strings.SplitN(file, "/", depth+1)
	rest := strings.Split(glob, "/")[depth:]
	return path.Join(append(folders[:min(depth, len(folders))], rest...)...)
}
