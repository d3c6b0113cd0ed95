package lane

import (
	"context"
	"fmt"
)

// Recipe is all that is needed to make a run again: what its lanes were asked, and
// how they were fused.
type Recipe struct {
	RunID      string        `json:"run_id"`
	Collection string        `json:"collection"` // that was searched
	Lanes      []RecipeLane  `json:"lanes"`
	Fusion     *ResultParams `json:"fusion,omitempty"` // representatives included; absent for a lane's run
	Docs       []string      `json:"docs"`             // what it gave
}

// RecipeLane is one search of a recipe.
type RecipeLane struct {
	RunID   string  `json:"run_id"`
	Request Request `json:"request"`
}

// Recipe of a run.
func (d *Desk) Recipe(client, id string) (*Recipe, error) {
	r, err := d.runs.get(client, "run_id", id)
	if err != nil {
		return nil, err
	}
	out := &Recipe{RunID: r.ID, Collection: r.Collection, Docs: r.Docs}
	if r.Fusion == nil {
		out.Lanes = []RecipeLane{{r.ID, *r.Request}}
		return out, nil
	}
	out.Fusion = &ResultParams{r.Fusion.Inputs, r.Fusion.Params}
	for _, in := range r.Fusion.Inputs {
		lane, err := d.runs.get(client, "run_id", in.RunID)
		if err != nil {
			return nil, err
		}
		out.Lanes = append(out.Lanes, RecipeLane{lane.ID, *lane.Request})
	}
	return out, nil
}

// FuseAgain fuses runs as a recipe says, in the order of its lanes, and gives the
// ranking without keeping it. The runs may be those of the recipe or new searches.
func (d *Desk) FuseAgain(ctx context.Context, r *Recipe, runs []*Run) (docs []string, err error) {
	if r.Fusion == nil || len(runs) != len(r.Lanes) {
		return nil, fmt.Errorf("recipe of %s: %d runs for %d lanes of a fusion", r.RunID, len(runs), len(r.Lanes))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	lanes, _, err := d.prepare(ctx, r.Fusion.Runs, runs, r.Fusion.FacetTerms)
	if err != nil {
		return nil, err
	}
	for _, p := range d.catalog.Blend(lanes, r.Fusion.Params) {
		docs = append(docs, d.catalog.ID(p.Row))
	}
	return docs, nil
}

// Run finds a run of any client.
func (d *Desk) Run(client, id string) (*Run, error) { return d.runs.get(client, "run_id", id) }
