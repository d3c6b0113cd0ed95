package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Manual is a folder of files with an id. Its [Source] decides which files belong to it; in a manual, they are
// Markdown, JSON, other text and documents.
type Manual struct {
	ID   string
	Dir  string // absolute, links resolved
	Only string // the only file that belongs to it; "" for the whole folder
	// Documents reads the files that must be converted, or is nil.
	Documents Documents
}

// Manuals lists the manuals: the directories directly below root, sorted by id. A root that itself holds files of
// manuals, and whose directories hold none, is one manual named after the folder. A missing root is the error
// not_available; an empty one has no manuals. documents, if not nil, reads further files.
func Manuals(root string, documents Documents) ([]Manual, error) {
	real, err := filepath.Abs(root)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	entries, unread := os.ReadDir(real)
	if err != nil || unread != nil {
		return nil, noManuals()
	}
	all := Manual{ID: folderID(real), Dir: real, Documents: documents}
	found := []Manual{}
	for _, e := range entries { // which are sorted
		if e.IsDir() && !LeftOut(e.Name()) && rootfs.RoundTrips(e.Name()) {
			found = append(found, Manual{ID: e.Name(), Dir: filepath.Join(real, e.Name()), Documents: documents})
		}
	}
	if HoldsImports(real) || all.isOne(entries, found) {
		return []Manual{all}, nil
	}
	return found, nil
}

// Aside lists what is in a root of manuals, an absolute path, but in none of its manuals, and why.
func Aside(root string, documents Documents) (out []toolset.Skip) {
	found, err := Manuals(root, documents)
	real, broken := filepath.EvalSymlinks(root)
	isOne := func(m Manual) bool { return m.Dir == real }
	if err != nil || broken != nil || slices.ContainsFunc(found, isOne) {
		return nil
	}
	all := Manual{Dir: root, Documents: documents}
	entries, _ := os.ReadDir(root) // could be read before
	for _, e := range entries {
		name, why := e.Name(), ""
		belongs := all.IsFile(name) || all.Unread(name) != ""
		target, err := os.Stat(filepath.Join(root, name))
		switch {
		case LeftOut(name) || err != nil:
		case e.Type()&fs.ModeSymlink != 0 && (belongs || target.IsDir()):
			why = "symbolic link"
		case e.IsDir():
			why = rootfs.Unaskable(name)
		case belongs:
			why = "it lies beside the folders of manuals, and in none of them"
		}
		if why != "" {
			out = append(out, toolset.Skip{Path: name, Reason: why})
		}
	}
	return out
}

// noManuals returns the error for a root of manuals that is not a readable folder, with what to do. It names the
// setting rather than the folder, which only concerns the host.
func noManuals() *toolset.Error {
	return toolset.Errorf(toolset.NotAvailable, "there are no manuals: the folder of MANUALS_ROOT (--manuals DIR) is "+
		"missing or cannot be read; create it with one folder of Markdown, text or documents per manual, or set it "+
		"to where they are").
		With("parameter", "MANUALS_ROOT").With("expected", "an existing folder").
		With("hint", "a folder that itself holds .md files is taken as one manual")
}

// Find returns the manual with the id that a caller gave, in any Unicode form; an unknown one is the error not_found
// with did_you_mean.
func Find(manuals []Manual, id string) (Manual, error) {
	cleaned, bad := rootfs.Clean("manual_id", id)
	if bad != nil {
		return Manual{}, bad
	}
	ids := make([]string, len(manuals))
	for i, m := range manuals {
		if ids[i] = m.ID; m.ID == cleaned {
			return m, nil
		}
	}
	for _, m := range manuals {
		if norm.NFC.String(m.ID) == norm.NFC.String(cleaned) {
			return m, nil
		}
	}
	near := toolset.DidYouMean(cleaned, ids, 3)
	return Manual{}, toolset.Errorf(toolset.NotFound, "there is no manual %q; manual_ls lists the manuals", cleaned).
		With("parameter", "manual_id").With("got", id).With("expected", "the id of a manual").With("did_you_mean", near)
}

// isOne reports whether the folder, which holds entries, is one manual rather than a folder of the manuals found in it:
// it has files of its own, and they have none. Markdown and JSON decide before other files, such as a robots.txt beside
// folders.
func (m Manual) isOne(entries []fs.DirEntry, found []Manual) bool {
	chiefly := func(name string) bool { return IsMarkdown(name) || IsJSON(name) }
	unread := func(name string) bool { return m.Unread(name) != "" }
	for _, belongs := range []func(name string) bool{chiefly, m.IsFile, unread} {
		below := slices.ContainsFunc(found, func(m Manual) bool { return holdsFiles(m.Dir, belongs) })
		if holdsDirectly(entries, belongs) || below {
			return !below
		}
	}
	return false
}

// folderID returns the id of a manual named after its folder.
func folderID(dir string) string {
	if name := filepath.Base(dir); rootfs.RoundTrips(name) {
		return name
	}
	return "manual"
}

// holdsFiles reports whether a file anywhere below dir belongs.
func holdsFiles(dir string, belongs func(name string) bool) bool {
	entries, _ := os.ReadDir(dir)
	return holdsDirectly(entries, belongs) || slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() && !LeftOut(e.Name()) && holdsFiles(filepath.Join(dir, e.Name()), belongs)
	})
}

// holdsDirectly reports whether a file among the entries of a folder belongs.
func holdsDirectly(entries []fs.DirEntry, belongs func(name string) bool) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type().IsRegular() && belongs(e.Name()) })
}

// LeftOut reports whether a folder with that name holds no manual text: hidden folders, such as .git, and installed
// packages.
func LeftOut(name string) bool {
	return strings.HasPrefix(name, ".") || strings.EqualFold(name, "node_modules")
}
