package judge

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Situation is the input for choosing the next call.
type Situation struct {
	TraceID    string
	Query      string
	Narrowed   bool   // one manual was searched, but there are others
	Manual     string // the manual that was named, or ""
	Unexpanded bool   // neither this search nor a further one may expand
	Status     Status
	Candidates int
	Bias       float64
	BiasLimit  float64 // the bias from which on a result is one-sided
	Gaps       []Gap
	Conflicts  []Conflict
	Unscanned  int           // sections that a repeated search would scan
	Best       []toolset.Ref // the best section and those nearly as good, by rank
	Shown      []bool        // which of these the reply shows a passage of
	Follow     []toolset.Ref // sections that the answer refers to for what it lacks
	Relevance  []float64     // probabilities of the best sections, as far as known
	All        bool          // the query asks for everything of a kind, and the reply does not show it
}

// ReasonConflicts is the reason to read both sides of a conflict.
const ReasonConflicts = "resolve_conflicts"

// Other reasons of proposals (docs/reference/tools/manual_find.md).
const (
	reasonFew       = "insufficient_candidates"
	reasonGaps      = "fill_gaps"
	reasonBias      = "reduce_file_bias"
	reasonCompleted = "manual_completed"
)

// mostActions is the maximum number of proposals: a longer list would not help. mostBest is that of proposals to read
// one of the best sections.
const (
	mostActions = 5
	mostBest    = 3
)

// listTokens bounds the first page of a list of everything that matched, the likely ones first.
const listTokens = 2000

// Next proposes calls, the most useful first (docs/reference/confidence.md). It proposes to read found sections
// before searching again: even a text without the answer may say where to find it.
func Next(s Situation) []toolset.Action {
	if len(s.Conflicts) > 0 {
		s.Best, s.Follow = s.Best[:min(1, len(s.Best))], nil
	}
	all := slices.Concat(s.list(), s.resolve(), s.read())
	if s.Status != Ready {
		all = append(all, s.search()...)
	}
	out := []toolset.Action{}
	for _, a := range all {
		if len(out) < mostActions && !slices.ContainsFunc(out, func(b toolset.Action) bool { return same(a, b) }) {
			out = append(out, a)
		}
	}
	return out
}

// list proposes to list everything that matched.
func (s *Situation) list() []toolset.Action {
	if !s.All || s.Candidates == 0 {
		return nil
	}
	return []toolset.Action{{Type: "manual_hits", Reason: reasonCompleted, Params: map[string]any{
		"trace_id": s.TraceID, "kind": "matched", "format": "lines", "max_tokens": listTokens,
	}}}
}

// reading returns the reason to read the best sections.
func (s *Situation) reading() string {
	switch {
	case s.Status == Ready:
		return reasonCompleted
	case len(s.Gaps) > 0:
		return reasonGaps
	case s.Candidates < enough:
		return reasonFew
	case s.Bias >= s.BiasLimit && len(s.Conflicts) == 0:
		return reasonBias
	}
	return reasonCompleted
}

// read proposes to read the best section, the sections that it refers to for what it lacks, and those nearly as good.
func (s *Situation) read() []toolset.Action {
	var out []toolset.Action
	for n, i := range s.order() {
		out = append(out, readOf(s.Best[i], s.reading(), s.relevance(i)))
		if n == 0 {
			for _, f := range s.Follow {
				out = append(out, readOf(f, s.reading(), nil))
			}
		}
	}
	return out
}

// order returns the numbers of the best sections to propose. Where the reply does not suffice, sections that it shows
// nothing of come before the rest of those that it shows in part; the best one comes first in any case.
func (s *Situation) order() []int {
	var out, shown []int
	for i := range s.Best {
		if i > 0 && s.Status != Ready && i < len(s.Shown) && s.Shown[i] {
			shown = append(shown, i)
		} else {
			out = append(out, i)
		}
	}
	out = append(out, shown...)
	return out[:min(mostBest, len(out))]
}

// relevance returns the probability that best section i is relevant, or nil if unknown.
func (s *Situation) relevance(i int) *float64 {
	if i >= len(s.Relevance) {
		return nil
	}
	return new(math.Round(s.Relevance[i]*100) / 100)
}

// resolve proposes to read both sides of the first conflict.
func (s *Situation) resolve() []toolset.Action {
	if len(s.Conflicts) == 0 {
		return nil
	}
	c := s.Conflicts[0]
	return []toolset.Action{readOf(c.A.Ref, ReasonConflicts, nil), readOf(c.B.Ref, ReasonConflicts, nil)}
}

// search proposes other searches.
func (s *Situation) search() []toolset.Action {
	var out []toolset.Action
	if s.Candidates < enough {
		out = append(out, s.widen()...)
	}
	if s.Bias >= s.BiasLimit && s.Candidates >= enough && s.Unscanned > 0 {
		out = append(out, find(reasonBias, s.again()))
	}
	if len(s.Gaps) > 0 && s.Candidates > 0 && s.Unscanned > 0 && (s.Manual == "" || !s.Unexpanded) {
		out = append(out, find(reasonGaps, s.again())) // searching again for a word that no text has would find nothing
	}
	return out
}

func readOf(r toolset.Ref, reason string, confidence *float64) toolset.Action {
	return toolset.Action{Type: "manual_read", Reason: reason, Confidence: confidence, Params: map[string]any{
		"ref": map[string]any{"manual_id": r.ManualID, "path": r.Path, "start_line": r.StartLine},
	}}
}

func find(reason string, params map[string]any) toolset.Action {
	return toolset.Action{Type: "manual_find", Reason: reason, Params: params}
}

// same reports whether two proposals are the same call.
func same(a, b toolset.Action) bool {
	x, errX := json.Marshal(a.Params)
	y, errY := json.Marshal(b.Params)
	return a.Type == b.Type && errX == nil && errY == nil && string(x) == string(y)
}

// widen proposes where else to search if there are few candidates, unless everything was searched.
func (s *Situation) widen() []toolset.Action {
	params := map[string]any{"query": s.Query, "expand_scope": true}
	switch {
	case s.Unscanned > 0:
		params = s.again()
	case s.Narrowed:
		params["manual_id"] = nil
	case !s.Unexpanded:
		return nil
	}
	return []toolset.Action{find(reasonFew, params)}
}

// again returns the parameters of a search of the unscanned sections.
func (s *Situation) again() map[string]any {
	return map[string]any{"query": s.Query, "only_unscanned_from_trace_id": s.TraceID}
}
