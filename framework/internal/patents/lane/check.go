package lane

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// maxWeight is the largest number that a parameter of a fusion may be.
const maxWeight = 1e6

// wrong reports a bad argument.
func wrong(parameter string, got any, expected string) *toolset.Error {
	return toolset.Errorf(toolset.InvalidRRFCall, "%s must be %s", parameter, expected).
		Argument(parameter, got, expected)
}

func checkWeight(parameter string, n float64) error {
	if n >= 0 && n <= maxWeight {
		return nil
	}
	var got any = n
	if math.IsNaN(n) || math.IsInf(n, 0) {
		got = fmt.Sprint(n) // JSON has no number for it
	}
	return wrong(parameter, got, "a number from 0 to 1000000")
}

// checkParams refuses parameters of a fusion that have no meaning: keys that nothing reads, numbers
// out of range, empty terms. types are those of lanes beside the ones that can be searched.
func checkParams(p rankfusion.Params, types ...string) error {
	known := []string{"code", "code_secondary", "fulltext", "semantic", "original_dense"}
	return cmp.Or(
		checkWeight("rrf_k", p.K), checkWeight("beta_fuse", p.Beta),
		checkWeights("weights", p.Weights, append(known, types...)),
		checkWeights("pi_weights", p.PiWeights, slices.Sorted(maps.Keys(rankfusion.PiDefaults()))),
		checkWeights("lane_weights", p.LaneWeights, nil), checkWeights("facet_weights", p.FacetWeights, nil),
		checkCodes("target_profile.fi", p.Profile.FI), checkCodes("target_profile.ft", p.Profile.FT),
		checkCodes("target_profile.ipc", p.Profile.IPC), checkCodes("target_profile.cpc", p.Profile.CPC),
		checkFacets(p.FacetTerms), checkCategories(p.Representatives), checkDepths(p),
	)
}

func checkCodes(parameter string, weights map[string]float64) error {
	for code := range weights {
		if strings.TrimSpace(code) == "" {
			return wrong(parameter, code, "weights by code, and no code is empty")
		}
	}
	return checkWeights(parameter, weights, nil)
}

// checkWeights looks at each number, and at each key where only some are known.
func checkWeights(parameter string, weights map[string]float64, known []string) error {
	for _, key := range slices.Sorted(maps.Keys(weights)) {
		name := parameter + "." + key
		if known != nil && !slices.Contains(known, key) {
			names := slices.Compact(slices.Sorted(slices.Values(known)))
			return near(wrong(name, weights[key], "one of "+strings.Join(names, ", ")), key, known)
		}
		if err := checkWeight(name, weights[key]); err != nil {
			return err
		}
	}
	return nil
}

func checkDepths(p rankfusion.Params) error {
	for _, name := range slices.Sorted(maps.Keys(p.Depth)) {
		if n := p.Depth[name]; n < 1 {
			return wrong("top_m_per_lane."+name, n, "an integer of 1 or more")
		}
	}
	for _, k := range p.Grid {
		if k < 1 || k > MaxTopK {
			return wrong("k_grid", p.Grid, "integers from 1 to 100000")
		}
	}
	return nil
}

func checkFacets(facets map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(facets)) {
		blank := func(term string) bool { return strings.TrimSpace(term) == "" }
		if terms := facets[name]; len(terms) == 0 || slices.ContainsFunc(terms, blank) {
			return wrong("facet_terms."+name, terms, "a list of one or more terms, none of them blank")
		}
	}
	return nil
}

func checkCategories(representatives map[string]string) error {
	for _, id := range slices.Sorted(maps.Keys(representatives)) {
		if _, ok := rankfusion.Representativeness()[representatives[id]]; !ok {
			return wrong("representatives."+id, representatives[id], "A, B or C")
		}
	}
	return nil
}
