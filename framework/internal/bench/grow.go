package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// Grow writes a corpus of about so many sections into dir, which must not exist:
// the files as they are, then copies of all manuals under other names with part
// of their words exchanged; of less than all, files at even distances. The same
// files give the same corpus. dir appears when it is complete. It returns the
// number of sections.
func Grow(
	ctx context.Context, files []File, sections int, dir string, progress eval.Progress,
) (written int, err error) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s exists; name a new folder", dir)
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp) // there is none after the rename
	if err := os.Chmod(temp, 0o755); err != nil {
		return 0, err
	}
	have := 0
	counts := make([]int, len(files))
	for i, f := range files {
		counts[i] = len(corpus.Cut(f.Path, f.Text))
		have += counts[i]
	}
	if have == 0 {
		return 0, errors.New("there is nothing to grow: the manuals hold no section")
	}
	words := newVocabulary(files)
	for number := 0; written < sections && number*have < sections; number++ {
		c := words.copy(number)
		want := min(sections-number*have, have)
		passed, taken := 0, 0
		for i, f := range files {
			passed += counts[i]
			if taken >= want*passed/have {
				continue
			}
			taken += counts[i]
			manual, text := f.Manual, f.Text
			if number > 0 {
				manual, text = fmt.Sprintf("%s-%03d", f.Manual, number+1), c.vary(f.Text)
			}
			path := filepath.Join(temp, manual, filepath.FromSlash(f.Path))
			if err := errors.Join(ctx.Err(), writeFile(path, text)); err != nil {
				return 0, err
			}
			written += counts[i]
			progress.Show("growing", min(written, sections), sections)
		}
	}
	return written, os.Rename(temp, dir)
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
