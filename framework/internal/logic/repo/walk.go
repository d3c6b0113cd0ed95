package repo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// File is a file that belongs to a repository's code or specifications: its path
// relative to the root as stored, its size and times.
type File struct {
	snapshot.File
	Kind Kind
}

// Ruled reports whether a rule leaves it out, and not that it cannot be read.
func Ruled(s toolset.Skip) bool {
	return slices.Contains([]string{Ignored, Archived, Test, Vendored, Generated, Lock, Binary, Hidden, Link}, s.Reason)
}

// Walk lists the files below a root that the globs name, and those left out,
// both in path order. Whether a file's content is code only reading can tell.
func Walk(ctx context.Context, dir string, globs Globs) ([]File, []toolset.Skip, error) {
	return WalkAt(ctx, dir, globs, []string{""}, nil)
}

// WalkAt is [Walk] for what is at or below some paths as stored on disk; "" is the
// whole root, and what does not exist is left out. enter, if not nil, is called with
// the path of each folder before it is read.
func WalkAt(ctx context.Context, dir string, globs Globs, paths []string,
	enter func(dir string)) ([]File, []toolset.Skip, error) {
	if err := globs.Check(); err != nil {
		return nil, nil, err
	}
	root, err := rootfs.Open(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open the repository: %w", err)
	}
	defer root.Close()
	w := newWalker(root, globs)
	if enter != nil {
		w.enter = enter
	}
	for _, p := range paths {
		if err := w.at(ctx, p); err != nil {
			return nil, nil, fmt.Errorf("walk the repository: %w", err)
		}
	}
	slices.SortFunc(w.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(w.skips, func(a, b toolset.Skip) int { return cmp.Compare(a.Path, b.Path) })
	return w.files, w.skips, nil
}

// maxLooked bounds how many entries [Holds] looks at.
const maxLooked = 20_000

// Holds reports whether a folder holds a file that the globs name, judging by its first entries.
func Holds(ctx context.Context, dir string, globs Globs) bool {
	root, err := rootfs.Open(dir)
	if err != nil || globs.Check() != nil {
		return false
	}
	defer root.Close()
	w := newWalker(root, globs)
	w.first, w.left = true, maxLooked
	_ = w.dir(ctx, "", nil)
	return len(w.files) > 0
}

type walker struct {
	root  *rootfs.Root
	globs Globs
	enter func(dir string)
	files []File
	skips []toolset.Skip

	first bool // end at the first file, or after left entries
	left  int
}

func newWalker(root *rootfs.Root, globs Globs) *walker {
	return &walker{root: root, globs: globs, enter: func(string) {}}
}

var errEnough = errors.New("enough was seen")

// at visits what is at a path, unless a folder above it is left out.
func (w *walker) at(ctx context.Context, name string) error {
	if name == "" {
		return w.dir(ctx, "", nil)
	}
	info, err := w.root.Dir().Lstat(filepath.FromSlash(name))
	if err != nil {
		return ctx.Err()
	}
	ignored := w.ignores("", nil)
	for i := range name {
		if dir := name[:i]; name[i] == '/' {
			if dir == ".git" || !w.globs.reaches(dir) || w.folder(dir, ignored) != "" {
				return ctx.Err()
			}
			ignored = w.ignores(dir, ignored)
		}
	}
	return w.entry(ctx, name, fs.FileInfoToDirEntry(info), ignored)
}

// ignores adds what the .gitignore of a folder ignores, if there is one.
func (w *walker) ignores(dir string, above ignores) ignores {
	name := path.Join(dir, ".gitignore")
	if info, err := w.root.Dir().Lstat(filepath.FromSlash(name)); err != nil || !info.Mode().IsRegular() {
		return above
	}
	src, err := w.root.ReadFile(name)
	if err != nil {
		return above
	}
	return above.below(dir, src)
}

// dir visits a folder; only the root's own failure and a cancelled context end the walk.
func (w *walker) dir(ctx context.Context, dir string, above ignores) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.enter(dir)
	entries, err := w.root.ReadDir(dir)
	if err != nil {
		if dir == "" {
			return err
		}
		w.skip(dir+"/", toolset.AsError(err).Message)
		return nil
	}
	ignored := above
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" }) {
		ignored = w.ignores(dir, above)
	}
	for _, e := range entries {
		if err := w.entry(ctx, path.Join(dir, e.Name()), e, ignored); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(ctx context.Context, name string, e fs.DirEntry, ignored ignores) error {
	if w.left--; w.first && (len(w.files) > 0 || w.left < 0) {
		return errEnough
	}
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

// folder returns why nothing below a folder belongs, "" where something may.
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
	w.files = append(w.files, File{corpus.Describe("", name, info), kind})
}

func (w *walker) skip(name, reason string) {
	w.skips = append(w.skips, toolset.Skip{Path: name, Reason: reason})
}
