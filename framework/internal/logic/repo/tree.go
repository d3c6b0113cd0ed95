package repo

import (
	"fmt"
	"io"
	"path"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Files reads the files of a repository by clean paths, as a [Tree] does. It may truncate a file that is larger than
// the code cutter accepts, but to no less than one byte above that limit.
type Files interface {
	ReadFile(path string) ([]byte, error)
}

// Tree reads single files of a repository, but only those that a walk would list. It is safe for concurrent use.
type Tree struct {
	root  *rootfs.Root
	globs Globs
	limit int64
}

// OpenTree opens a repository. At most limit bytes of a file are read.
func OpenTree(dir string, globs Globs, limit int64) (*Tree, error) {
	root, err := rootfs.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	return &Tree{root, globs, limit}, nil
}

// Close closes the folder.
func (t *Tree) Close() error { return t.root.Close() }

// ReadFile returns the content of a file, up to the limit. It fails with the errors of [rootfs.Root.Open], and with
// out_of_scope for files that a walk leaves out.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	f, err := t.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if reason := t.leftOut(f.Path); reason != "" {
		return nil, toolset.Errorf(toolset.OutOfScope,
			"%s is no code or specification here (%s); name a file that is", name, reason).
			With("got", name).With("expected", "a file that the globs name and that is not left out")
	}
	src, err := io.ReadAll(io.LimitReader(f, t.limit))
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable, "%s cannot be read: %w", name, err)
	}
	return src, nil
}

// leftOut returns why a walk does not list a file, or "" if it does.
func (t *Tree) leftOut(name string) string {
	r := newRules(t.root, t.globs)
	belongs := t.globs.kind(name) != 0
	for dir := path.Dir(name); dir != "." && belongs; dir = path.Dir(dir) {
		belongs, _ = r.folder(dir)
	}
	if !belongs {
		return "named by no glob, or in a folder that is left out"
	}
	return r.file(name)
}
