package repo

import (
	"context"
	"fmt"
	"io"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Files reads the files of a repository by clean paths; a [Tree] does. What is longer than
// the code cutter takes may be cut there, but for its next byte.
type Files interface {
	ReadFile(path string) ([]byte, error)
}

// Tree reads files of a repository one by one, as a walk would list them. It is
// safe for concurrent use.
type Tree struct {
	root  *rootfs.Root
	globs Globs
	limit int64
}

// OpenTree opens a repository; of a file it reads at most limit bytes.
func OpenTree(dir string, globs Globs, limit int64) (*Tree, error) {
	root, err := rootfs.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	return &Tree{root, globs, limit}, nil
}

// Close lets go of the folder.
func (t *Tree) Close() error { return t.root.Close() }

// ReadFile returns the content of a file, up to the limit. Errors are those of
// [rootfs.Root.Open], and out_of_scope for what a walk leaves out.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	f, err := t.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	w := newWalker(t.root, t.globs)
	if err := w.at(context.Background(), f.Path); err != nil || len(w.files) == 0 {
		return nil, w.outside(name)
	}
	src, err := io.ReadAll(io.LimitReader(f, t.limit))
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable, "%s cannot be read: %w", name, err)
	}
	return src, nil
}

// outside returns the error for a path that a walk does not list.
func (w *walker) outside(name string) *toolset.Error {
	reason := "named by no glob, or in a folder that is left out"
	if len(w.skips) > 0 {
		reason = w.skips[0].Reason
	}
	return toolset.Errorf(toolset.OutOfScope,
		"%s is no code or specification here (%s); name a file that is", name, reason).
		With("got", name).With("expected", "a file that the globs name and that is not left out")
}
