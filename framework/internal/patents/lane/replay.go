package lane

import "context"

// Replay is the result of making a run again.
type Replay struct {
	RunID string `json:"run_id"`
	Lanes int    `json:"lanes"` // that were searched again
	// SameCollection reports whether the collection is the one that was searched then.
	SameCollection bool `json:"same_collection"`
	// Same reports whether the ranking is the same, publication by publication.
	Same bool `json:"same"`
	// FirstDifference is the first rank that differs, 0 for none.
	FirstDifference int      `json:"first_difference"`
	PubIDs          []string `json:"pub_ids"` // as ranked now
}

// Replay searches the lanes of a run again, as they were asked then, and fuses them as
// then. Nothing of the old rankings is used.
func (e *Engine) Replay(ctx context.Context, id string) (*Replay, error) {
	old, err := e.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	out := &Replay{RunID: old.ID, SameCollection: true}
	var runs []*Run
	for _, id := range old.lanes() {
		lane, err := e.Run(ctx, id)
		if err != nil {
			return nil, err
		}
		h, err := e.Search(ctx, lane.Request.ask())
		if err != nil {
			return nil, err
		}
		run, err := e.Run(ctx, h.RunID)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
		out.SameCollection = out.SameCollection && run.Collection == old.Collection
	}
	out.Lanes, out.PubIDs = len(runs), runs[0].Docs
	if old.Fusion != nil {
		if out.PubIDs, err = e.fuseAgain(ctx, old.Fusion, runs); err != nil {
			return nil, err
		}
	}
	out.FirstDifference = difference(out.PubIDs, old.Docs)
	out.Same = out.FirstDifference == 0
	return out, nil
}

// difference returns the first rank at which rankings differ, 0 for none.
func difference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i + 1
		}
	}
	return 0
}

// fuseAgain fuses runs, which may be new searches, as a fusion says, and returns the ranking
// without keeping it. Representatives are those of the fusion.
func (e *Engine) fuseAgain(ctx context.Context, f *Fusion, runs []*Run) (docs []string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	lanes, _, err := e.prepare(ctx, f.Inputs, runs, f.Params)
	if err != nil {
		return nil, err
	}
	for _, p := range e.catalog.Blend(lanes, f.Params) {
		docs = append(docs, e.catalog.ID(p.Row))
	}
	return docs, nil
}

// Run finds a run.
func (e *Engine) Run(ctx context.Context, id string) (*Run, error) {
	return e.runs.get(ctx, "run_id", id)
}
