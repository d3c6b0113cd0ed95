package lane

import (
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
		With("parameter", parameter).With("got", got).With("expected", expected)
}

// shown is what an error repeats of an argument: at most n characters.
func shown(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
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

// CheckParams refuses parameters of a fusion of lanes of the given types that
// have no meaning: keys that nothing reads, numbers out of range, empty terms.
func CheckParams(p rankfusion.Params, types []string) error {
	if err := checkWeight("rrf_k", p.K); err != nil {
		return err
	}
	if err := checkWeight("beta_fuse", p.Beta); err != nil {
		return err
	}
	known := []string{"code", "code_secondary", "fulltext", "semantic", "original_dense"}
	if err := checkWeights("weights", p.Weights, append(known, types...)); err != nil {
		return err
	}
	if err := checkWeights("pi_weights", p.PiWeights, slices.Sorted(maps.Keys(rankfusion.PiDefaults()))); err != nil {
		return err
	}
	for _, m := range []struct {
		name    string
		weights map[string]float64
	}{
		{"lane_weights", p.LaneWeights}, {"facet_weights", p.FacetWeights},
	} {
		if err := checkWeights(m.name, m.weights, nil); err != nil {
			return err
		}
	}
	if err := checkProfile(p.Profile); err != nil {
		return err
	}
	if err := checkFacets(p.FacetTerms); err != nil {
		return err
	}
	return checkCategories(p.Representatives)
}

func checkProfile(p rankfusion.Profile) error {
	for _, m := range []struct {
		name    string
		weights map[string]float64
	}{
		{"target_profile.fi", p.FI}, {"target_profile.ft", p.FT}, {"target_profile.ipc", p.IPC},
		{"target_profile.cpc", p.CPC},
	} {
		for code := range m.weights {
			if strings.TrimSpace(code) == "" {
				return wrong(m.name, code, "weights by code, and no code is empty")
			}
		}
		if err := checkWeights(m.name, m.weights, nil); err != nil {
			return err
		}
	}
	return nil
}

// checkWeights looks at each number, and at each key where only some are known.
func checkWeights(parameter string, weights map[string]float64, known []string) error {
	for _, key := range slices.Sorted(maps.Keys(weights)) {
		name := parameter + "." + key
		if known != nil && !slices.Contains(known, key) {
			err := wrong(name, weights[key],
				"one of "+strings.Join(slices.Compact(slices.Sorted(slices.Values(known))), ", "))
			if near := toolset.DidYouMean(key, known, 3); len(near) > 0 {
				err = err.With("did_you_mean", near)
			}
			return err
		}
		if err := checkWeight(name, weights[key]); err != nil {
			return err
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
		if err := checkCategory("representatives."+id, representatives[id]); err != nil {
			return err
		}
	}
	return nil
}

func checkCategory(parameter, category string) error {
	if _, ok := rankfusion.Representativeness()[category]; !ok {
		return wrong(parameter, category, "A, B or C")
	}
	return nil
}
