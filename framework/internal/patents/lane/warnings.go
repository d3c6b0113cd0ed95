package lane

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// warnings warn of a search that will not find what its caller thinks.
func (s *search) warnings(v index.View) (warnings []string) {
	if v.Unwritten != nil {
		warnings = append(warnings, v.Unwritten.Message+"; the collection is searched as it was before")
	} else if n := len(v.Lacking); n > 0 {
		warnings = append(warnings,
			fmt.Sprintf("the collection is still being indexed, files to come: %d; search again later", n))
	}
	if s.request.contradicts() {
		warnings = append(warnings, fmt.Sprintf("lane_name %q is kept as a name, though it begins with another type: "+
			"this is a %s lane", s.request.LaneName, s.request.Lane))
	}
	lints := patentquery.CheckSemantic(s.request.Text)
	if s.node != nil {
		lints = patentquery.Check(s.node, languageOf(v.Snapshot))
	} else if s.byDate() {
		warnings = append(warnings,
			"sort orders the top_k publications nearest in meaning by date; nearness decides which they are")
	}
	for _, l := range lints {
		message := l.Message
		if len(l.Terms) > 0 {
			message += " (" + strings.Join(l.Terms, ", ") + ")"
		}
		warnings = append(warnings, message)
	}
	return warnings
}

// nothing says why a search found nothing, where its strategy does not.
func (s *search) nothing() string {
	among := "no publication"
	if len(s.request.Filters) > 0 {
		among = "no publication that passes the filters"
	}
	if s.request.Lane == Semantic {
		return among + " is nearer in meaning than chance: " +
			"describe what is sought in the language of the publications, or loosen the filters"
	}
	return among + " holds all that the query asks for: leave out parts of it, or give synonyms by OR"
}

// contradicts reports whether a lane's name begins with another type than the lane has.
func (r Request) contradicts() bool {
	kind, err := Ask{Options: Options{LaneName: r.LaneName}}.kind()
	return err == nil && kind != r.Lane
}

// samples is how many publications the language of a collection is judged by.
const samples = 100

// languageOf returns what nearly all of the collection is written in.
func languageOf(snap *snapshot.Snapshot) patentquery.Language {
	size := snap.Live().GetCardinality()
	looked, japanese := 0, 0
	for i := range min(size, samples) {
		at := i
		if size > samples { // spread by the golden ratio, since languages may alternate
			_, part := math.Modf(float64(i) * math.Phi)
			at = uint64(part * float64(size))
		}
		section, _ := snap.Live().Select(uint32(at)) // at is below its size
		looked++
		abstract := snap.Source(section, snapshot.FieldAbst)
		if text.HasCJK(snap.Source(section, snapshot.FieldTitle) + abstract[:min(len(abstract), 500)]) {
			japanese++
		}
	}
	switch {
	case looked == 0:
		return patentquery.Mixed
	case japanese*20 >= looked*19:
		return patentquery.Japanese
	case japanese*20 <= looked:
		return patentquery.English
	}
	return patentquery.Mixed
}

// fusionWarnings warn of what makes a fusion mean less than its caller thinks.
func (e *Engine) fusionWarnings(f fusing, lanes []rankfusion.Lane, gone int) []string {
	out := []string{}
	say := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(len(f.runs) == 1, "only one run: there is nothing to fuse it with; add a run of another lane")
	for i, r := range f.runs {
		say(len(r.Docs) == 0, "run %s (%s) is empty", r.ID, f.inputs[i].LaneName)
		say(r.Collection != e.fingerprint,
			"the collection has changed since run %s was searched; search again for ranks of today", r.ID)
	}
	say(len(f.runs) > 1 && disjoint(f.runs),
		"the runs share no publication: their queries may ask for different things")
	say(gone > 0, "publications that are no longer in the collection count without codes and facets: %d", gone)
	say(!f.params.Profile.Empty() && e.catalog.Matches(lanes, f.params.Profile) == 0,
		"target_profile matches no publication: take codes from code_freqs of get_provenance")
	terms := e.catalog.Absent(lanes, f.params.FacetTerms)
	say(len(terms) > 0,
		"no publication holds these facet terms in title, abstract or claim: %s", strings.Join(terms, ", "))
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

// idle returns the weights that belong to no run and to no facet.
func (f fusing) idle() (keys []string) {
	types, names := []string{"code", "code_secondary"}, []string{}
	for _, in := range f.inputs {
		types = append(types, used(f.params.Weights, rankfusion.LaneTypes(in.Lane)))
		names = append(names, used(f.params.LaneWeights, rankfusion.LaneNames(in.Lane, in.LaneName)))
	}
	keys = append(keys, unread("weights.", f.params.Weights, types)...)
	keys = append(keys, unread("lane_weights.", f.params.LaneWeights, names)...)
	var cut []string
	for _, in := range f.inputs {
		cut = append(cut, used(f.params.Depth, append(rankfusion.LaneNames(in.Lane, in.LaneName),
			rankfusion.LaneTypes(in.Lane)...)))
	}
	keys = append(keys, unread("top_m_per_lane.", f.params.Depth, cut)...)
	return append(keys, unread("facet_weights.", f.params.FacetWeights,
		slices.Collect(maps.Keys(f.params.FacetTerms)))...)
}

// used returns the first of the names that weights has.
func used[V any](weights map[string]V, names []string) string {
	for _, name := range names {
		if _, ok := weights[name]; ok {
			return name
		}
	}
	return ""
}

func unread[V any](prefix string, weights map[string]V, known []string) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(weights)) {
		if !slices.Contains(known, key) {
			keys = append(keys, prefix+key)
		}
	}
	return keys
}
