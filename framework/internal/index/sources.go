package index

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// sources reads the files of manuals. It is safe for concurrent use.
type sources struct {
	dirs    map[string]string // by manual
	vaults  map[string]bool   // those that are vaults
	shelves map[string]bool   // those that are collections of publications
	globs   *repo.Globs       // of a repository, nil for what is none

	mu    sync.Mutex
	roots map[string]*rootfs.Root // by manual, opened when the first file is read
}

func newSources(manuals []corpus.Manual, globs *repo.Globs) *sources {
	s := &sources{
		dirs: map[string]string{}, vaults: map[string]bool{}, shelves: map[string]bool{}, roots: map[string]*rootfs.Root{}, globs: globs,
	}
	for _, m := range manuals {
		s.dirs[m.ID], s.vaults[m.ID], s.shelves[m.ID] = m.Dir, m.Vault, m.Publications
	}
	return s
}

// root is the open folder of a manual.
func (s *sources) root(manual string) (*rootfs.Root, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if root, ok := s.roots[manual]; ok {
		return root, nil
	}
	root, err := rootfs.OpenResolved(s.dirs[manual])
	if err == nil {
		s.roots[manual] = root
	}
	return root, err
}

func (s *sources) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, root := range s.roots {
		root.Close()
	}
	clear(s.roots)
}

// read reads a file and fills in its hash, or why it is skipped. gone tells
// that it does not exist any more.
func (s *sources) read(f *snapshot.File) (src []byte, gone bool) {
	if s.shelves[f.Group] {
		return nil, s.sum(f)
	}
	if s.globs != nil && f.Size > code.MaxSize {
		f.Skipped = code.TooLarge(f.Size)
		return nil, false
	}
	root, err := s.root(f.Group)
	if err == nil {
		src, err = root.ReadFile(f.Path)
	}
	if err != nil {
		bad := toolset.AsError(err)
		f.Skipped = bad.Message
		return nil, bad.Code == toolset.NotFound
	}
	f.SHA256 = sha256.Sum256(src)
	switch reason := corpus.NotText(src); {
	case reason != "":
		f.Skipped = reason
	case s.globs != nil:
		f.Skipped = code.LeftOut(f.Path, src)
	case len(src) > corpus.MaxSize: // it grew since it was listed
		f.Skipped = fmt.Sprintf("too large: %d bytes, at most %d are indexed", len(src), corpus.MaxSize)
	}
	return src, false
}
