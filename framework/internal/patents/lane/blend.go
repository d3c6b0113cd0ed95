package lane

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

// BlendRequest asks to fuse runs of lanes.
type BlendRequest struct {
	Runs   []BlendRun
	Params rankfusion.Params // without representatives: they are kept by the desk
	Limit  int               // how many rows the answer lists
}

// BlendRun is one run to fuse.
type BlendRun struct {
	Lane   string // "" for that of the run
	RunID  string
	Weight float64
}

// Result is a fused run as its caller gets it.
type Result struct {
	RunID      string             `json:"run_id"`
	RankedDocs []RankedDoc        `json:"ranked_docs"` // the best
	Total      int                `json:"total"`       // all that were ranked
	Metrics    rankfusion.Metrics `json:"metrics"`
	Params     ResultParams       `json:"params"`
	BaseRunID  string             `json:"base_run_id,omitempty"`
	Changed    []Change           `json:"changed,omitempty"`
	Warnings   []string           `json:"warnings"`
}

// ResultParams is what a fusion worked with, every default written out.
type ResultParams struct {
	Runs []Input `json:"runs"`
	rankfusion.Params
}

// RankedDoc is a publication with what its score is made of.
type RankedDoc struct {
	Rank     int    `json:"rank"`
	BestRank uint32 `json:"best_rank"` // in a single run
	Runs     uint32 `json:"runs"`      // that hold it
	CaseRanked
}

// Blend fuses runs of lanes into a new run.
func (d *Desk) Blend(ctx context.Context, client string, req BlendRequest) (*Result, error) {
	inputs, runs, err := d.inputs(client, req.Runs)
	if err != nil {
		return nil, err
	}
	if err := CheckParams(req.Params, types(inputs)); err != nil {
		return nil, err
	}
	return d.fuse(ctx, client, fusing{inputs: inputs, runs: runs, params: req.Params, limit: req.Limit})
}

// inputs finds the runs of a request and checks that they are what it says.
func (d *Desk) inputs(client string, asked []BlendRun) (inputs []Input, runs []*Run, err error) {
	if len(asked) == 0 {
		return nil, nil, wrong("runs", []string{}, "a list of one or more runs of lanes")
	}
	for i, in := range asked {
		name := fmt.Sprintf("runs.%d", i)
		if err := checkWeight(name+".weight", in.Weight); err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(asked[:i], func(o BlendRun) bool { return o.RunID == in.RunID }) {
			return nil, nil, wrong(name+".run_id_lane", in.RunID, "another run than those before it")
		}
		r, err := d.runs.get(client, name+".run_id_lane", in.RunID)
		if err != nil {
			return nil, nil, err
		}
		if r.Fusion != nil {
			return nil, nil, wrong(name+".run_id_lane", in.RunID, "the run of a lane; a fusion is tuned with rrf_mutate_run").With("lanes", r.lanes())
		}
		if in.Lane != "" && !slices.Contains(rankfusion.LaneTypes(in.Lane), r.Lane()) {
			return nil, nil, wrong(name+".lane", in.Lane, fmt.Sprintf("%q, which is the lane of this run", r.Lane()))
		}
		inputs = append(inputs, Input{Lane: r.Lane(), LaneName: r.Request.LaneName, RunID: r.ID, Weight: in.Weight})
		runs = append(runs, r)
	}
	return inputs, runs, nil
}

// fusing is a fusion to be made.
type fusing struct {
	base   *Run // nil for a blend
	inputs []Input
	runs   []*Run
	params rankfusion.Params
	limit  int
}

func (d *Desk) fuse(ctx context.Context, client string, f fusing) (*Result, error) {
	representatives, err := d.runs.representatives(ids(f.inputs))
	if err != nil {
		return nil, err
	}
	f.params.Representatives = among(representatives, f.runs)
	f.params = f.params.Effective()
	d.mu.Lock()
	defer d.mu.Unlock()
	lanes, gone, err := d.prepare(ctx, f.inputs, f.runs, f.params.FacetTerms)
	if err != nil {
		return nil, err
	}
	ranked := d.catalog.Blend(lanes, f.params)
	run := d.fused(f, lanes, ranked)
	if err := d.keepFused(client, run); err != nil {
		return nil, err
	}
	return d.result(f, run, ranked, d.lint(f, lanes, gone)), nil
}

// keepFused stores a fusion and lets the runs it came from live as long.
func (d *Desk) keepFused(client string, r *Run) error {
	if err := d.runs.put(client, r); err != nil {
		return err
	}
	for _, in := range r.Fusion.Inputs {
		if err := d.runs.renew(in.RunID); err != nil {
			return err
		}
	}
	return nil
}

func types(inputs []Input) (types []string) {
	for _, in := range inputs {
		types = append(types, in.Lane)
	}
	return types
}

func ids(inputs []Input) (ids []string) {
	for _, in := range inputs {
		ids = append(ids, in.RunID)
	}
	return ids
}

// among are the representatives that some run holds.
func among(representatives map[string]string, runs []*Run) map[string]string {
	held := map[string]string{}
	if len(representatives) == 0 {
		return held
	}
	for _, r := range runs {
		for _, id := range r.Docs {
			if category, ok := representatives[id]; ok {
				held[id] = category
			}
		}
	}
	return held
}

// fused makes the run of a fusion.
func (d *Desk) fused(f fusing, lanes []rankfusion.Lane, ranked []rankfusion.Placed) *Run {
	r := &Run{
		Collection: d.fingerprint, HitCount: len(ranked), Docs: make([]string, len(ranked)), Scores: make([]float64, len(ranked)),
		Fusion: &Fusion{
			Ancestors: []string{}, Inputs: f.inputs, Params: f.params, Metrics: d.catalog.Measure(lanes, ranked),
			Frontier: rankfusion.Frontier(ranked), Shares: d.catalog.Shares(lanes, ranked, f.params),
		},
	}
	for i, p := range ranked {
		r.Docs[i], r.Scores[i] = d.catalog.ID(p.Row), p.Score
	}
	if f.base != nil {
		r.Fusion.Base, r.Fusion.Ancestors = f.base.ID, append([]string{f.base.ID}, f.base.Fusion.Ancestors...)
	}
	return r.seal(d.now())
}

func (d *Desk) result(f fusing, r *Run, ranked []rankfusion.Placed, warnings []string) *Result {
	out := &Result{
		RunID: r.ID, RankedDocs: make([]RankedDoc, min(f.limit, len(ranked))), Total: len(ranked), Metrics: r.Fusion.Metrics,
		Params: ResultParams{f.inputs, f.params}, BaseRunID: r.Fusion.Base, Warnings: warnings,
	}
	for i := range out.RankedDocs {
		p := ranked[i]
		out.RankedDocs[i] = RankedDoc{i + 1, p.Best, p.Lanes, rankedOf(r.Docs[i], p)}
	}
	return out
}

func rankedOf(id string, p rankfusion.Placed) CaseRanked {
	return CaseRanked{id, p.RRF, p.PiCode, p.PiFacet, p.PiLane, p.PiRep, p.Pi, p.Score}
}
