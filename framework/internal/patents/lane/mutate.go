package lane

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// MutateRequest asks for a fusion with other parameters.
type MutateRequest struct {
	BaseRunID string
	Delta     Delta
	Limit     int
}

// Delta holds new values, not increments; nil is unchanged. Maps merge key by key.
type Delta struct {
	K            *float64
	Beta         *float64
	Weights      map[string]float64
	LaneWeights  map[string]float64
	PiWeights    map[string]float64
	Profile      rankfusion.Profile
	FacetTerms   map[string][]string
	FacetWeights map[string]float64
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
func (d *Desk) Mutate(ctx context.Context, client string, req MutateRequest) (*Result, error) {
	base, err := d.runs.get(client, "base_run_id", req.BaseRunID)
	if err != nil {
		return nil, err
	}
	if base.Fusion == nil {
		return nil, wrong("base_run_id", base.ID, "the run of a fusion; fuse this one with rrf_blend_frontier first").
			With("example", map[string]any{"runs": []string{base.ID}})
	}
	params := req.Delta.apply(base.Fusion.Params)
	if err := CheckParams(params, types(base.Fusion.Inputs)); err != nil {
		return nil, inDelta(err)
	}
	f := fusing{base: base, inputs: base.Fusion.Inputs, params: params, limit: req.Limit}
	for _, in := range f.inputs {
		r, err := d.runs.get(client, "base_run_id", in.RunID)
		if err != nil {
			return nil, err
		}
		f.runs = append(f.runs, r)
	}
	out, err := d.fuse(ctx, client, f)
	if err == nil {
		out.Changed = changes(base.Fusion.Params, out.Params.Params)
	}
	return out, err
}

// inDelta names a parameter as the caller wrote it.
func inDelta(err error) error {
	f := toolset.AsError(err)
	name := fmt.Sprint(f.Details["parameter"])
	f.Message = "mutate_delta." + strings.TrimPrefix(f.Message, "mutate_delta.")
	return f.With("parameter", "mutate_delta."+name)
}

func (d Delta) apply(p rankfusion.Params) rankfusion.Params {
	if d.K != nil {
		p.K = *d.K
	}
	if d.Beta != nil {
		p.Beta = *d.Beta
	}
	p.Weights, p.LaneWeights, p.PiWeights = merged(p.Weights, d.Weights), merged(p.LaneWeights, d.LaneWeights), merged(p.PiWeights, d.PiWeights)
	p.Profile = rankfusion.Profile{
		FI: merged(p.Profile.FI, d.Profile.FI), FT: merged(p.Profile.FT, d.Profile.FT),
		IPC: merged(p.Profile.IPC, d.Profile.IPC), CPC: merged(p.Profile.CPC, d.Profile.CPC),
	}
	p.FacetTerms, p.FacetWeights = merged(p.FacetTerms, d.FacetTerms), merged(p.FacetWeights, d.FacetWeights)
	return p
}

// merged is a new map: both runs keep their own.
func merged[V any](base, delta map[string]V) map[string]V {
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

// leaves are the parameters by their dotted names.
func leaves(p rankfusion.Params) map[string]any {
	out := map[string]any{"rrf_k": p.K, "beta_fuse": p.Beta}
	spread(out, "weights.", p.Weights)
	spread(out, "lane_weights.", p.LaneWeights)
	spread(out, "pi_weights.", p.PiWeights)
	spread(out, "target_profile.fi.", p.Profile.FI)
	spread(out, "target_profile.ft.", p.Profile.FT)
	spread(out, "target_profile.ipc.", p.Profile.IPC)
	spread(out, "target_profile.cpc.", p.Profile.CPC)
	spread(out, "facet_terms.", p.FacetTerms)
	spread(out, "facet_weights.", p.FacetWeights)
	spread(out, "representatives.", p.Representatives)
	return out
}

func spread[V any](out map[string]any, prefix string, m map[string]V) {
	for key, v := range m {
		out[prefix+key] = v
	}
}
