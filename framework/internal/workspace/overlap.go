package workspace

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// indexFolder is where package index keeps index directories below SAGASU_CACHE_DIR.
const indexFolder = "index"

// The kinds of places: those of one kind may overlap.
const (
	ofVault = iota
	ofManuals
	ofPublications
	ofIndex
)

// place is a folder, or a file of publications, that must not overlap one of another kind.
type place struct {
	kind            int
	setting, origin string
	path            string // as it was given
	key             string // by which paths are compared
}

func (w *Workspace) place(kind int, setting, origin, path string) place {
	return place{kind, setting, origin, path, rootfs.Key(resolved(path))}
}

// resolved follows the links of the part of a path that exists.
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

// places lists the vault first and then what it must not overlap.
func (w *Workspace) places() []place {
	of := func(kind int, setting, path string) place { return w.place(kind, setting, w.Origin(setting), path) }
	all := []place{of(ofVault, "VAULT_ROOT", w.VaultRoot)}
	if w.manualRoots == nil {
		all = append(all, of(ofManuals, "MANUALS_ROOT", w.ManualsRoot))
	}
	for _, dir := range w.manualRoots {
		all = append(all, w.place(ofManuals, "--manuals", "flag --manuals", dir))
	}
	for _, id := range slices.Sorted(maps.Keys(w.manualDirs)) {
		all = append(all, of(ofManuals, "manuals."+id, w.manualDirs[id]))
	}
	return append(all, of(ofPublications, "PUBLICATIONS_ROOT", w.PublicationsRoot),
		of(ofIndex, "SAGASU_CACHE_DIR", filepath.Join(w.CacheHome, indexFolder)))
}

func (p place) named() bool { return p.origin != "default" }

func (p place) within(o place) bool { return below(o.key, p.key) }

func (p place) overlaps(o place) bool { return p.kind != o.kind && (p.within(o) || o.within(p)) }

// yields reports whether an overlap does no harm since nobody named p: what somebody
// named goes before it. A vault is off then (see [Workspace.VaultProblem]); manuals and
// publications are only read, and an index within them is passed by.
func (p place) yields(o place) bool {
	if p.named() {
		return false
	}
	read := o.kind == ofManuals || o.kind == ofPublications
	switch p.kind {
	case ofVault:
		return read && o.named()
	case ofIndex:
		return read && p.within(o)
	case ofPublications:
		if o.kind == ofManuals && o.named() {
			return true
		}
	}
	_, err := os.Stat(p.path)
	return err != nil && o.named() && !o.within(p)
}

func (p place) String() string { return fmt.Sprintf("%s is %q (%s)", p.setting, p.path, p.origin) }

// checkOverlaps refuses places of which one lies in another: what one tool writes would
// change what another reads.
func (w *Workspace) checkOverlaps() error {
	all := w.places()
	for i, p := range all {
		for _, o := range all[i+1:] {
			if p.overlaps(o) && !p.yields(o) && !o.yields(p) {
				return fmt.Errorf("%s and %s: they must not overlap", p, o)
			}
		}
	}
	return nil
}

// vaultYields says to what a vault that nobody named gives way.
func (w *Workspace) vaultYields() error {
	all := w.places()
	for _, o := range all[1:] {
		if v := all[0]; v.overlaps(o) && v.yields(o) {
			return fmt.Errorf("%s and %s: they overlap, so there is no vault; "+
				"name another folder with --vault-root", v, o)
		}
	}
	return nil
}
