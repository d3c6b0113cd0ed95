package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/corpus"
	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/rootfs"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// sources are the files as a walk found them. Reading is safe for concurrent
// use.
type sources struct {
	files   []snapshot.File // in order of group and path
	skipped []corpus.Skip
	dirs    map[string]string // by manual

	mu    sync.Mutex
	roots map[string]*rootfs.Root // by manual, opened when the first file is read
}

// list walks all manuals. One that cannot be walked is skipped as a whole.
func list(ctx context.Context, manuals []corpus.Manual) (*sources, error) {
	s := &sources{dirs: map[string]string{}, roots: map[string]*rootfs.Root{}}
	manuals = slices.Clone(manuals)
	slices.SortFunc(manuals, func(a, b corpus.Manual) int { return cmp.Compare(a.ID, b.ID) })
	for _, m := range manuals {
		files, skipped, err := corpus.Walk(ctx, m)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			skipped = []corpus.Skip{{Manual: m.ID, Reason: fault.From(err).Message}}
		}
		s.dirs[m.ID] = m.Dir
		s.files, s.skipped = append(s.files, files...), append(s.skipped, skipped...)
	}
	return s, nil
}

// root is the open folder of a manual.
func (s *sources) root(manual string) (*rootfs.Root, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if root, ok := s.roots[manual]; ok {
		return root, nil
	}
	root, err := rootfs.Open(s.dirs[manual])
	if err == nil {
		s.roots[manual] = root
	}
	return root, err
}

func (s *sources) close() {
	for _, root := range s.roots {
		root.Close()
	}
}

// read reads a file and fills in its hash, or why it is skipped. gone tells
// that it does not exist any more.
func (s *sources) read(f *snapshot.File) (src []byte, gone bool) {
	root, err := s.root(f.Group)
	if err == nil {
		src, err = root.ReadFile(f.Path)
	}
	if err != nil {
		bad := fault.From(err)
		f.Skipped = bad.Message
		return nil, bad.Code == fault.NotFound
	}
	f.SHA256 = sha256.Sum256(src)
	switch reason := corpus.NotText(src); {
	case reason != "":
		f.Skipped = reason
	case len(src) > corpus.MaxSize: // it grew since it was listed
		f.Skipped = fmt.Sprintf("too large: %d bytes, at most %d are indexed", len(src), corpus.MaxSize)
	}
	return src, false
}

// changed compares the files with what is known of the current snapshot. It
// hashes those that look different or were changed just before they were
// hashed last, and remembers what it learns.
func (s *sources) changed(ctx context.Context, known memory) (bool, error) {
	found := 0
	for _, f := range s.files {
		k := key{f.Group, f.Path}
		m, ok := known[k]
		if ok && m.unchanged(f) {
			found++
			continue
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		now := time.Now()
		_, gone := s.read(&f)
		if gone {
			continue
		}
		if !ok || m.file.SHA256 != f.SHA256 || m.file.Skipped != f.Skipped {
			return true, nil
		}
		known[k] = memo{f, now}
		found++
	}
	return found != len(known), nil
}
