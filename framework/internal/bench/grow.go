package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Progress is called with how far a step has come.
type Progress func(step string, done, total int)

// Grow writes a corpus of about so many sections into dir, which must not exist:
// the files as they are, then copies of all manuals under other names with part
// of their words exchanged; of less than all, files at even distances. The same
// files give the same corpus. dir appears when it is complete. It returns the
// number of sections.
func Grow(ctx context.Context, files []File, sections int, dir string, progress Progress) (written int, err error) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s exists; name a new folder", dir)
	}
	counts, have := make([]int, len(files)), 0
	for i, f := range files {
		counts[i] = len(corpus.Cut(f.Path, f.Text))
		have += counts[i]
	}
	if have == 0 {
		return 0, errors.New("there is nothing to grow: the manuals hold no section")
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp) // there is none after the rename
	if err := os.Chmod(temp, 0o755); err != nil {
		return 0, err
	}
	g := growth{files: files, counts: counts, have: have, want: sections, dir: temp, progress: progress}
	if err := g.write(ctx); err != nil {
		return 0, err
	}
	return g.written, os.Rename(temp, dir)
}

// growth is one corpus being written.
type growth struct {
	files      []File
	counts     []int // sections of each file
	have, want int
	dir        string
	written    int
	progress   Progress
}

func (g *growth) write(ctx context.Context) error {
	v := newVocabulary(g.files)
	for number := 0; number == 0 || g.want-g.written > 0 && g.want > number*g.have; number++ {
		left := g.want - number*g.have
		if err := g.copy(ctx, v, number, min(left, g.have)); err != nil {
			return err
		}
	}
	return nil
}

// copy writes so many sections of one copy.
func (g *growth) copy(ctx context.Context, v *vocabulary, number, sections int) error {
	c := v.variation(number)
	passed, taken := 0, 0
	for i, f := range g.files {
		passed += g.counts[i]
		if taken >= sections*passed/g.have {
			continue
		}
		taken += g.counts[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		manual, text := f.Manual, f.Text
		if number > 0 {
			manual, text = fmt.Sprintf("%s-%03d", f.Manual, number+1), []byte(c.vary(string(f.Text)))
		}
		if err := writeFile(filepath.Join(g.dir, manual, filepath.FromSlash(f.Path)), text); err != nil {
			return err
		}
		g.written += g.counts[i]
		if g.progress != nil {
			g.progress("growing", min(g.written, g.want), g.want)
		}
	}
	return nil
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
