package lane

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// MutateRequest asks for a fusion with other parameters.
type MutateRequest struct {
	Call
	BaseRunID string `json:"base_run_id" alias:"run_id" required:"the run_id of a fusion" filled:"" doc:"The run_id of a fusion."`
	Delta     Delta  `json:"mutate_delta" alias:"delta" required:"an object with the parameters to change"`
	Topic     string `json:"topic" filled:"" maxLength:"200" doc:"As for the fusion, whose topic it is when not given."`
	Limit     int    `json:"limit" min:"1" max:"100000" default:"100" doc:"How many ranked_docs are listed."`
	Peek      *Page  `json:"peek" doc:"As of rrf_blend_frontier."`
}

// PrepareArguments implements [toolset.Preparer].
func (r *MutateRequest) PrepareArguments(a *toolset.Arguments) {
	r.Call.PrepareArguments(a)
	refuseSearching(a)
}

// Tuning holds the parameters of a fusion; nil is the default.
type Tuning struct {
	_            struct{}            `schema:"open"`
	Profile      TargetProfile       `json:"target_profile" schema:"object" doc:"Weights of codes by kind: {\"fi\": {\"G06V10/82\": 1.0}, \"ft\": {}, \"ipc\": {}, \"cpc\": {}}. Take codes from code_freqs of get_provenance."`
	Weights      map[string]float64  `json:"weights" min:"0" doc:"code (1.0), code_secondary (0.1), and lane types such as fulltext and semantic (1)."`
	LaneWeights  map[string]float64  `json:"lane_weights" min:"0" doc:"By lane name, with or without its type: recall is fulltext_recall. 1 when not given."`
	PiWeights    map[string]float64  `json:"pi_weights" min:"0" doc:"code (0.4), facet, lane and rep (0.3 each)."`
	FacetTerms   map[string][]string `json:"facet_terms" doc:"Terms by facet, such as {\"A\": [\"顔認証\"], \"B\": [\"マスク\", \"遮蔽\"]}."`
	FacetWeights map[string]float64  `json:"facet_weights" min:"0" doc:"By facet; 1 when not given."`
	K            *float64            `json:"rrf_k" min:"0" default:"60"`
	Depth        map[string]int      `json:"top_m_per_lane" min:"1" doc:"How many of the best of a run count, by lane type or name; all when not given."`
	Grid         Grid                `json:"k_grid" min:"1" maxItems:"50" doc:"The k of the frontier; 10, 20, 30, 40, 50, 80, 100 when not given."`
	Beta         *float64            `json:"beta_fuse" min:"0" default:"1.2" doc:"How much codes, facets, lanes and representatives raise a score."`
}

// Delta holds new values, not increments; nil is unchanged. Maps merge key by key.
type Delta Tuning

// PrepareArguments implements [toolset.Preparer].
func (*Delta) PrepareArguments(a *toolset.Arguments) { refuseSearching(a) }

// refuseSearching refuses parameters of a lane, which no fusion can change afterwards.
func refuseSearching(a *toolset.Arguments) {
	for _, name := range []string{"filters", "query", "text", "lanes", "runs", "top_k", "field_boosts",
		"feature_scope"} {
		if _, given := a.Find(name); !given {
			continue
		}
		n, _ := a.Take(name)
		full := a.FullName(name)
		a.Fail(toolset.Errorf(toolset.InvalidParameter,
			"%s needs a new search: run the lane again with run_multilane_search, then rrf_blend_frontier", full).
			Argument(full, n.Describe(), "weights, lane_weights, pi_weights, target_profile, facet_terms, "+
				"facet_weights, rrf_k or beta_fuse"))
	}
}

// Change is a parameter that differs between a run and its base; nil stands for
// none.
type Change struct {
	Parameter string `json:"parameter"`
	From      any    `json:"from"`
	To        any    `json:"to"`
}

