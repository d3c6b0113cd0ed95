package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/corpus"
	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/workspace"
)

// roots lists the folders of the workspace.
func (r *Report) roots(w *workspace.Workspace) {
	for _, root := range []Root{
		{Name: "WORKSPACE_ROOT", Path: w.Root}, {Name: "MANUALS_ROOT", Path: w.ManualsRoot},
		{Name: "VAULT_ROOT", Path: w.VaultRoot}, {Name: "SAGASU_CACHE_DIR", Path: w.CacheHome},
	} {
		_, err := os.Stat(root.Path)
		root.Exists, root.Origin = err == nil, w.Origin(root.Name)
		r.Roots = append(r.Roots, root)
	}
}

// settings lists the configuration as it came out.
func (r *Report) settings(w *workspace.Workspace) {
	for _, e := range w.Effective() {
		r.Settings = append(r.Settings, Setting{e.Name, e.Value, e.Origin})
	}
	for name, s := range w.Strategies {
		name = "strategies." + name
		if s.Enabled != nil {
			r.Settings = append(r.Settings, Setting{name + ".enabled", strconv.FormatBool(*s.Enabled), w.Origin(name + ".enabled")})
		}
		if s.Weight != nil {
			r.Settings = append(r.Settings, Setting{name + ".weight", strconv.FormatFloat(*s.Weight, 'g', -1, 64), w.Origin(name + ".weight")})
		}
	}
	own := len(w.Effective())
	slices.SortFunc(r.Settings[own:], func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
}

// manuals lists the manuals; a workspace without any is broken.
func (r *Report) manuals(ctx context.Context, w *workspace.Workspace) {
	found, err := w.Manuals(ctx)
	for _, m := range found {
		r.Manuals = append(r.Manuals, Manual{m.ID, m.Dir})
	}
	switch {
	case err != nil:
		r.broken(fault.From(err).Message, "")
	case len(found) == 0:
		r.noManuals(w)
	case w.DefaultManualID != "" && !slices.ContainsFunc(found, func(m corpus.Manual) bool { return m.ID == w.DefaultManualID }):
		r.broken(fmt.Sprintf("DEFAULT_MANUAL_ID is %q, and there is no such manual", w.DefaultManualID),
			"correct it where it was set: "+w.Origin("DEFAULT_MANUAL_ID"))
	}
}

func (r *Report) noManuals(w *workspace.Workspace) {
	if n, more := countMarkdown(w.Root); n > 0 {
		count := strconv.Itoa(n)
		if more {
			count = "at least " + count
		}
		r.broken(fmt.Sprintf("there is no folder %s, but the workspace holds %s Markdown files", w.ManualsRoot, count),
			"use them as they are: add --manuals "+quote(w.Root)+", or put manuals_root = \".\" into "+filepath.Join(w.Root, workspace.FileName))
		return
	}
	r.broken(w.Hint(), "")
}

// mostEntries bounds how far a folder is searched for Markdown files.
const mostEntries = 10_000

// countMarkdown counts the Markdown files of a folder; more says that it gave up.
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

// quote makes a path one word of a command line.
func quote(path string) string {
	if strings.ContainsAny(path, " '\"$") {
		return strconv.Quote(path)
	}
	return path
}
