package corpus

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// MaxSize is the size in bytes above which a file of a manual or a vault is not cut into
// sections.
const MaxSize = 32 << 20

// Selection selects the files of a folder that belong to a corpus.
type Selection struct {
	// Belongs decides by the path of a file. It is not asked about files in folders that are left out.
	Belongs func(path string) bool
	// Folder reports whether to enter a folder, or the reason to skip it. By default, all folders are entered except
	// those that [LeftOut] reports.
	Folder func(path string) (enter bool, skip string)
	// File returns the reason to skip a file that belongs, or "" to list it. It may be nil.
	File func(path string) (skip string)
	// MaxSize is the size in bytes above which a file is skipped; 0 means no limit.
	MaxSize int64
	// Links reports links without an extension as skipped, since they may be folders of the corpus.
	Links bool
}

// Walk lists the text files and documents of a manual in path order, with size, times and inode but without hash, and
// what is skipped. It leaves out hidden folders and node_modules. For what only reading can show, see [Open].
func Walk(ctx context.Context, m Manual) ([]snapshot.File, []toolset.Skip, error) {
	return WalkFiles(ctx, m, m.files(), []string{""}, nil)
}

// WalkAll is like [Walk], but also lists files that are too large to be indexed.
func WalkAll(ctx context.Context, m Manual) ([]snapshot.File, []toolset.Skip, error) {
	all := m.files()
	all.MaxSize = 0
	return WalkFiles(ctx, m, all, []string{""}, nil)
}

// files selects the files of a manual.
func (m Manual) files() Selection {
	belongs := func(name string) bool { return m.IsFile(strings.TrimSpace(name)) || m.Unread(name) != "" }
	return Selection{Belongs: belongs, File: m.Unread, MaxSize: MaxSize, Links: true}
}

// WalkFolder is like [Walk] for what is directly in a folder; "" is the manual's own.
func WalkFolder(ctx context.Context, m Manual, dir string) ([]snapshot.File, []toolset.Skip, error) {
	s := m.files()
	s.Folder = func(name string) (enter bool, skip string) {
		above := name == dir || strings.HasPrefix(dir, name+"/")
		if above || LeftOut(path.Base(name)) {
			return above, ""
		}
		return false, rootfs.Unaskable(name)
	}
	return WalkFiles(ctx, m, s, []string{dir}, nil)
}

// WalkFiles is like [Walk] for a selection of files at or below paths as stored on disk; "" is the whole manual, and
// paths that do not exist are ignored. enter, if not nil, is called with the path of each folder before it is read.
func WalkFiles(
	ctx context.Context, m Manual, s Selection, paths []string, enter func(dir string),
) ([]snapshot.File, []toolset.Skip, error) {
	root, err := openManual(m)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	files, skips, err := WalkRoot(ctx, root, m, s, paths, enter)
	if err != nil {
		err = fmt.Errorf("walk manual %s: %w", m.ID, err)
	}
	return files, skips, err
}

