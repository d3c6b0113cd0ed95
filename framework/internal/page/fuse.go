package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// weight is the weight of a source, as a slider shows it.
type weight struct {
	Source string
	Weight float64
	Was    float64 // in the search that is kept
}

// Most is where the slider ends.
func (w weight) Most() float64 { return max(2, math.Ceil(2*w.Was), math.Ceil(w.Weight)) }

// refused is what a weight may be.
const mostWeight = 100

// weightPrefix begins the parameters that are weights.
const weightPrefix = "w."

// weights are those that the request gives, by source.
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
		if err != nil || !(n >= 0 && n <= mostWeight) {
			return nil, toolset.Invalid(name, values[0], "a number from 0 to 100")
		}
		out[source] = n
	}
	return out, nil
}

// coverage is the bonus that has a setting; the others cannot be set.
const coverage = "coverage"

// settable reports whether a configuration can set the weight of a source.
func settable(w search.SourceWeight) bool { return w.Stage != "bonus" || w.Source == coverage }

// settingsOf returns the lines of sagasu.toml that set weights which have changed.
func settingsOf(weights []weight) (lines []string) {
	for _, w := range weights {
		switch {
		case w.Weight == w.Was:
		case w.Source == coverage:
			lines = append(lines, fmt.Sprintf("sparse_query_coverage_weight = %v", w.Weight))
		default:
			lines = append(lines, fmt.Sprintf("strategies.%s.weight = %v", w.Source, w.Weight))
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int { // keys of their own before those of tables
		return strings.Compare(strings.SplitN(a, ".", 2)[0], strings.SplitN(b, ".", 2)[0])
	})
	return lines
}
