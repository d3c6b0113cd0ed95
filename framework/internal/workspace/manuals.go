package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const manualsSetting = "MANUALS_ROOT"

// Manuals lists the manuals of the workspace, sorted by id. A manual that the user's configuration names replaces one
// with the same id in the folder of manuals. A folder of manuals that does not exist has none, see [Workspace.Hint].
func (w *Workspace) Manuals(ctx context.Context) ([]corpus.Manual, error) {
	all := []corpus.Manual{}
	for _, root := range w.roots() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := os.Stat(root); os.IsNotExist(err) {
			continue
		}
		found, err := corpus.Manuals(root, w.documents())
		if err != nil {
			return nil, fmt.Errorf("list the manuals of %s: %w", root, err)
		}
		all = append(all, found...)
	}
	all = slices.DeleteFunc(all, func(m corpus.Manual) bool {
		dir := w.manualDirs[m.ID]
		return dir == m.Dir || dir != "" && w.manualRoots == nil // manuals from --manuals hide nothing
	})
	for id, dir := range w.manualDirs {
		all = append(all, corpus.Manual{ID: id, Dir: dir, Documents: w.documents()})
	}
	slices.SortFunc(all, func(a, b corpus.Manual) int { return strings.Compare(a.ID, b.ID) })
	return all, distinct(all)
}

// Aside lists what is in folders of manuals but in none of the manuals, and why.
func (w *Workspace) Aside() (out []toolset.Skip) {
	for _, root := range w.roots() {
		out = append(out, corpus.Aside(root, w.documents())...)
	}
	return out
}

// NewManual returns the folder for a manual that does not exist yet, in the first folder of manuals.
func (w *Workspace) NewManual(id string) (string, error) {
	roots := w.roots()
	if len(roots) == 0 {
		return "", fmt.Errorf("there is no manual %s, and --manuals names no folder of manuals to make it in", id)
	}
	dir := filepath.Join(roots[0], id)
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		return "", fmt.Errorf("%s is no folder, so no manual can be made there", dir)
	}
	found, err := corpus.Manuals(roots[0], w.documents())
	if err == nil && len(found) == 1 && filepath.Dir(found[0].Dir) != filepath.Clean(roots[0]) {
		return "", fmt.Errorf("%s holds files, and so is the manual %s: choose that, or move its files into a folder "+
			"below it", roots[0], found[0].ID)
	}
	return dir, nil
}

// Hint returns a sentence on what a workspace lacks in which nothing can be searched, and what to do. If secret is set,
// it names settings instead of folders, which must not be revealed.
func (w *Workspace) Hint(ctx context.Context, secret bool) string {
	what, do := w.Lack(ctx, secret)
	return what + ": " + do
}

// Lack returns [Workspace.Hint] in two parts.
func (w *Workspace) Lack(ctx context.Context, secret bool) (what, do string) {
	places, root, file := strings.Join(w.roots(), ", "), quote(w.Root), filepath.Join(w.Root, FileName)
	if secret {
		places, root, file = "the folders of MANUALS_ROOT or --manuals", "the workspace's folder", "its "+FileName
	}
	if found, err := w.Manuals(ctx); err == nil && len(found) > 0 {
		return "no manual holds a file that can be searched",
			"put Markdown, JSON, text or documents into one; sagasu doctor lists the files that are " +
				"skipped, and why"
	}
	if n, more := countMarkdown(w.Root); n > 0 && w.manualRoots == nil {
		count := strconv.Itoa(n)
		if more {
			count = "at least " + count
		}
		return fmt.Sprintf("no manuals in %s, but the workspace holds %s Markdown files", places, count),
			"use them as they are: add --manuals " + root + ", or put manuals_root = \".\" into " + file
	}
	if len(w.Aside()) > 0 {
		return "no manuals in " + places, "what lies there is no folder of a manual; sagasu doctor says why"
	}
	return "no manuals in " + places, "put a folder of Markdown, text or documents there, or name one with " +
		"--manuals DIR"
}

// documents returns what reads the documents of manuals, or nil.
func (w *Workspace) documents() corpus.Documents {
	if w.Documents == nil {
		return nil
	}
	return w.Documents
}

