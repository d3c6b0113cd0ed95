package manuals

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// Document opens a document of a manual as it is stored, or that from which a text was imported. The caller closes it.
// A file that is text itself is out_of_scope.
func (l *Library) Document(ctx context.Context, id corpus.ManualID, path rootfs.Path) (*rootfs.File, error) {
	m, err := l.find(ctx, id)
	if err != nil {
		return nil, err
	}
	return corpus.OpenStored(ctx, m, string(path))
}
