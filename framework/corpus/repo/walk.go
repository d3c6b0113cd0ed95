package repo

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/rootfs"
)

// File is a file that belongs to a repository's code or specifications.
type File struct {
	Path    string // relative to the root, '/'-separated, as stored
	Kind    Kind
	Size    int64 // in bytes
	ModTime int64 // in nanoseconds since 1970
}

// Skip is a file or folder in the globs that is left out, and why; a folder
// ends with a slash and stands for all that it holds.
type Skip struct{ Path, Reason string }

// Walk lists the files below a root that the globs name, and those left out,
// both in path order. Whether a file's content is code only reading can tell.
func Walk(ctx context.Context, dir string, globs Globs) ([]File, []Skip, error) {
	if err := globs.Check(); err != nil {
		return nil, nil, err
	}
	root, err := rootfs.Open(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open the repository: %w", err)
	}
	defer root.Close()
	w := &walker{root: root, globs: globs}
	if err := w.dir(ctx, "", nil); err != nil {
		return nil, nil, fmt.Errorf("walk the repository: %w", err)
	}
	slices.SortFunc(w.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(w.skips, func(a, b Skip) int { return cmp.Compare(a.Path, b.Path) })
	return w.files, w.skips, nil
}

type walker struct {
	root  *rootfs.Root
	globs Globs
	files []File
	skips []Skip
}

// dir visits a folder; only the root's own failure and a cancelled context end the walk.
func (w *walker) dir(ctx context.Context, dir string, above ignores) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := w.root.ReadDir(dir)
	if err != nil {
		if dir == "" {
			return err
		}
		w.skip(dir+"/", fault.From(err).Message)
		return nil
	}
	ignored := above
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" && e.Type().IsRegular() }) {
		if src, err := w.root.ReadFile(path.Join(dir, ".gitignore")); err == nil {
			ignored = above.below(dir, src)
		}
	}
	for _, e := range entries {
		if err := w.entry(ctx, path.Join(dir, e.Name()), e, ignored); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(ctx context.Context, name string, e fs.DirEntry, ignored ignores) error {
	if !e.IsDir() {
		w.file(name, e, ignored)
		return nil
	}
	if e.Name() == ".git" || !w.globs.reaches(name) {
		return nil
	}
	if reason := w.folder(name, ignored); reason != "" {
		w.skip(name+"/", reason)
		return nil
	}
	return w.dir(ctx, name, ignored)
}

// folder says why nothing below a folder belongs, "" where something may.
func (w *walker) folder(name string, ignored ignores) string {
	switch {
	case rootfs.Unaskable(name) != "":
		return rootfs.Unaskable(name)
	case ignored.match(name, true):
		return Ignored
	case archived(name):
		return Archived
	case w.globs.kind(name+"/x") == Code:
		return folder(name)
	}
	return ""
}

func (w *walker) file(name string, e fs.DirEntry, ignored ignores) {
	kind := w.globs.kind(name)
	if kind == 0 {
		return
	}
	info, err := e.Info()
	reason := leftOut(name, kind)
	switch {
	case e.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		reason = Link
	case err != nil:
		reason = "cannot be read: " + err.Error()
	case !info.Mode().IsRegular():
		reason = "not a regular file"
	case rootfs.Unaskable(name) != "":
		reason = rootfs.Unaskable(name)
	case ignored.match(name, false):
		reason = Ignored
	}
	if reason != "" {
		w.skip(name, reason)
		return
	}
	w.files = append(w.files, File{name, kind, info.Size(), info.ModTime().UnixNano()})
}

func (w *walker) skip(name, reason string) { w.skips = append(w.skips, Skip{name, reason}) }
