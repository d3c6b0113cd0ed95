package judge

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Situation is what the next call is chosen from.
type Situation struct {
	TraceID     string
	Query       string
	Narrowed    bool   // one manual was searched and there are others
	Manual      string // the one that was named, "" for none: every further search names it
	Unexpanded  bool   // the search was not allowed to expand, nor is a further one
	Status      Status
	Answered    bool // the claim that answers the query is supported
	Candidates  int
	Sufficiency float64
	Bias        float64
	BiasLimit   float64 // the bias from which on a result is one-sided
	Gaps        []Gap
	Conflicts   []Conflict
	Unscanned   int           // sections that a repeat would look at
	Best        []toolset.Ref // the best section and those that are hardly worse
	Follow      []toolset.Ref // where the answer points for what it lacks
	All         bool          // the query asks for everything of a kind, and the reply does not show it
}

// Reasons of proposals (docs/reference/tools/manual_find.md).
const (
	reasonFew       = "insufficient_candidates"
	reasonConflicts = "resolve_conflicts"
	reasonGaps      = "fill_gaps"
	reasonBias      = "reduce_file_bias"
	reasonCompleted = "manual_completed"
)

// mostActions is a handful: more is no advice.
const mostActions = 5

// Next proposes calls, the most useful first (docs/reference/confidence.md). What was found
// is read before it is searched for again: a text that lacks something still says
// where it may stand.
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
		"trace_id": s.TraceID, "kind": "matched", "format": "lines",
	}}}
}

// reading is why the best sections are read.
func (s *Situation) reading() string {
	switch {
	case s.Status == Ready:
		return reasonCompleted
	case len(s.Gaps) > 0:
		return reasonGaps
	case s.Candidates < enough:
		return reasonFew
	case s.Bias >= s.BiasLimit && s.Candidates >= enough && len(s.Conflicts) == 0:
		return reasonBias
	}
	return reasonCompleted
}

// Confidence in what stands behind the best section.
const (
	inPointer = 0.6
	inSecond  = 0.5 // and half of it in the next
)

// read proposes the best section, where it points for what it lacks, and what is
// hardly worse.
func (s *Situation) read() []toolset.Action {
	var out []toolset.Action
	confidence := s.Sufficiency
	for i, ref := range s.Best {
		out = append(out, readOf(ref, s.reading(), confidence))
		if i == 0 {
			for _, f := range s.Follow {
				out = append(out, readOf(f, s.reading(), inPointer))
			}
			confidence = 2 * inSecond
		}
		confidence /= 2
	}
	return out
}

// resolve proposes to read both sides of a conflict, of that about the answer first.
func (s *Situation) resolve() []toolset.Action {
	if len(s.Conflicts) == 0 {
		return nil
	}
	c := s.Conflicts[max(0, slices.IndexFunc(s.Conflicts, func(c Conflict) bool { return c.ClaimID == firstClaim }))]
	return []toolset.Action{readOf(c.A.Ref, reasonConflicts, 0.7), readOf(c.B.Ref, reasonConflicts, 0.7)}
}

// search proposes other searches.
func (s *Situation) search() []toolset.Action {
	var out []toolset.Action
	if s.Candidates < enough {
		out = append(out, s.widen()...)
	}
	for _, g := range s.Gaps {
		switch words := g.wanted(); {
		case s.Candidates == 0, g.Need == "" && everyday(words):
		case !repeats(words, s.Query):
			out = append(out, action("manual_find", reasonGaps, 0.4, s.within(map[string]any{"query": words})))
		case s.Unscanned > 0 && (s.Manual == "" || !s.Unexpanded):
			out = append(out, action("manual_find", reasonGaps, 0.4, s.again()))
		}
	}
	if s.Bias >= s.BiasLimit && s.Candidates >= enough && s.Unscanned > 0 {
		out = append(out, action("manual_find", reasonBias, 0.4, s.again()))
	}
	return out
}

func readOf(r toolset.Ref, reason string, confidence float64) toolset.Action {
	return action("manual_read", reason, confidence, map[string]any{
		"ref": map[string]any{"manual_id": r.ManualID, "path": r.Path, "start_line": r.StartLine},
	})
}

// action rounds the confidence to what it can mean.
func action(kind, reason string, confidence float64, params map[string]any) toolset.Action {
	confidence = math.Round(confidence*100) / 100
	return toolset.Action{Type: kind, Reason: reason, Confidence: &confidence, Params: params}
}

// same reports whether two proposals are one call.
func same(a, b toolset.Action) bool {
	x, errX := json.Marshal(a.Params)
	y, errY := json.Marshal(b.Params)
	return a.Type == b.Type && errX == nil && errY == nil && string(x) == string(y)
}

// wanted gives the terms of a gap, each once.
func (g *Gap) wanted() string {
	var out []string
	for _, w := range slices.Concat(g.About, g.Missing) {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// everyday reports words of which none would find anything by itself.
func everyday(words string) bool {
	for w := range strings.FieldsSeq(text.Fold(words)) {
		if !commonWords[w] && !commonWords[strings.TrimSuffix(w, "s")] && !askingWords[w] {
			return false
		}
	}
	return true
}

// repeats reports whether words are those of the query, in whatever order.
func repeats(words, query string) bool {
	norm := text.Fold(query)
	for w := range strings.FieldsSeq(text.Fold(words)) {
		if !strings.Contains(norm, w) {
			return false
		}
		norm = strings.Replace(norm, w, " ", 1)
	}
	return strings.Trim(norm, " ?.。、!") == ""
}

// within begins a search where this one began, and keeps it there if this one was.
func (s *Situation) within(params map[string]any) map[string]any {
	if s.Manual != "" {
		params["manual_id"] = s.Manual
		if s.Unexpanded {
			params["expand_scope"] = false
		}
	}
	return params
}

// widen proposes where else to look when candidates are few: nowhere, where all was looked at.
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
	return []toolset.Action{action("manual_find", reasonFew, 0.5, params)}
}

// again searches what the trace left out.
func (s *Situation) again() map[string]any {
	return map[string]any{"query": s.Query, "only_unscanned_from_trace_id": s.TraceID}
}
