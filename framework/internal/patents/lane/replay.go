package lane

import (
	"context"
	"slices"
)

// Replay is what making a run again gave.
type Replay struct {
	RunID string `json:"run_id"`
	Lanes int    `json:"lanes"` // that were searched again
	// SameCollection tells that the collection is the one that was searched then.
	SameCollection bool `json:"same_collection"`
	// Same tells that the ranking is the same, publication by publication.
	Same bool `json:"same"`
	// FirstDifference is the first rank that differs, 0 for none.
	FirstDifference int      `json:"first_difference"`
	PubIDs          []string `json:"pub_ids"` // as ranked now
}

// Replay searches the lanes of a run again, as they were asked then, and fuses them as
// then. Nothing of the old rankings is used.
func (e *Engine) Replay(ctx context.Context, client, id string) (*Replay, error) {
	recipe, err := e.Recipe(client, id)
	if err != nil {
		return nil, err
	}
	out := &Replay{RunID: recipe.RunID, Lanes: len(recipe.Lanes), SameCollection: true}
	var runs []*Run
	for _, l := range recipe.Lanes {
		run, err := e.again(ctx, client, l.Request)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
		out.SameCollection = out.SameCollection && run.Collection == recipe.Collection
	}
	out.PubIDs = runs[0].Docs
	if recipe.Fusion != nil {
		if out.PubIDs, err = e.FuseAgain(ctx, recipe, runs); err != nil {
			return nil, err
		}
	}
	out.Same = slices.Equal(out.PubIDs, recipe.Docs)
	out.FirstDifference = difference(out.PubIDs, recipe.Docs)
	return out, nil
}

// again searches a lane and keeps the run.
func (e *Engine) again(ctx context.Context, client string, request Request) (*Run, error) {
	ask, err := request.ask()
	if err != nil {
		return nil, err
	}
	h, err := e.Search(ctx, client, ask)
	if err != nil {
		return nil, err
	}
	return e.Run(client, h.RunID)
}

// difference is the first rank at which rankings differ, 0 for none.
func difference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i + 1
		}
	}
	return 0
}
