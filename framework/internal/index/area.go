package index

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"
)

// area is a set of paths with everything below them; "" means everything. The paths are sorted, each
// ends in a slash, and none is below another. So only one of them can cover a path: the last that
// does not sort after it.
type area []string

// newArea returns the area of paths, whose separators are the operating system's.
func newArea(paths iter.Seq[string]) (a area) {
	var all []string
	for p := range paths {
		all = append(all, slashed(p))
	}
	slices.Sort(all)
	for _, p := range all {
		if len(a) == 0 || !strings.HasPrefix(p, a[len(a)-1]) {
			a = append(a, p)
		}
	}
	return a
}

// covers reports whether path is one of the area's or below one of them.
func (a area) covers(path string) bool {
	path = slashed(path)
	i, found := slices.BinarySearch(a, path)
	return found || i > 0 && strings.HasPrefix(path, a[i-1])
}

// below returns the area within a folder, relative to it.
func (a area) below(dir string) area {
	dir = slashed(dir)
	if a.covers(dir) {
		return area{""}
	}
	var out area
	for _, p := range a {
		if rel, ok := strings.CutPrefix(p, dir); ok {
			out = append(out, rel)
		}
	}
	return out
}

// paths returns the paths without the slashes at their ends.
func (a area) paths() []string {
	var out []string
	for _, p := range a {
		out = append(out, strings.TrimSuffix(p, "/"))
	}
	return out
}

// slashed returns a path with slashes between and after its names, or "" for "".
func slashed(path string) string {
	if path = filepath.ToSlash(path); path != "" && !strings.HasSuffix(path, "/") {
		path += "/"
	}
	return path
}
