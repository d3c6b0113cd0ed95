package lane

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Desk answers everything that is asked of runs. Safe for concurrent use.
type Desk struct {
	runs *Runs
	pubs Publications
	now  func() time.Time

	mu          sync.Mutex
	catalog     *rankfusion.Catalog // what fusions need of the publications met so far
	absent      map[string]bool     // those of them that the collection does not have
	fingerprint string              // that the catalog was read under
}

// NewDesk works on runs of a collection.
func NewDesk(runs *Runs, pubs Publications) *Desk {
	return &Desk{runs: runs, pubs: pubs, now: time.Now}
}

// Found is what a lane found.
type Found struct {
	Collection string    // fingerprint that was searched
	HitCount   int       // all that matched
	Docs       []string  // the best of them, each once
	Scores     []float64 // finite
}

// Keep makes a run of what a lane was asked and found.
func (d *Desk) Keep(client string, req Request, found Found) (*Run, error) {
	seen := make(map[string]bool, len(found.Docs))
	for i, id := range found.Docs {
		if id == "" || seen[id] || i >= len(found.Scores) || math.IsNaN(found.Scores[i]) || math.IsInf(found.Scores[i], 0) {
			return nil, fmt.Errorf("lane %s answered badly: place %d", req.LaneName, i+1)
		}
		seen[id] = true
	}
	if req.Filters == nil {
		req.Filters = []Filter{}
	}
	r := (&Run{
		Collection: found.Collection, Request: &req, HitCount: max(found.HitCount, len(found.Docs)),
		Docs: append([]string{}, found.Docs...), Scores: append([]float64{}, found.Scores[:len(found.Docs)]...),
	}).seal(d.now())
	return r, d.runs.put(client, r)
}

// readBatch is how many publications are held in memory at once.
const readBatch = 1000

// read gives records; a failure of the collection is the backend's.
func (d *Desk) read(ctx context.Context, ids []string, texts ...string) ([]*publication.Publication, error) {
	pubs, err := d.pubs.Read(ctx, ids, texts...)
	if err == nil && len(pubs) != len(ids) {
		err = fmt.Errorf("asked for %d publications and got %d", len(ids), len(pubs))
	}
	return pubs, backend(ctx, err)
}

// backend wraps a failure of the collection, unless it is the caller's or the call itself
// was ended.
func backend(ctx context.Context, err error) error {
	if _, said := errors.AsType[*toolset.Error](err); said || err == nil || ctx.Err() != nil {
		return err
	}
	return toolset.Errorf(toolset.BackendError, "the publications could not be read; try again, and run sagasu doctor if this goes on: %w", err).
		With("backend", "collection")
}
