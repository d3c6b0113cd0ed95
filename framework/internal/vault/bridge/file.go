package bridge

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// FileRequest is one bridge_copy_file call.
type FileRequest struct {
	ManualID, Path string
	To             Target
	// AllowFile is the caller's consent to copy a whole Markdown file.
	AllowFile bool
	// MaxChars bounds the copy in code points; nil copies all.
	MaxChars *int
}

// CopyFile copies a file of a manual, whatever its size.
func (b *Bridge) CopyFile(ctx context.Context, req FileRequest) (*Copied, error) {
	if err := b.permitFile(req.Path, req.AllowFile); err != nil {
		return nil, err
	}
	m, f, err := b.open(ctx, "manual_id", req.ManualID, "from_path", req.Path)
	if err != nil {
		return nil, err
	}
	out, err := b.copy(ctx, cut(m, f, corpus.NewLines(f.Text), 0, len(f.Text), req.MaxChars), req.To)
	if err == nil {
		b.used(m.ID, f.Path, 0)
	}
	return out, err
}

func (b *Bridge) used(manual, path string, line int) {
	if b.options.Used != nil {
		b.options.Used(manual, path, line)
	}
}
