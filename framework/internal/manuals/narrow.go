package manuals

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// maxPrefixes is how many prefixes a needs_narrow_scope offers at most, the
// ones with the most files.
const maxPrefixes = 100

// Prefix is a part of a manual to choose, with how many files it has.
type Prefix struct {
	PathPrefix string `json:"path_prefix"`
	Files      int    `json:"files"`
}

// tooWide asks for a narrower table of contents and offers what there is.
func tooWide(manual string, paths []string) *toolset.Error {
	prefixes := branches(paths)
	example := map[string]any{"manual_id": manual, "offset": 0, "limit": 50}
	if len(prefixes) > 0 {
		example = map[string]any{"manual_id": manual, "path_prefix": prefixes[0].PathPrefix}
	}
	err := toolset.Errorf(toolset.NeedsNarrowScope, "the manual has %d files, more than the %d of one answer; give a path_prefix from details.prefixes, or page with offset and limit", len(paths), MaxTocFiles).
		With("parameter", "path_prefix").With("got", nil).With("expected", "a path_prefix, or offset and limit").
		With("total_files", len(paths)).With("example", example)
	if more := len(prefixes) - maxPrefixes; more > 0 {
		slices.SortStableFunc(prefixes, func(a, b Prefix) int { return cmp.Compare(b.Files, a.Files) })
		err.With("more_prefixes", more)
		prefixes = prefixes[:maxPrefixes]
	}
	return err.With("prefixes", prefixes)
}

// branches counts files by the first folder in which their paths differ, in
// order. Files that lie beside those folders are in none.
func branches(paths []string) []Prefix {
	base := ""
	for {
		counts := map[string]int{}
		for _, p := range paths {
			if dir, _, ok := strings.Cut(p[len(base):], "/"); ok {
				counts[base+dir+"/"]++
			}
		}
		found := []Prefix{}
		for prefix, files := range counts {
			found = append(found, Prefix{prefix, files})
		}
		if len(found) != 1 || found[0].Files != len(paths) {
			slices.SortFunc(found, func(a, b Prefix) int { return cmp.Compare(a.PathPrefix, b.PathPrefix) })
			return found
		}
		base = found[0].PathPrefix
	}
}

// folders lists every folder that holds one of the paths.
func folders(paths []string) []string {
	seen := map[string]bool{}
	for _, p := range paths {
		for dir := path.Dir(p); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	all := []string{}
	for dir := range seen {
		all = append(all, dir)
	}
	slices.Sort(all)
	return all
}
