package server

import (
	"errors"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Bounds of ranked_docs.
const (
	defaultRanked = 100
	maxRanked     = 100_000
)

// publicationFault gives a failure the code that the tools over publications
// have for it.
func publicationFault(err error) error {
	if f, ok := errors.AsType[*toolset.Error](err); ok && f.Code == toolset.InvalidParameter {
		f.Code = toolset.InvalidRRFCall
	}
	return err
}

// publicationArguments takes off what clients put around the arguments.
func publicationArguments(args *Arguments) *Arguments {
	args.Unwrap("params", "request")
	return args
}

func blendRequest(args *Arguments) (lane.BlendRequest, error) {
	args = publicationArguments(args)
	req := lane.BlendRequest{Params: rankfusion.DefaultParams()}
	for _, e := range args.RequiredElements("runs", "a list of runs, each with run_id_lane and, if wanted, lane and weight") {
		req.Runs = append(req.Runs, blendRun(e))
	}
	delta := fusionDelta(args)
	req.Params.K, req.Params.Beta = or(delta.K, rankfusion.DefaultK), or(delta.Beta, rankfusion.DefaultBeta)
	req.Params.Weights, req.Params.LaneWeights, req.Params.PiWeights = delta.Weights, delta.LaneWeights, delta.PiWeights
	req.Params.Profile, req.Params.FacetTerms, req.Params.FacetWeights = delta.Profile, delta.FacetTerms, delta.FacetWeights
	req.Limit = or(args.Int("limit", 1, maxRanked), defaultRanked)
	return req, publicationFault(args.Err())
}

// blendRun reads a run: its id, an object, or the handle that a search gave.
func blendRun(e element) lane.BlendRun {
	if e.object == nil {
		return lane.BlendRun{RunID: e.text, Weight: 1}
	}
	e.object.Rename("run_id", "run_id_lane")
	run := lane.BlendRun{
		RunID:  e.object.RequiredFilledText("run_id_lane", "the run_id of a search"),
		Lane:   e.object.FilledText("lane"),
		Weight: or(e.object.Number("weight"), 1),
	}
	e.object.Ignore("lane_name", "a string", '"')
	e.object.Ignore("hit_count", "an integer", '0')
	e.object.Ignore("top_k", "an integer", '0')
	e.object.Ignore("truncated", "a boolean", 't', 'f')
	e.object.Ignore("meta", "an object", '{')
	e.object.Ignore("status", "a string", '"')
	e.object.Ignore("warnings", "a list", '[')
	return run
}

// fusionDelta reads the parameters of a fusion.
func fusionDelta(args *Arguments) lane.Delta {
	return lane.Delta{
		K: args.Number("rrf_k"), Beta: args.Number("beta_fuse"),
		Weights: args.Numbers("weights"), LaneWeights: args.Numbers("lane_weights"), PiWeights: args.Numbers("pi_weights"),
		Profile: targetProfile(args), FacetTerms: args.TextLists("facet_terms"), FacetWeights: args.Numbers("facet_weights"),
	}
}

// profileKinds are the members of a target profile.
var profileKinds = []string{"fi", "ft", "ipc", "cpc"}

// targetProfile reads weights by kind and code; weights by code alone are of FI.
func targetProfile(args *Arguments) rankfusion.Profile {
	n, _ := args.value.find("target_profile")
	flat := len(n.members) > 0
	for _, m := range n.members {
		if _, isNumber := m.number(); !isNumber {
			flat = false
		}
	}
	if flat {
		return rankfusion.Profile{FI: args.Numbers("target_profile")}
	}
	p, _ := args.Object("target_profile")
	return rankfusion.Profile{FI: p.Numbers(profileKinds[0]), FT: p.Numbers(profileKinds[1]), IPC: p.Numbers(profileKinds[2]), CPC: p.Numbers(profileKinds[3])}
}

func mutateRequest(args *Arguments) (lane.MutateRequest, error) {
	args = publicationArguments(args)
	args.Rename("run_id", "base_run_id")
	args.Rename("delta", "mutate_delta")
	req := lane.MutateRequest{BaseRunID: args.RequiredFilledText("base_run_id", "the run_id of a fusion")}
	delta := args.RequiredObject("mutate_delta", "an object with the parameters to change")
	refuseSearching(delta)
	refuseSearching(args)
	req.Delta = fusionDelta(delta)
	req.Limit = or(args.Int("limit", 1, maxRanked), defaultRanked)
	return req, publicationFault(args.Err())
}

// searching are parameters of a lane, which no fusion can change afterwards.
var searching = []string{"filters", "query", "text", "lanes", "runs", "top_k", "field_boosts", "feature_scope"}

func refuseSearching(args *Arguments) {
	for _, name := range searching {
		if n, given := args.value.find(name); given {
			args.names = append(args.names, name)
			args.fail(toolset.Errorf(toolset.InvalidParameter, "%s needs a new search: run the lane again with run_multilane_search, then rrf_blend_frontier", args.prefix+name).
				With("parameter", args.prefix+name).With("got", n.describe()).With("expected", "weights, lane_weights, pi_weights, target_profile, facet_terms, facet_weights, rrf_k or beta_fuse"))
		}
	}
}

func provenanceRequest(args *Arguments) (runID string, err error) {
	args = publicationArguments(args)
	args.Rename("run_id_lane", "run_id")
	runID = args.RequiredFilledText("run_id", "the run_id of a search or a fusion")
	return runID, publicationFault(args.Err())
}

func registerRequest(args *Arguments) (lane.RegisterRequest, error) {
	args = publicationArguments(args)
	args.Rename("run_id_lane", "run_id")
	req := lane.RegisterRequest{PubIDs: requiredTexts(args, "pub_ids"), Category: args.Choice("category", "A", "B", "C"), RunID: args.FilledText("run_id")}
	if req.Category == "" {
		args.missing("category", "A, B or C")
	}
	return req, publicationFault(args.Err())
}

func requiredTexts(args *Arguments, name string) []string {
	if _, given := args.value.find(name); !given {
		args.missing(name, "a list of one or more "+name)
	}
	return args.Texts(name)
}