// WalkRoot is like [WalkFiles] for a folder that is open.
func WalkRoot(
	ctx context.Context, root *rootfs.Root, m Manual, s Selection, paths []string, enter func(dir string),
) ([]snapshot.File, []toolset.Skip, error) {
	if enter == nil {
		enter = func(string) {}
	}
	if s.Folder == nil {
		s.Folder = func(name string) (bool, string) { return !LeftOut(path.Base(name)), "" }
	}
	w := &walker{manual: m, selection: s, root: root, enter: enter}
	if err := w.all(ctx, paths); err != nil {
		return nil, nil, err
	}
	slices.SortFunc(w.files, func(a, b snapshot.File) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(w.skips, func(a, b toolset.Skip) int { return cmp.Compare(a.Path, b.Path) })
	w.files = slices.CompactFunc(w.files, func(a, b snapshot.File) bool { return a.Path == b.Path })
	return w.files, slices.Compact(w.skips), nil
}

type walker struct {
	manual    Manual
	selection Selection
	root      *rootfs.Root
	enter     func(dir string)
	files     []snapshot.File
	skips     []toolset.Skip
}

// all visits what is at or below paths.
func (w *walker) all(ctx context.Context, paths []string) error {
	switch {
	case w.manual.Only != "":
		w.enter("")
		paths = []string{w.manual.Only}
	case slices.Contains(paths, ""):
		return w.dir(ctx, "")
	}
	for _, p := range paths {
		info, err := w.root.Dir().Lstat(filepath.FromSlash(p))
		if err != nil || !w.reaches(p) {
			continue
		}
		if stored, _, err := w.root.Stat(p); err == nil && stored != p && w.manual.Only == "" {
			p = stored // a name in another case, such as the old one after a rename that changes only case
		}
		if err := w.entry(ctx, p, rootfs.Unaskable(p), fs.FileInfoToDirEntry(info)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// reaches reports whether all folders above a path are entered.
func (w *walker) reaches(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if enter, _ := w.selection.Folder(dir); !enter {
			return false
		}
	}
	return true
}

// dir visits a folder and what is below it. Only an error of the first folder or of the context ends the walk.
func (w *walker) dir(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.enter(dir)
	entries, err := w.root.ReadDir(dir)
	if err != nil {
		if dir == "" {
			return err
		}
		w.skip(dir, toolset.AsError(err).Message)
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if dir != "" { // path.Join would clean the whole path
			name = dir + "/" + name
		}
		if err := w.entry(ctx, name, rootfs.UnaskableIn(dir, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

// entry visits what is at a path. unaskable is why it cannot be requested, or "".
func (w *walker) entry(ctx context.Context, name, unaskable string, e fs.DirEntry) error {
	if !e.IsDir() {
		w.file(name, unaskable, e)
		return nil
	}
	enter, skip := w.selection.Folder(name)
	if enter {
		skip = unaskable
	}
	if skip != "" {
		w.skip(name, skip)
	} else if enter {
		return w.dir(ctx, name)
	}
	return nil
}

func (w *walker) file(name, unaskable string, e fs.DirEntry) {
	link := e.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0
	switch {
	case name == w.manual.Only:
	case w.manual.Only != "":
		return
	case w.selection.Belongs(name):
	case w.selection.Links && link && path.Ext(name) == "" && !LeftOut(e.Name()):
	default:
		return
	}
	info, err := e.Info()
	switch {
	case link:
		w.skip(name, "symbolic link")
	case err != nil:
		w.skip(name, "cannot be read: "+err.Error())
	case !info.Mode().IsRegular():
		w.skip(name, "not a regular file")
	case unaskable != "":
		w.skip(name, unaskable)
	case w.selection.File != nil && w.selection.File(name) != "":
		w.skip(name, w.selection.File(name))
	case w.tooLarge(name, info.Size()) != "":
		w.skip(name, w.tooLarge(name, info.Size()))
	case w.unpacked(name):
		w.skip(name, isUnpacked)
	default:
		w.files = append(w.files, Describe(w.manual.ID, name, info))
	}
}

// tooLarge returns the reason to skip a file of that size, or "".
func (w *walker) tooLarge(name string, size int64) string {
	limit := w.selection.MaxSize
	if w.manual.Reads(name) {
		limit = MaxDocument
	}
	if limit == 0 || size <= limit {
		return ""
	}
	return TooLarge(size, limit)
}

func (w *walker) skip(name, reason string) {
	w.skips = append(w.skips, toolset.Skip{ManualID: w.manual.ID, Path: name, Reason: reason})
}

// Describe returns the file at a path as its folder lists it, without hash.
func Describe(manual, name string, info fs.FileInfo) snapshot.File {
	changed, inode := systemStat(info)
	return snapshot.File{
		Group: manual, Path: name,
		Size: info.Size(), ModTime: info.ModTime().UnixNano(), ChangeTime: changed, Inode: inode,
	}
}
