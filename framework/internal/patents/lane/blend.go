package lane

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/store"
)

// BlendRequest asks to fuse runs of lanes.
type BlendRequest struct {
	Call
	Runs BlendRuns `json:"runs" required:"a list of runs, each with run_id_lane and, if wanted, lane and weight" minItems:"1"`
	Tuning
	Topic string `json:"topic" filled:"" maxLength:"200" doc:"The topic whose representatives count, beside those of this lineage; default when not given."`
	Limit int    `json:"limit" min:"1" max:"100000" default:"100" doc:"How many ranked_docs are listed."`
	Peek  *Page  `json:"peek" doc:"A first page of snippets in the same answer, as peek_snippets gives it."`
}

// Page is a piece of a ranking with texts.
type Page struct {
	Offset int `json:"offset" min:"0" default:"0"`
	Limit  int `json:"limit" alias:"count" min:"1" max:"1000" default:"10"`
	Cutting
}

// Result is a fused run as its caller gets it.
type Result struct {
	Traced
	RunID      string                     `json:"run_id"`
	RankedDocs []RankedDoc                `json:"ranked_docs" doc:"The best, with what each score is made of."`
	Total      int                        `json:"total" optional:"" doc:"All that were ranked."`
	Frontier   []rankfusion.FrontierPoint `json:"frontier" schema:"objects" doc:"P, R and F of the best k by codes, facets, lanes and representatives."`
	Metrics    rankfusion.Metrics         `json:"metrics" schema:"object" doc:"LAS, CCW, S_shape, F_struct and Fproxy over the best 50; null where undefined, with reasons."`
	Params     ResultParams               `json:"params" schema:"object" doc:"What the fusion worked with, defaults written out."`
	BaseRunID  string                     `json:"base_run_id,omitempty"`
	Changed    []Change                   `json:"changed,omitzero" schema:"objects"`
	Used       Used                       `json:"representatives" optional:"" schema:"object" doc:"How many publications the representatives of the topic and of the lineage raised."`
	Peek       *Snippets                  `json:"peek,omitempty" schema:"object"`
	Warnings   []string                   `json:"warnings"`
}

// Counters implements [toolset.Counter].
func (r *Result) Counters() []any { return []any{"total", r.Total, "warnings", len(r.Warnings)} }

// ResultParams holds the parameters of a fusion, with defaults filled in.
type ResultParams struct {
	Runs []Input `json:"runs"`
	rankfusion.Params
}

// RankedDoc is a publication with what its score is made of.
type RankedDoc struct {
	Rank     int    `json:"rank"`
	BestRank uint32 `json:"best_rank" schema:"-"` // in a single run
	Runs     uint32 `json:"runs" schema:"-"`      // that hold it
	CaseRanked
	Lanes []Place `json:"lanes" optional:"" schema:"objects" doc:"Its rank in each run that holds it, and that run's share of the score."`
}

// Place is the place of a publication in a run.
type Place struct {
	Lane  string  `json:"lane"` // by its name without the type, or the type
	RunID string  `json:"run_id_lane"`
	Rank  int     `json:"rank"`
	Share float64 `json:"share"` // of the score; they sum to 1
}

// Blend fuses runs of lanes into a new run.
func (e *Engine) Blend(ctx context.Context, req BlendRequest) (*Result, error) {
	inputs, runs, err := e.inputs(ctx, req.Runs)
	if err != nil {
		return nil, err
	}
	params := Delta(req.Tuning).apply(rankfusion.DefaultParams())
	if err := checkParams(params); err != nil {
		return nil, err
	}
	topic := cmp.Or(req.Topic, defaultTopic)
	return e.fuse(ctx, fusing{inputs: inputs, runs: runs, params: params, topic: topic,
		limit: req.Limit, peek: req.Peek})
}

