package docimport

import (
	"context"
	"path"
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// folder is a folder, or one file of it, that is imported; its texts begin with prefix.
type folder struct {
	corpus.Manual
	prefix string
}

func (s folder) from() string { return filepath.Join(s.Dir, s.Only) }

func (s folder) run(ctx context.Context, w *writer) (complete bool, err error) {
	files, skipped, err := corpus.Walk(ctx, s.Manual)
	if err != nil {
		return false, err
	}
	for _, x := range skipped {
		w.present(path.Join(s.prefix, x.Path))
		w.skip(path.Join(s.prefix, x.Path), x.Reason)
	}
	for i, f := range files {
		w.progress(f.Path, i, len(files))
		if err := w.document(ctx, document{
			name: path.Join(s.prefix, f.Path), from: s.from(), source: filepath.Join(s.Dir, filepath.FromSlash(f.Path)),
			open: func(ctx context.Context) (corpus.File, error) { return corpus.Open(ctx, s.Manual, f.Path) },
		}); err != nil {
			return false, err
		}
	}
	return true, nil
}