// Mutate fuses the runs of a fusion again with other parameters. The base run
// stays as it is, and no lane is searched.
func (e *Engine) Mutate(ctx context.Context, req MutateRequest) (*Result, error) {
	base, err := e.runs.get(ctx, "base_run_id", req.BaseRunID)
	if err != nil {
		return nil, err
	}
	if base.Fusion == nil {
		return nil, wrong("base_run_id", base.ID, "the run of a fusion; fuse this one with rrf_blend_frontier first")
	}
	params := req.Delta.apply(base.Fusion.Params)
	if err := checkParams(params); err != nil {
		return nil, within("mutate_delta", err)
	}
	f := fusing{base: base, inputs: base.Fusion.Inputs, params: params,
		topic: cmp.Or(req.Topic, base.Fusion.Topic, defaultTopic), limit: req.Limit, peek: req.Peek}
	for _, in := range f.inputs {
		r, err := e.runs.get(ctx, "base_run_id", in.RunID)
		if err != nil {
			return nil, err
		}
		f.runs = append(f.runs, r)
	}
	out, err := e.fuse(ctx, f)
	if err == nil {
		out.Changed = changes(base.Fusion.Params, out.Params.Params)
		if was := cmp.Or(base.Fusion.Topic, defaultTopic); was != f.topic {
			out.Changed = append(out.Changed, Change{"topic", was, f.topic})
		}
	}
	return out, err
}

// within names a parameter as the caller wrote it, in an object.
func within(object string, err error) error {
	f, ok := errors.AsType[*toolset.Error](err)
	if !ok || f.Details["parameter"] == nil {
		return err
	}
	f.Message = object + "." + f.Message
	return f.With("parameter", fmt.Sprint(object, ".", f.Details["parameter"]))
}

func (d Delta) apply(p rankfusion.Params) rankfusion.Params {
	if d.K != nil {
		p.K = *d.K
	}
	if d.Beta != nil {
		p.Beta = *d.Beta
	}
	p.Weights, p.LaneWeights, p.PiWeights = merged(p.Weights, d.Weights), merged(p.LaneWeights, d.LaneWeights),
		merged(p.PiWeights, d.PiWeights)
	p.Profile = rankfusion.Profile{
		FI: merged(p.Profile.FI, d.Profile.FI), FT: merged(p.Profile.FT, d.Profile.FT),
		IPC: merged(p.Profile.IPC, d.Profile.IPC), CPC: merged(p.Profile.CPC, d.Profile.CPC),
	}
	p.Depth = merged(p.Depth, d.Depth)
	if d.Grid != nil {
		p.Grid = d.Grid
	}
	p.FacetTerms, p.FacetWeights = merged(p.FacetTerms, d.FacetTerms), merged(p.FacetWeights, d.FacetWeights)
	return p
}

// merged lays delta over base and changes neither.
func merged[V any](base, delta map[string]V) map[string]V {
	if len(delta) == 0 {
		return base
	}
	out := make(map[string]V, len(base)+len(delta))
	maps.Copy(out, base)
	maps.Copy(out, delta)
	return out
}

// changes lists what differs, in the order of names.
func changes(from, to rankfusion.Params) []Change {
	a, b := leaves(from), leaves(to)
	out := []Change{}
	for _, name := range slices.Sorted(maps.Keys(merged(a, b))) {
		if !reflect.DeepEqual(a[name], b[name]) {
			out = append(out, Change{name, a[name], b[name]})
		}
	}
	return out
}

// leaves returns the parameters by their dotted names.
func leaves(p rankfusion.Params) map[string]any {
	var all map[string]any
	raw, _ := json.Marshal(p) // finite numbers and texts
	_ = json.Unmarshal(raw, &all)
	out := map[string]any{}
	spread(out, "", all)
	return out
}

func spread(out map[string]any, prefix string, m map[string]any) {
	for key, v := range m {
		if object, ok := v.(map[string]any); ok {
			spread(out, prefix+key+".", object)
		} else if v != nil {
			out[prefix+key] = v
		}
	}
}