// inputs finds the runs of a request and checks that they are what it says.
func (e *Engine) inputs(ctx context.Context, asked []BlendRun) (inputs []Input, runs []*Run, err error) {
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
		r, err := e.runs.get(ctx, name+".run_id_lane", in.RunID)
		if err != nil {
			return nil, nil, err
		}
		if r.Fusion != nil {
			return nil, nil, wrong(name+".run_id_lane", in.RunID,
				"the run of a lane; a fusion is tuned with rrf_mutate_run").With("lanes", r.lanes())
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
	topic  string
	limit  int
	peek   *Page // nil for none
}

// fuse makes a fusion and shows the first page of it.
func (e *Engine) fuse(ctx context.Context, f fusing) (*Result, error) {
	if f.peek != nil {
		if _, err := f.peek.check(); err != nil {
			return nil, within("peek", err)
		}
	}
	out, err := e.fuseRuns(ctx, f)
	if err != nil || f.peek == nil {
		return out, err
	}
	out.Peek, err = e.Peek(ctx, PeekRequest{RunID: out.RunID, Offset: f.peek.Offset, Limit: f.peek.Limit,
		Cutting: f.peek.Cutting})
	return out, within("peek", err)
}

func (e *Engine) fuseRuns(ctx context.Context, f fusing) (*Result, error) {
	ofTopic, ofLineage, err := e.runs.inForce(ctx, f.topic, runIDs(f.inputs))
	if err != nil {
		return nil, err
	}
	f.params.Representatives = among(merged(ofTopic, ofLineage), f.runs)
	used := Used{Topic: f.topic}
	for id := range f.params.Representatives {
		if _, ok := ofLineage[id]; ok {
			used.OfLineage++
		} else {
			used.OfTopic++
		}
	}
	f.params = f.params.Effective()
	e.mu.Lock()
	defer e.mu.Unlock()
	lanes, gone, err := e.prepare(ctx, f.inputs, f.runs, f.params)
	if err != nil {
		return nil, err
	}
	ranked := e.catalog.Blend(lanes, f.params)
	run := e.fused(f, lanes, ranked)
	lost, err := e.runs.putFused(ctx, run)
	if err != nil {
		return nil, err
	}
	out := e.result(f, run, ranked, append(e.fusionWarnings(f, lanes, gone), lost...))
	places := e.places(f, lanes, ranked[:len(out.RankedDocs)])
	for i := range out.RankedDocs {
		out.RankedDocs[i].Lanes = places[i]
	}
	out.Used = used
	return out, nil
}

// putFused keeps a fusion, and the runs that it came from for another 12 hours, so that it can be
// tuned as long as it lives. A run that has just expired stays so.
func (s *Runs) putFused(ctx context.Context, r *Run) (warnings []string, err error) {
	warnings, err = s.put(ctx, r)
	if err != nil || len(warnings) > 0 {
		return warnings, err
	}
	for _, in := range r.Fusion.Inputs {
		if err := s.runs.Renew(ctx, allRuns, in.RunID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, stranded(fmt.Sprintf("the run %q cannot be renewed", in.RunID), s.runs, err)
		}
	}
	return nil, nil
}

func runIDs(inputs []Input) (ids []string) {
	for _, in := range inputs {
		ids = append(ids, in.RunID)
	}
	return ids
}

// among returns the representatives that some run holds.
func among(representatives map[string]string, runs []*Run) map[string]string {
	held := map[string]string{}
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
func (e *Engine) fused(f fusing, lanes []rankfusion.Lane, ranked []rankfusion.Placed) *Run {
	r := &Run{
		Collection: e.fingerprint, HitCount: len(ranked), Docs: make([]string, len(ranked)),
		Scores: make([]float64, len(ranked)),
		Fusion: &Fusion{
			Ancestors: []string{}, Inputs: f.inputs, Topic: f.topic, Params: f.params,
			Metrics:  e.catalog.Measure(lanes, ranked),
			Frontier: rankfusion.Frontier(ranked, f.params), Shares: e.catalog.Shares(lanes, ranked, f.params),
		},
	}
	for i, p := range ranked {
		r.Docs[i], r.Scores[i] = e.catalog.ID(p.Row), p.Score
	}
	if f.base != nil {
		r.Fusion.Base, r.Fusion.Ancestors = f.base.ID, append([]string{f.base.ID}, f.base.Fusion.Ancestors...)
	}
	return r.seal(e.now())
}

// places returns where the lanes have publications.
func (e *Engine) places(f fusing, lanes []rankfusion.Lane, ranked []rankfusion.Placed) [][]Place {
	at := make(map[uint32]int, len(ranked))
	for i, d := range ranked {
		at[d.Row] = i
	}
	out := make([][]Place, len(ranked))
	for i, l := range lanes {
		in := f.inputs[i]
		names := rankfusion.LaneNames(in.Lane, in.LaneName)
		for r, row := range l.Rows {
			if d, listed := at[row]; listed {
				place := Place{Lane: names[len(names)-1], RunID: in.RunID, Rank: r + 1}
				if sum := ranked[d].RRF; sum > 0 {
					place.Share = f.params.Part(l, r+1) / sum
				}
				out[d] = append(out[d], place)
			}
		}
	}
	return out
}

func (e *Engine) result(f fusing, r *Run, ranked []rankfusion.Placed, warnings []string) *Result {
	out := &Result{
		RunID: r.ID, RankedDocs: make([]RankedDoc, min(f.limit, len(ranked))), Total: len(ranked),
		Metrics: r.Fusion.Metrics, Frontier: r.Fusion.Frontier,
		Params: ResultParams{f.inputs, f.params}, BaseRunID: r.Fusion.Base, Warnings: warnings,
	}
	for i := range out.RankedDocs {
		p := ranked[i]
		out.RankedDocs[i] = RankedDoc{Rank: i + 1, BestRank: p.Best, Runs: p.Lanes,
			CaseRanked: CaseRanked{r.Docs[i], p.Parts}}
	}
	return out
}
