package lane

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

// lint warns of what makes a fusion mean less than its caller thinks.
func (d *Desk) lint(f fusing, lanes []rankfusion.Lane, gone int) []string {
	out := []string{}
	say := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(len(f.runs) == 1, "only one run: there is nothing to fuse it with; add a run of another lane")
	for i, r := range f.runs {
		say(len(r.Docs) == 0, "run %s (%s) is empty", r.ID, f.inputs[i].LaneName)
		say(r.Collection != d.fingerprint, "the collection has changed since run %s was searched; search again for ranks of today", r.ID)
	}
	say(len(f.runs) > 1 && disjoint(f.runs), "the runs share no publication: their queries may ask for different things")
	say(gone > 0, "publications that are no longer in the collection count without codes and facets: %d", gone)
	say(!f.params.Profile.Empty() && d.catalog.Matches(lanes, f.params.Profile) == 0,
		"target_profile matches no publication: take codes from code_freqs of get_provenance")
	if terms := d.catalog.Absent(lanes, f.params.FacetTerms); len(terms) > 0 {
		say(true, "no publication holds these facet terms in title, abstract or claim: %s", strings.Join(terms, ", "))
	}
	for _, key := range f.idle() {
		say(true, "%s has no effect: no run or facet goes by that name", key)
	}
	return out
}

func disjoint(runs []*Run) bool {
	seen := map[string]bool{}
	for _, r := range runs {
		for _, id := range r.Docs {
			if seen[id] {
				return false
			}
			seen[id] = true
		}
	}
	return len(seen) > 0
}

// idle are the weights that belong to no run and to no facet.
func (f fusing) idle() (keys []string) {
	types, names := []string{"code", "code_secondary"}, []string{}
	for _, in := range f.inputs {
		types = append(types, used(f.params.Weights, rankfusion.LaneTypes(in.Lane)))
		names = append(names, used(f.params.LaneWeights, rankfusion.LaneNames(in.Lane, in.LaneName)))
	}
	keys = append(keys, unread("weights.", f.params.Weights, types)...)
	keys = append(keys, unread("lane_weights.", f.params.LaneWeights, names)...)
	return append(keys, unread("facet_weights.", f.params.FacetWeights, slices.Collect(maps.Keys(f.params.FacetTerms)))...)
}

// used is the first of the names that weights has.
func used(weights map[string]float64, names []string) string {
	for _, name := range names {
		if _, ok := weights[name]; ok {
			return name
		}
	}
	return ""
}

func unread(prefix string, weights map[string]float64, known []string) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(weights)) {
		if !slices.Contains(known, key) {
			keys = append(keys, prefix+key)
		}
	}
	return keys
}
