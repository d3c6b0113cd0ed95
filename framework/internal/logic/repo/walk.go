package repo

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/git"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// File is a file of a repository's code or specifications.
type File struct {
	snapshot.File
	Kind Kind
}

// Ruled reports whether a rule leaves it out, rather than a failure to read it.
func Ruled(s toolset.Skip) bool {
	ruled := func(by [2]string) bool { return by[1] == s.Reason }
	return slices.Contains([]string{Ignored, Archived, Hidden, Link}, s.Reason) ||
		slices.ContainsFunc(folders(), ruled) || slices.ContainsFunc(patterns(), ruled)
}

// Walk lists the files below a root that the globs name, and the files left out, both in path order. It does not check
// the contents of files.
func Walk(ctx context.Context, dir string, globs Globs) ([]File, []toolset.Skip, error) {
	return WalkAt(ctx, dir, globs, []string{""}, nil)
}

// WalkAt is like [Walk], but only for what is at or below some paths as stored on disk. "" is the whole root; paths
// that do not exist are ignored. If enter is not nil, it is called with the path of each folder before it is read.
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
	r := newRules(root, globs)
	found, skips, err := corpus.WalkRoot(ctx, root, corpus.Manual{}, r.selection(), paths, enter)
	if err != nil {
		return nil, nil, fmt.Errorf("walk the repository: %w", err)
	}
	files := make([]File, len(found))
	for i, f := range found {
		files[i] = File{f, globs.kind(f.Path)}
	}
	for i, s := range skips {
		if r.folders[s.Path] {
			skips[i].Path += "/"
		}
	}
	return files, skips, nil
}

// maxLooked is the maximum number of folders that [Holds] searches.
const maxLooked = 2000

// Holds reports whether a folder contains a file that valid globs name. It searches a limited number of folders.
func Holds(ctx context.Context, dir string, globs Globs) bool {
	root, err := rootfs.Open(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r, found, looked := newRules(root, globs), false, 0
	selected := r.selection()
	selected.File = func(name string) string {
		found = found || r.file(name) == ""
		return ""
	}
	_, _, _ = corpus.WalkRoot(ctx, root, corpus.Manual{}, selected, []string{""}, func(string) {
		if looked++; looked > maxLooked || found {
			stop()
		}
	})
	return found
}

// rules decide which paths of a repository belong to it.
type rules struct {
	globs   Globs
	ignores *git.Ignores
	folders map[string]bool // folders that are left out
}

func newRules(root *rootfs.Root, globs Globs) *rules {
	return &rules{globs, git.NewIgnores(root), map[string]bool{}}
}

func (r *rules) selection() corpus.Selection {
	belongs := func(name string) bool { return r.globs.kind(name) != 0 }
	return corpus.Selection{Belongs: belongs, Folder: r.folder, File: r.file}
}

// folder reports whether anything below a folder may belong to the repository, and otherwise the reason. The reason is
// "" if the globs do not lead there.
func (r *rules) folder(name string) (enter bool, reason string) {
	switch {
	case path.Base(name) == ".git" || !r.globs.reaches(name):
		return false, ""
	case rootfs.Unaskable(name) != "":
		reason = rootfs.Unaskable(name)
	case r.ignores.Match(name, true):
		reason = Ignored
	case archived(name):
		reason = Archived
	case r.globs.kind(name+"/x") == Code:
		reason = folder(name)
	}
	r.folders[name] = reason != ""
	return reason == "", reason
}

// file returns why a file that the globs name is left out, or "" if it is not.
func (r *rules) file(name string) string {
	if r.ignores.Match(name, false) {
		return Ignored
	}
	return leftOut(name, r.globs.kind(name))
}
