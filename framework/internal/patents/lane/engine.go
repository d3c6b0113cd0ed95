package lane

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Engine runs lanes over a collection, stores their results as runs, and fuses and explains runs.
// It is safe for concurrent use.
type Engine struct {
	runs       *Runs
	pubs       Publications
	collection *Collection // what lanes search
	strategies Strategies
	now        func() time.Time

	mu          sync.Mutex
	catalog     *rankfusion.Catalog // the publications that fusions met so far
	absent      map[uint32]bool     // the rows of those of them that the collection does not have
	fingerprint string              // that the catalog was read under
}

// Strategies runs the lanes, in separate processes or linked in.
type Strategies interface {
	// OpenOne lets a strategy prepare for a snapshot; it takes as long as ctx allows.
	OpenOne(ctx context.Context, name string, corpus *snapshot.Snapshot) error
	Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error)
}

// NewEngine runs strategies over a collection and keeps runs.
func NewEngine(runs *Runs, collection *Collection, strategies Strategies) *Engine {
	return &Engine{runs: runs, pubs: collection, collection: collection, strategies: strategies, now: time.Now}
}

// readBatch is the number of publications held in memory at once.
const readBatch = 1000

// read returns records; a failure of the collection is the backend's.
func (e *Engine) read(ctx context.Context, ids []string, texts ...string) ([]*publication.Publication, error) {
	pubs, err := e.pubs.Read(ctx, ids, texts...)
	return pubs, backend(ctx, err)
}

// backend wraps a failure of the collection, unless it is the caller's or the call itself
// was ended.
func backend(ctx context.Context, err error) error {
	if _, said := errors.AsType[*toolset.Error](err); said || err == nil || ctx.Err() != nil {
		return err
	}
	return toolset.Errorf(toolset.BackendError,
		"the publications could not be read; try again, and run sagasu doctor if this goes on: %w", err).
		With("backend", "collection")
}
