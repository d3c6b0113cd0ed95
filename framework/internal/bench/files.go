package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// File is a file of the manuals as it was read.
type File struct {
	Manual, Path string
	Text         []byte
}

// Read reads the files of manuals that can be searched, in order of manual and
// path. What is no text or too large is left out, as an index leaves it out.
func Read(ctx context.Context, manuals []corpus.Manual) ([]File, error) {
	var out []File
	for _, m := range manuals {
		files, _, err := corpus.Walk(ctx, m)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			text, err := corpus.Read(ctx, m, f.Path)
			if _, refused := errors.AsType[*toolset.Error](err); refused || len(text) > corpus.MaxSize {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read %s/%s: %w", m.ID, f.Path, err)
			}
			out = append(out, File{Manual: m.ID, Path: f.Path, Text: text})
		}
	}
	return out, ctx.Err()
}