func (w *Workspace) roots() []string {
	if w.manualRoots != nil {
		return w.manualRoots
	}
	return []string{w.ManualsRoot}
}

func distinct(sorted []corpus.Manual) error {
	for i := 1; i < len(sorted); i++ {
		if a, b := sorted[i-1], sorted[i]; a.ID == b.ID {
			return toolset.Errorf(toolset.NotAvailable,
				"two manuals are named %s: %s and %s; rename a folder or leave one out", a.ID, a.Dir, b.Dir)
		}
	}
	return nil
}

// placeManuals determines which folders hold manuals.
func (w *Workspace) placeManuals(o LoadOptions, user *file) error {
	w.manualDirs = map[string]string{}
	if len(o.Flags.Manuals) > 0 {
		return w.placeFlags(o)
	}
	if root, err := existingDir(w.ManualsRoot); err == nil {
		if w.Origin(manualsSetting) == "default" && !below(w.Root, root) {
			return fmt.Errorf("%s is a link out of the workspace: if you trust it, name the folder with --manuals",
				w.ManualsRoot)
		}
		w.ManualsRoot = root
	} else if w.Origin(manualsSetting) != "default" {
		return fmt.Errorf("MANUALS_ROOT is %q (%s): it must be a folder that exists", w.ManualsRoot,
			w.Origin(manualsSetting))
	}
	for id, g := range user.manuals {
		dir, err := existingDir(w.resolve(g.raw, g.base))
		if err != nil {
			return fmt.Errorf("manuals.%s is %q (%s): it must be a folder that exists", id, g.raw, g.origin)
		}
		w.manualDirs[id] = dir
		w.origins["manuals."+id] = g.origin
	}
	return nil
}

// placeFlags divides the folders of --manuals into manuals and folders of manuals.
func (w *Workspace) placeFlags(o LoadOptions) error {
	w.manualRoots = []string{}
	for _, given := range o.Flags.Manuals {
		dir, err := existingDir(w.resolve(given, o.Dir))
		if err != nil || given == "" {
			return fmt.Errorf("manuals is %q (flag --manuals): it must be a folder that exists", given)
		}
		single, err := w.holdsFiles(dir)
		switch id := filepath.Base(dir); {
		case err != nil:
			return fmt.Errorf("manuals is %q (flag --manuals): it cannot be read: %w", given, err)
		case single && !plainName(id):
			return fmt.Errorf("manuals is %q (flag --manuals): a manual's folder needs a name", given)
		case !single:
			w.manualRoots = append(w.manualRoots, dir)
		case w.manualDirs[id] != "" && w.manualDirs[id] != dir:
			return fmt.Errorf("two manuals are named %s: %s and %s", id, w.manualDirs[id], dir)
		default:
			w.manualDirs[id] = dir
			w.origins["manuals."+id] = "flag --manuals"
		}
	}
	return nil
}

// holdsFiles reports whether a folder directly holds files of a manual, or imported ones, which makes it a manual.
func (w *Workspace) holdsFiles(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	return corpus.HoldsImports(dir) || slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return e.Type().IsRegular() && corpus.Manual{Documents: w.documents()}.IsFile(e.Name())
	}), err
}

// mostEntries is the maximum number of entries that are searched for Markdown files.
const mostEntries = 10_000

// countMarkdown counts the Markdown files of a folder; more means that there may be more.
func countMarkdown(dir string) (n int, more bool) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, false
	}
	defer root.Close()
	left := mostEntries
	_ = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch left--; {
		case left < 0:
			more = true
			return fs.SkipAll
		case err != nil:
			return nil // what cannot be read is not counted
		case e.IsDir() && name != "." && corpus.LeftOut(e.Name()):
			return fs.SkipDir
		case e.Type().IsRegular() && corpus.IsMarkdown(name):
			n++
		}
		return nil
	})
	return n, more
}

// quote returns a path as one word of a command line.
func quote(path string) string {
	if strings.ContainsAny(path, " '\"$") {
		return strconv.Quote(path)
	}
	return path
}
