package judge

import (
	"math"
	"slices"
	"strings"
)

// Action proposes a tool call. Params is a valid call as it stands.
type Action struct {
	Type       string         `json:"type"`
	Reason     string         `json:"reason,omitempty"`
	Confidence *float64       `json:"confidence"`
	Params     map[string]any `json:"params"`
}

// Situation is what the next call is chosen from.
type Situation struct {
	TraceID     string
	Query       string
	Narrowed    bool // one manual was searched and there are others
	Status      Status
	Candidates  int
	Sufficiency float64
	Bias        float64
	Gaps        []Gap
	Conflicts   []Conflict
	Unscanned   int            // sections that a repeat would look at
	Best        map[string]any // ref of the best section, nil without candidates
}

// biased is the file bias from which on, with enough candidates, the result
// counts as one-sided.
const biased = 0.8

// Next proposes calls, the most useful first (contract, next_actions).
func Next(s Situation) []Action {
	if s.Status == Ready {
		return []Action{action("manual_read", "manual_completed", s.Sufficiency, map[string]any{"ref": s.Best})}
	}
	actions := append([]Action{}, resolve(s.Conflicts)...)
	if s.Candidates < enough {
		actions = append(actions, widen(s))
	}
	for _, g := range s.Gaps {
		if missing := strings.Join(slices.Concat(g.About, g.Missing), " "); missing != s.Query && s.Candidates > 0 {
			actions = append(actions, action("manual_find", "fill_gaps", 0.5, map[string]any{"query": missing}))
		}
	}
	if s.Bias >= biased && s.Candidates >= enough && s.Unscanned > 0 {
		actions = append(actions, action("manual_find", "reduce_file_bias", 0.4, s.again()))
	}
	if s.Candidates > 0 {
		actions = append(actions, action("manual_read", "", s.Sufficiency, map[string]any{"ref": s.Best}))
	}
	return actions
}

// resolve proposes to read both sides of the first conflict.
func resolve(conflicts []Conflict) []Action {
	if len(conflicts) == 0 {
		return nil
	}
	var out []Action
	for _, side := range [...]Side{conflicts[0].A, conflicts[0].B} {
		r := side.Ref
		out = append(out, action("manual_read", "resolve_conflicts", 0.7, map[string]any{
			"ref": map[string]any{"manual_id": r.ManualID, "path": r.Path, "start_line": r.StartLine},
		}))
	}
	return out
}

// action rounds the confidence to what it can mean.
func action(kind, reason string, confidence float64, params map[string]any) Action {
	confidence = math.Round(confidence*100) / 100
	return Action{Type: kind, Reason: reason, Confidence: &confidence, Params: params}
}

// widen proposes where else to look when candidates are few.
func widen(s Situation) Action {
	const reason = "insufficient_candidates"
	switch {
	case s.Unscanned > 0:
		return action("manual_find", reason, 0.5, s.again())
	case s.Narrowed:
		return action("manual_find", reason, 0.5, map[string]any{"query": s.Query, "manual_id": nil, "expand_scope": true})
	}
	return action("manual_hits", reason, 0.2, map[string]any{"trace_id": s.TraceID, "kind": "unscanned"})
}

// again searches what the trace left out.
func (s Situation) again() map[string]any {
	return map[string]any{"query": s.Query, "only_unscanned_from_trace_id": s.TraceID}
}
