package repo

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/rootfs"
)

// Tree reads files of a repository one by one, as a walk would list them. It is
// safe for concurrent use.
type Tree struct {
	root  *rootfs.Root
	limit int64
}

// OpenTree opens a repository; of a file it reads at most limit bytes.
func OpenTree(dir string, limit int64) (*Tree, error) {
	root, err := rootfs.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open the repository: %w", err)
	}
	return &Tree{root, limit}, nil
}

// Close lets go of the folder.
func (t *Tree) Close() error { return t.root.Close() }

// ReadFile is the content of a file, up to the limit. Errors are those of
// [rootfs.Root.Open], and out_of_scope for what git ignores.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	f, err := t.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if t.ignored(f.Path) {
		return nil, fault.New(fault.OutOfScope, "%s is %s; name a file that belongs to the repository", name, Ignored).
			With("got", name).With("expected", "a file that git does not ignore")
	}
	src, err := io.ReadAll(io.LimitReader(f, t.limit))
	if err != nil {
		return nil, fault.New(fault.NotAvailable, "%s cannot be read: %w", name, err)
	}
	return src, nil
}

// ignored reports whether a .gitignore above a file names it or a folder that holds it.
func (t *Tree) ignored(name string) bool {
	var all ignores
	parts := strings.Split(name, "/")
	for i := range parts {
		dir, at := path.Join(parts[:i]...), path.Join(parts[:i+1]...)
		if src, err := t.root.ReadFile(path.Join(dir, ".gitignore")); err == nil {
			all = all.below(dir, src)
		}
		if all.match(at, i < len(parts)-1) {
			return true
		}
	}
	return false
}
