package workspace

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// indexFolder is the folder below SAGASU_CACHE_DIR in which package index keeps index directories.
const indexFolder = "index"

// place is a root, or a manual, that must not overlap a place of another setting.
type place struct {
	Root
	of    string // the setting; places of one setting may overlap
	order int    // among all places
	key   string // for comparing paths
}

// resolved resolves the links in the part of a path that exists.
func resolved(path string) string {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// places lists the written places first, then the read ones and the derived ones.
func (w *Workspace) places() []place {
	byRole := map[string][]place{}
	add := func(of string, r Root) {
		byRole[r.role] = append(byRole[r.role], place{Root: r, of: of, key: rootfs.Key(resolved(r.Path))})
	}
	for _, r := range w.Roots() {
		switch {
		case r.Name == manualsSetting:
			for _, m := range w.manualPlaces(r) {
				add(r.Name, m)
			}
		case r.role == "derived":
			r.Path = filepath.Join(r.Path, indexFolder)
			add(r.Name, r)
		case r.role != "":
			add(r.Name, r)
		}
	}
	all := slices.Concat(byRole["written"], byRole["read"], byRole["derived"])
	for i := range all {
		all[i].order = i
	}
	return all
}

// manualPlaces lists MANUALS_ROOT, or the folders that replace it, and the manuals elsewhere.
func (w *Workspace) manualPlaces(r Root) (all []Root) {
	if w.manualRoots == nil {
		all = append(all, r)
	}
	for _, dir := range w.manualRoots {
		all = append(all, Root{Name: "--manuals", Path: dir, Origin: "flag --manuals", role: r.role})
	}
	for _, id := range slices.Sorted(maps.Keys(w.manualDirs)) {
		name := "manuals." + id
		all = append(all, Root{Name: name, Path: w.manualDirs[id], Origin: w.Origin(name), role: r.role})
	}
	return all
}

func (p place) named() bool { return p.Origin != "default" }

func (p place) within(o place) bool { return below(o.key, p.key) }

func (p place) overlaps(o place) bool { return p.of != o.of && (p.within(o) || o.within(p)) }

// yields reports whether an overlap is harmless because p is a default, which gives way to what the user named. Written
// places are then off (see [Workspace.GivesWay]); the others are only read, and an index within them is ignored.
func (p place) yields(o place) bool {
	switch read := o.role == "read"; {
	case p.named():
		return false
	case p.role == "written":
		return read && o.named()
	case p.role == "derived":
		return read && p.within(o)
	case read && o.order < p.order && o.named():
		return true
	}
	_, err := os.Stat(p.Path)
	return err != nil && o.named() && !o.within(p)
}

func (p place) String() string { return fmt.Sprintf("%s is %q (%s)", p.Name, p.Path, p.Origin) }

// checkOverlaps fails if one place is within another: one tool would write what another reads.
func (w *Workspace) checkOverlaps() error {
	for i, p := range w.placed {
		for _, o := range w.placed[i+1:] {
			if p.overlaps(o) && !p.yields(o) && !o.yields(p) {
				return fmt.Errorf("%s and %s: they must not overlap", p, o)
			}
		}
	}
	return nil
}

// checkWritten fails if a written place is where programs keep what they run: in a .git folder or, unless the user
// named the root, in a hidden folder of the workspace.
func (w *Workspace) checkWritten() error {
	home := rootfs.Key(resolved(w.Root))
	for _, p := range w.placed {
		if p.role != "written" {
			continue
		}
		if slices.Contains(components(p.key), ".git") {
			return fmt.Errorf("%s: it must not lie in a .git folder", p)
		}
		rel, err := filepath.Rel(home, p.key)
		inside := err == nil && filepath.IsLocal(rel) && rel != "."
		hidden := func(name string) bool { return strings.HasPrefix(name, ".") }
		if inside && !w.Named(p.Name) && slices.ContainsFunc(components(rel), hidden) {
			return fmt.Errorf("%s: it must not lie in a hidden folder of the workspace", p)
		}
	}
	return nil
}

func components(path string) []string { return strings.Split(filepath.ToSlash(path), "/") }

// GivesWay returns what a default root overlaps and gives way to, or nil.
func (w *Workspace) GivesWay(root string) error {
	i := slices.IndexFunc(w.placed, func(p place) bool { return p.Name == root })
	for _, o := range w.placed {
		if p := w.placed[i]; p.overlaps(o) && p.yields(o) {
			return fmt.Errorf("%s and %s: they overlap", p, o)
		}
	}
	return nil
}
