package search

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func forJudge(candidates []candidate) []judge.Candidate {
	out := make([]judge.Candidate, len(candidates))
	for i, c := range candidates {
		out[i] = judge.Candidate{ManualID: c.ManualID, Path: c.Path}
	}
	return out
}

// answer draws the reply from the trace.
func (s *search) answer(t *trace) *Answer {
	bias := judge.FileBias(forJudge(t.Candidates))
	asked := s.inAsked(t)
	sufficiency := judge.Sufficiency(asked, bias)
	status := judge.Verdict(len(t.Candidates), len(t.Graph.Gaps), len(t.Graph.Conflicts), sufficiency, t.Graph.Answered())
	a := &Answer{
		TraceID: t.ID,
		Summary: Summary{
			ScannedFiles: s.scannedFiles(t), ScannedNodes: t.Size.Sections - int(s.unexamined.GetCardinality()),
			Candidates: len(t.Candidates), Matched: t.Matched, FileBiasRatio: bias,
			ConflictCount: len(t.Graph.Conflicts), GapCount: len(t.Graph.Gaps), IntegrationStatus: string(status),
			CutoffReason: t.cutoff(), EscalationReasons: t.Escalation,
		},
		Warnings: append([]string{}, t.Warnings...),
	}
	a.NextActions = judge.Next(judge.Situation{
		TraceID: t.ID, Query: s.query.Raw, Status: status, Answered: t.Graph.Answered(), Candidates: asked,
		Narrowed: t.Manual != "" && len(groups(s.snap)) > 1 && s.engine.DefaultManual == "",
		Manual:   s.asked, Unexpanded: !s.req.ExpandScope,
		Sufficiency: sufficiency, Bias: bias, BiasLimit: s.settings.FileBias,
		Gaps: t.Graph.Gaps, Conflicts: t.Graph.Conflicts, Unscanned: t.unscanned(),
		Best: t.worthReading(), Follow: t.Graph.Follow(),
	})
	if status == judge.Ready && len(s.lacking) > 0 {
		half := 0.5
		a.NextActions = append(a.NextActions, toolset.Action{Type: "manual_find", Reason: "insufficient_candidates", Confidence: &half,
			Params: map[string]any{"query": s.query.Raw, "only_unscanned_from_trace_id": t.ID}})
	}
	if asked == 0 && len(t.Candidates) > 0 {
		a.Warnings = append(a.Warnings, "nothing in "+s.asked+" matches: what was found lies in other manuals")
	}
	if s.req.ClaimGraph {
		a.ClaimGraph = &ClaimGraph{t.Graph.Claims, t.Graph.Evidences, t.Graph.Edges, t.Graph.Facets}
	}
	if s.req.InlineHits > 0 {
		top := t.integrated()
		a.InlineHits = t.rows(top[:min(s.req.InlineHits, len(top))], true, false)
	}
	return a
}

// inAsked counts the candidates, none where a manual was named and all lie in others:
// they may speak of something else by the same words.
func (s *search) inAsked(t *trace) int {
	if s.asked == "" || slices.ContainsFunc(t.Candidates, func(c candidate) bool { return c.ManualID == s.asked }) {
		return len(t.Candidates)
	}
	return 0
}

// Sections that are hardly worse than the best one.
const (
	closeBehind = 0.8 // of its score
	mostBest    = 3
)

// worthReading gives the best section and those close behind it.
func (t *trace) worthReading() []toolset.Ref {
	var out []toolset.Ref
	top := t.integrated()
	for i, c := range top[:min(mostBest, len(top))] {
		if i == 0 || c.Score >= closeBehind*top[0].Score {
			out = append(out, toolset.Ref{Target: "manual", ManualID: c.ManualID, Path: c.Path, StartLine: c.Line})
		}
	}
	return out
}

// scannedFiles counts the files of which any section was looked at.
func (s *search) scannedFiles(t *trace) int {
	if s.unexamined.IsEmpty() {
		return t.Size.Files
	}
	scope := s.scope
	if scope == nil {
		scope = s.snap.Live()
	}
	return extent(s.snap, roaring.AndNot(scope, s.unexamined)).Files
}
