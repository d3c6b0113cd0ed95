package find

import (
	"github.com/sagasu-search/sagasu/framework/judge"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// judged is how many of the best candidates the judgement reads.
const judged = 50

// gaps finds the content terms that no judged candidate holds.
func (s *search) gaps() []judge.Gap {
	var terms []judge.Term
	for _, t := range s.query.Terms {
		if t.Kind != sdk.TermNegative {
			terms = append(terms, judge.Term{Text: t.Text, Tokens: lexical.Names(t.Text)})
		}
	}
	return judge.Gaps(s.query.Intent, terms, forJudge(s.candidates[:min(judged, len(s.candidates))]))
}

func forJudge(candidates []candidate) []judge.Candidate {
	out := make([]judge.Candidate, len(candidates))
	for i, c := range candidates {
		out[i] = judge.Candidate{File: c.ManualID + "/" + c.Path, Held: c.Terms}
	}
	return out
}

// answer draws the reply from the trace.
func (s *search) answer(t *trace) *Answer {
	bias := judge.FileBias(forJudge(t.Candidates))
	sufficiency := judge.Sufficiency(len(t.Candidates), bias)
	status := judge.Verdict(len(t.Candidates), len(t.Gaps), 0, sufficiency)
	a := &Answer{
		TraceID: t.ID,
		Summary: Summary{
			ScannedFiles: t.Size.Files, ScannedNodes: t.Size.Sections - int(s.unexamined.GetCardinality()),
			Candidates: len(t.Candidates), Matched: t.Matched, FileBiasRatio: bias,
			GapCount: len(t.Gaps), IntegrationStatus: string(status), CutoffReason: t.cutoff(),
		},
		Warnings: append([]string{}, t.Warnings...),
	}
	situation := judge.Situation{
		TraceID: t.ID, Query: s.req.Query, Status: status, Candidates: len(t.Candidates),
		Narrowed:    s.req.ManualID != "" && len(groups(s.snap)) > 1 && s.engine.DefaultManual == "",
		Sufficiency: sufficiency, Bias: bias, Gaps: t.Gaps, Unscanned: t.unscanned(),
	}
	if len(t.Candidates) > 0 {
		best := t.Candidates[0]
		situation.Best = map[string]any{"manual_id": best.ManualID, "path": best.Path, "start_line": best.Line}
	}
	a.NextActions = judge.Next(situation)
	if s.req.ClaimGraph {
		a.Warnings = append(a.Warnings, "claim graphs are not built by this version")
	}
	if s.req.InlineHits > 0 {
		a.InlineHits = candidateRows(t.Candidates[:min(s.req.InlineHits, len(t.Candidates))], true, false)
	}
	return a
}
