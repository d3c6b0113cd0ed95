package docimport

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/git"
)

// folder is an imported folder, or one file in it. The names of its texts begin with prefix.
type folder struct {
	corpus.Manual
	prefix string
	// tracked holds the files that git tracks; nil means all files, as in a folder that is not a git repository.
	tracked map[string]bool
}

func (s *folder) from() string { return filepath.Join(s.Dir, s.Only) }

// holds implements source: a file in a folder that cannot be listed, or that is now a link, may still exist.
func (s *folder) holds(source string) bool {
	name, err := filepath.Rel(s.Dir, source)
	if err != nil || s.tracked != nil && !s.tracked[filepath.ToSlash(name)] {
		return false
	}
	_, err = os.Lstat(source)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// readTracked finds the files that git tracks, if the folder is the top of a work tree.
func (s *folder) readTracked(ctx context.Context, w *writer) error {
	if _, err := os.Lstat(filepath.Join(s.Dir, ".git")); err != nil || s.Only != "" {
		return nil
	}
	r, err := git.Open(s.Dir)
	if err == nil {
		var files []string
		files, err = r.Tracked(ctx)
		err = errors.Join(err, r.Close())
		s.tracked = map[string]bool{}
		for _, name := range files {
			s.tracked[name] = true
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.tracked = nil
		w.skip(s.prefix, "all of its files are imported, not only those that git tracks: "+err.Error())
	}
	return nil
}

// mostPointer is the maximum size in bytes of a pointer file.
const mostPointer = 1 << 10

// isPointer reports whether a file is only a Git LFS pointer to its content.
func isPointer(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && bytes.HasPrefix(text, []byte("version https://git-lfs.github.com/spec/"))
}

// isBare reports whether a folder is a bare git repository.
func isBare(dir string) bool {
	lacks := func(name string) bool { _, err := os.Lstat(filepath.Join(dir, name)); return err != nil }
	return !slices.ContainsFunc([]string{"HEAD", "objects", "refs"}, lacks)
}

func (s *folder) run(ctx context.Context, w *writer) (complete bool, err error) {
	if err := s.readTracked(ctx, w); err != nil {
		return false, err
	}
	files, skipped, err := corpus.Walk(ctx, s.Manual)
	if err != nil {
		return false, err
	}
	for _, x := range skipped {
		if s.tracked == nil || s.tracked[x.Path] {
			w.present(path.Join(s.prefix, x.Path), filepath.Join(s.Dir, filepath.FromSlash(x.Path)))
			w.skip(path.Join(s.prefix, x.Path), x.Reason)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.tracked)) {
		if info, err := os.Lstat(filepath.Join(s.Dir, filepath.FromSlash(name))); err == nil && info.IsDir() {
			w.skip(path.Join(s.prefix, name), "it is a repository of its own (a submodule): import it by its path")
		}
	}
	for i, f := range files {
		if s.tracked != nil && !s.tracked[f.Path] {
			continue
		}
		w.progress(f.Path, i, len(files))
		source := filepath.Join(s.Dir, filepath.FromSlash(f.Path))
		if f.Size < mostPointer && isPointer(source) {
			w.present(path.Join(s.prefix, f.Path), source)
			w.skip(path.Join(s.prefix, f.Path), "its content is not there, but kept by Git LFS: call git lfs pull")
			continue
		}
		if err := w.document(ctx, document{
			name: path.Join(s.prefix, f.Path), from: s.from(), source: source,
			open: func(ctx context.Context) (corpus.File, error) { return corpus.Open(ctx, s.Manual, f.Path) },
		}); err != nil {
			return false, err
		}
	}
	return true, nil
}
