package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// weight is the weight of a source, as a slider shows it.
type weight search.SourceWeight

// Most returns the end of the slider. For a reranker, more than 1 would not change the order.
func (w weight) Most() float64 {
	if w.Stage == string(sdk.StageRerank) {
		return 1
	}
	return max(2, math.Ceil(2*w.Was), math.Ceil(w.Weight))
}

// weightPrefix begins the parameters that are weights.
const weightPrefix = "w."

// weights returns the weights in the request, by source.
func (q *request) weights() (map[string]float64, error) {
	out := map[string]float64{}
	if err := q.r.ParseForm(); err != nil {
		return nil, toolset.Errorf(toolset.InvalidParameter, "the form cannot be read: %w", err)
	}
	for name, values := range q.r.Form {
		source, ok := strings.CutPrefix(name, weightPrefix)
		if !ok || source == "" || len(values) == 0 || values[0] == "" {
			continue
		}
		n, err := strconv.ParseFloat(values[0], 64)
		if err != nil || !(n >= 0 && n <= search.MostWeight) {
			return nil, toolset.Invalid(name, values[0], "a number from 0 to 100")
		}
		out[source] = n
	}
	return out, nil
}

// sameWeight reports whether a slider shows both weights in the same place.
func sameWeight(a, b float64) bool { return math.Abs(a-b) < sliderStep/2 }

// sliderStep is the smallest step of a slider.
const sliderStep = 0.01

func byName(weights []weight) map[string]float64 {
	out := map[string]float64{}
	for _, w := range weights {
		out[w.Source] = w.Weight
	}
	return out
}

// bonusSettings are the settings of the bonuses that can be set.
var bonusSettings = map[string]string{"coverage": "sparse_query_coverage_weight"}

// settingsOf returns the lines of sagasu.toml that set the changed weights.
func settingsOf(weights []weight) (lines []string) {
	for _, w := range weights {
		if !sameWeight(w.Weight, w.Was) {
			setting := cmp.Or(bonusSettings[w.Source], "strategies."+w.Source+".weight")
			lines = append(lines, fmt.Sprintf("%s = %v", setting, w.Weight))
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int { // top-level keys before those of tables
		return strings.Compare(strings.SplitN(a, ".", 2)[0], strings.SplitN(b, ".", 2)[0])
	})
	return lines
}

// fused is a stored search in the order of other weights.
type fused struct {
	run
	weighing
}

// weighing is what the sliders show.
type weighing struct {
	Weights  []weight
	Settings []string // lines of configuration with these weights
	Unseen   int      // sections that the rerankers did not see
}

// fuse reorders a stored search with other weights.
func (q *request) fuse() error {
	limit, err := q.number("n", defaultHits, 1, mostHits)
	if err != nil {
		return err
	}
	asked, err := q.weights()
	if err != nil {
		return err
	}
	t, err := q.kept()
	if err != nil {
		return err
	}
	changed, err := q.changed(asked)
	if err != nil {
		return err
	}
	refit, err := q.Manuals.Refit(q.r.Context(),
		search.RefitRequest{TraceID: t.ID, Weights: byName(changed), Limit: limit})
	if err != nil {
		return err
	}
	out := &fused{run: run{Trace: t.ID, Query: t.Request.Query, Manual: t.Request.ManualID, Limit: limit},
		weighing: weighing{weightsOf(refit.Sources), nil, refit.Unseen}}
	out.Settings = settingsOf(out.Weights)
	last := 0 // of those that were among the candidates
	for _, item := range refit.Items {
		if item.Was <= len(t.Candidates) {
			last = max(last, item.Was)
		}
	}
	snippets, err := q.Manuals.Snippets(q.r.Context(), t.ID, last, snippetLength)
	if err != nil {
		return err
	}
	words := plannedOf(t).words()
	for _, item := range refit.Items {
		var snippet search.Snippet
		if item.Was > 0 && item.Was <= len(snippets) {
			snippet = snippets[item.Was-1]
		}
		h := newHit(item.Was, item.Row, snippet, words)
		h.Now = item.Rank
		out.Hits = append(out.Hits, h)
	}
	out.Sources = sourcesOf(t)
	draw(out.Hits, out.Sources)
	q.thumbs(&out.run)
	return q.show("fuse", q.name("weights"), out)
}

// weighed returns the weights of a stored search.
func (q *request) weighed(trace string) ([]weight, error) {
	refit, err := q.Manuals.Refit(q.r.Context(), search.RefitRequest{TraceID: trace, Limit: 1})
	if err != nil {
		return nil, err
	}
	return weightsOf(refit.Sources), nil
}

// weightsOf returns the weights that a configuration can set.
func weightsOf(sources []search.SourceWeight) (out []weight) {
	for _, s := range sources {
		if s.Stage != "bonus" || bonusSettings[s.Source] != "" {
			out = append(out, weight(s))
		}
	}
	return out
}
