package manuals

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// prefixed returns the paths below the folder that a prefix names, or otherwise those that begin with the prefix. If
// there are none, it fails with not_found.
func prefixed(paths []string, prefix rootfs.Prefix) ([]string, error) {
	if prefix == "" {
		return paths, nil
	}
	name, slash := strings.CutSuffix(string(prefix), "/")
	folder := norm.NFC.String(name) + "/"
	within, alike := []string{}, []string{}
	for _, p := range paths {
		switch composed := norm.NFC.String(p); {
		case strings.HasPrefix(composed, folder):
			within = append(within, p)
		case strings.HasPrefix(composed, folder[:len(folder)-1]):
			alike = append(alike, p)
		}
	}
	if len(within) == 0 && !slash {
		within = alike
	}
	if len(within) == 0 {
		return nil, toolset.Errorf(toolset.NotFound,
			"no file of the manual lies under %s; take a folder from manual_ls", name).
			With("parameter", "path_prefix").With("got", string(prefix)).
			With("did_you_mean", toolset.DidYouMean(name, folders(paths), 3))
	}
	return within, nil
}

// maxPrefixes is the maximum number of prefixes that a needs_narrow_scope error offers. It offers
// those with the most files.
const maxPrefixes = 100

// Prefix is a part of a manual to choose, with its number of files.
type Prefix struct {
	PathPrefix string `json:"path_prefix"`
	Files      int    `json:"files"`
}

// tooWide returns the error that asks for a narrower table of contents, with prefixes to choose from.
func tooWide(manual string, paths []string) *toolset.Error {
	prefixes := branches(paths)
	example, hint := map[string]any{"manual_id": manual, "offset": 0, "limit": 50}, ""
	if len(prefixes) > 0 {
		example = map[string]any{"manual_id": manual, "path_prefix": prefixes[0].PathPrefix}
		hint = "give a path_prefix such as " + prefixes[0].PathPrefix + ", or "
	}
	err := toolset.Errorf(toolset.NeedsNarrowScope, "the manual has %d files, more than the %d of one answer; "+
		"%spage with offset and limit", len(paths), MaxTocFiles, hint).
		Argument("path_prefix", nil, "a path_prefix, or offset and limit").
		With("total_files", len(paths)).With("example", example)
	if more := len(prefixes) - maxPrefixes; more > 0 {
		slices.SortStableFunc(prefixes, func(a, b Prefix) int { return cmp.Compare(b.Files, a.Files) })
		err.With("more_prefixes", more)
		prefixes = prefixes[:maxPrefixes]
	}
	return err.With("prefixes", prefixes)
}

// branches counts files by the first folder in which their paths differ, in order. It does not count files beside those
// folders.
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

// folders lists every folder that contains one of the paths.
func folders(paths []string) []string {
	seen := map[string]bool{}
	for _, p := range paths {
		for dir := path.Dir(p); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
