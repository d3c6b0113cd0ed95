// Answer: the reply, and how it is built from the trace.

package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// Answer is the reply to manual_find.
type Answer struct {
	TraceID     string           `json:"trace_id" doc:"Names this search in manual_hits."`
	ClaimGraph  *ClaimGraph      `json:"claim_graph,omitempty" doc:"What the best sections say on the query; there with include_claim_graph."`
	Summary     Summary          `json:"summary"`
	NextActions []toolset.Action `json:"next_actions"`
	Warnings    []string         `json:"warnings" optional:""`
	// DidYouMean are words of the corpus, for words of the query that it lacks.
	DidYouMean []string `json:"did_you_mean,omitempty" doc:"Words of the manuals for misspelt ones of the query."`
	// MissingTerms are the words of the query that no found section has in any form.
	MissingTerms []string `json:"missing_terms,omitempty" doc:"Words of the query that nothing found holds, in any form."`
	// AnsweredBy is nil if no sentence is likely to answer.
	AnsweredBy *judge.Answer `json:"answered_by,omitempty" schema:"object" doc:"The sentence that answers."`
	// Tensions, best first.
	Tensions []judge.Tension `json:"tensions,omitempty" schema:"objects" doc:"Pairs of sentences to compare."`
	// Passages are best first.
	Passages        []Passage `json:"passages,omitempty" doc:"Text of the best sections, best first."`
	TruncatedReason string    `json:"truncated_reason,omitempty" enum:"max_tokens" doc:"Present when passages were shortened or left out."`
	// InlineHits is nil unless requested; then it may be empty.
	InlineHits []Row `json:"inline_hits,omitzero" schema:"objects"`
}

// Sections implements [toolset.Linker].
func (a *Answer) Sections() (refs []toolset.Ref) {
	for _, p := range a.Passages {
		refs = append(refs, toolset.Ref{Target: "manual", ManualID: p.ManualID, Path: p.Path, StartLine: p.section})
	}
	return refs
}

// Counters implements [toolset.Counter].
func (a *Answer) Counters() []any {
	return []any{
		"candidates", a.Summary.Candidates, "matched", a.Summary.Matched, "scanned_files", a.Summary.ScannedFiles,
		"scanned_nodes", a.Summary.ScannedNodes, "skipped_files", a.Summary.SkippedFiles, "warnings", len(a.Warnings),
	}
}

// ClaimGraph holds what the best candidates say about the query.
type ClaimGraph struct {
	Claims    []judge.Claim    `json:"claims"`
	Evidences []judge.Witness  `json:"evidences"`
	Edges     []judge.Edge     `json:"edges"`
	Facets    []judge.FacetRow `json:"facets"`
}

// Summary holds the counts and the status of a search.
type Summary struct {
	ScannedFiles      int     `json:"scanned_files"`
	ScannedNodes      int     `json:"scanned_nodes"`
	SkippedFiles      int     `json:"skipped_files" doc:"Files of the scope that cannot be searched; manual_hits with kind skipped says why."`
	Candidates        int     `json:"candidates"`
	Matched           int     `json:"matched" schema:"-"`
	AtLeast           bool    `json:"at_least,omitempty" schema:"-"` // a collection may contain more matches
	Likely            int     `json:"likely" doc:"Sections that are about the query with a probability of 0.3 or more."`
	FileBiasRatio     float64 `json:"file_bias_ratio"`
	ConflictCount     int     `json:"conflict_count"`
	GapCount          int     `json:"gap_count"`
	IntegrationStatus string  `json:"integration_status" enum:"ready,needs_followup,blocked"`
	// StatusReasons lists why the status is not ready.
	StatusReasons []string `json:"status_reasons,omitempty" doc:"Why not ready: nothing_answers, gap, conflict, candidate_cap, time_budget, strategy_missing, asks_for_all."`
	CutoffReason  string   `json:"cutoff_reason,omitempty" enum:"time_budget,candidate_cap,stage_cap,hard_limit" doc:"Present when something was cut."`

	EscalationReasons []string `json:"escalation_reasons,omitempty" doc:"Present when the search was widened: why."`
}

// FileBias returns the share of the candidates that are in the most frequent file.
func (t *Trace) FileBias() float64 {
	return judge.FileBias(len(t.Candidates), func(i int) fileName {
		return fileName{t.Candidates[i].ManualID, t.Candidates[i].Path}
	})
}

// answer builds the reply from the trace. manual is the manual that the request named, or "", even if the search
// continued in others.
func (e *Engine) answer(
	ctx context.Context, p plan, manual string, view index.View, t *Trace,
) (*Answer, error) {
	snap := view.Snapshot
	bias := t.FileBias()
	inManual := t.candidatesIn(manual)
	graph := t.Graph
	a := &Answer{
		TraceID: t.ID,
		Summary: Summary{
			ScannedFiles: t.Scanned.Files, ScannedNodes: t.Scanned.Sections,
			Candidates: len(t.Candidates), Matched: t.Matched, AtLeast: t.atLeast(), Likely: t.countLikely(),
			FileBiasRatio: math.Round(bias*1000) / 1000, ConflictCount: len(graph.Conflicts), GapCount: len(graph.Gaps),
			SkippedFiles: toolset.SkippedFiles(t.Skipped), CutoffReason: t.Cutoff(), EscalationReasons: t.Escalation,
		},
		Warnings: append([]string{}, t.Warnings...), DidYouMean: graph.Meant, MissingTerms: graph.Missing,
	}
	if p.request.Passages > 0 {
		a.AnsweredBy, a.Tensions = graph.Answer, graph.Tensions
	}
	situation := judge.Situation{
		TraceID: t.ID, Query: p.wordings[0].Raw, Candidates: inManual,
		Narrowed: t.Manual != "" && len(groups(snap)) > 1 && e.DefaultManual == "",
		Manual:   manual, Unexpanded: !p.request.ExpandScope,
		Bias: bias, BiasLimit: p.settings.FileBias,
		Gaps: graph.Gaps, Conflicts: graph.Conflicts, Unscanned: t.countUnscanned(),
		Best: t.best(), Follow: graph.Follow(), Relevance: t.relevance(),
	}
	if inManual == 0 && len(t.Candidates) > 0 {
		a.Warnings = append(a.Warnings, "no candidate lies in "+manual+": what was found lies in other manuals")
	}
	cite := corpus.NewCiter(ctx, view.Manuals, snap)
	read := func(ctx context.Context) []source { return sourcesOf(ctx, &e.cuts, p, snap, t.integrated()) }
	// if passages are read again, then completely
	sources := t.recalledSources(func() []source { return read(context.WithoutCancel(ctx)) })
	if sources == nil {
		sources = read(ctx)
	}
	for i := range sources {
		sources[i].cite = cite
	}
	if by := a.AnsweredBy; by != nil { // leaves the answer of the trace unchanged
		cited := *by
		cited.Source = cite.Span(by.ManualID, by.Path, by.Line, by.Line)
		a.AnsweredBy = &cited
	}
	if err := a.conclude(situation, t, query.AsksForAll(text.Fold(p.query.Raw)), sources); err != nil {
		return nil, err
	}
	t.keepSources(sources, ctx.Err() == nil)
	if p.request.ClaimGraph {
		a.ClaimGraph = &ClaimGraph{graph.Claims, graph.Evidences, graph.Edges, graph.Facets}
	}
	if p.request.InlineHits > 0 {
		top := t.integrated()
		a.InlineHits = t.rows(top[:min(p.request.InlineHits, len(top))], true, false)
	}
	return a, nil
}

// candidatesIn counts the candidates. It returns 0 if a manual was named and all candidates are in
// other manuals, where the same words may mean something else.
func (t *Trace) candidatesIn(manual string) int {
	if manual == "" || slices.ContainsFunc(t.Candidates, func(c Candidate) bool { return c.ManualID == manual }) {
		return len(t.Candidates)
	}
	return 0
}

// closeBehind is the share of the best score from which on a section is nearly as good.
const closeBehind = 0.8

// best returns the best section and those nearly as good.
func (t *Trace) best() []toolset.Ref {
	var out []toolset.Ref
	top := t.integrated()
	for i, c := range top {
		if i == 0 || c.Score >= closeBehind*top[0].Score {
			out = append(out, toolset.Ref{Target: "manual", ManualID: c.ManualID, Path: c.Path, StartLine: c.Line})
		}
	}
	return out
}

// relevance returns the probability of each of the first sections that it is relevant: of a JSON file, that of its
// first part.
func (t *Trace) relevance() (out []float64) {
	for _, c := range t.integrated() {
		i := slices.IndexFunc(t.Graph.Evidences, func(w judge.Witness) bool { return c.is(w.Ref) })
		if i < 0 || i >= len(t.Graph.Relevance) {
			break
		}
		out = append(out, t.Graph.Relevance[i])
	}
	return out
}

// Reasons why an answer is not ready (docs/reference/status.md).
const (
	statusNothing  = "nothing_answers"
	statusGap      = "gap"
	statusConflict = "conflict"
	statusCap      = ReasonCap // the cut sections may have what is missing
	statusTime     = reasonTime
	statusStrategy = "strategy_missing"
	statusAll      = "asks_for_all" // but the answer does not show all
)

// reasons returns the reasons why the result is not enough, or none if it is. inManual is the number of
// candidates in the named manual.
func (t *Trace) reasons(inManual int) []string {
	var out []string
	for _, r := range []struct {
		holds  bool
		reason string
	}{
		{inManual == 0 || !t.Graph.Answered(), statusNothing},
		{len(t.Graph.Gaps) > 0, statusGap},
		{len(t.Graph.Conflicts) > 0, statusConflict},
		{slices.Contains(t.Lacks, statusTime), statusTime},
		{slices.Contains(t.Lacks, statusStrategy), statusStrategy},
	} {
		if r.holds {
			out = append(out, r.reason)
		}
	}
	return out
}

// conclude sets the status, the proposals and the passages. all says that the query asks for
// everything of a kind: then the answer is ready only if it shows everything. It fails if the
// answer costs more than MaxTokens.
func (a *Answer) conclude(s judge.Situation, t *Trace, all bool, sources []source) error {
	reasons, tensions, most := t.reasons(s.Candidates), a.Tensions, cmp.Or(t.Request.MaxTokens, math.MaxInt)
	cut := ""
	attempt := func(shown bool, sources []source) int {
		because := reasons
		if s.All = all && !shown; s.All {
			because = append(slices.Clip(reasons), statusAll)
		}
		s.Shown = shownOf(s.Best, sources)
		a.settle(s, t, because)
		a.Tensions, a.TruncatedReason = tensions, cut
		return a.show(sources, most)
	}
	least := attempt(false, sources)
	if all && a.showsAll(t) { // try the status "ready"; revert if its longer reply no longer shows all
		if least = attempt(true, sources); !a.showsAll(t) {
			least = attempt(false, sources)
		}
	}
	if least > most && a.AnsweredBy != nil {
		if a.AnsweredBy, cut = nil, reasonTokens; len(reasons) == 0 {
			reasons = []string{statusNothing} // the remaining reply has no answer
		}
		least = min(least, attempt(false, nil))
	}
	if least > most {
		return toolset.TooFew(most, least)
	}
	return nil
}

// shownOf says which sections passages are chosen from.
func shownOf(best []toolset.Ref, sources []source) []bool {
	out := make([]bool, len(best))
	for i, ref := range best {
		out[i] = slices.ContainsFunc(sources, func(s source) bool { return s.covers(ref) })
	}
	return out
}

// settle sets the status and the proposals.
func (a *Answer) settle(s judge.Situation, t *Trace, reasons []string) {
	if len(reasons) > 0 && t.Left[ReasonCap] > 0 {
		reasons = append(slices.Clip(reasons), statusCap)
	}
	switch {
	case len(t.Candidates) == 0:
		s.Status = judge.Blocked
	case len(reasons) > 0:
		s.Status = judge.NeedsFollowUp
	default:
		s.Status = judge.Ready
	}
	a.Summary.IntegrationStatus, a.Summary.StatusReasons = string(s.Status), reasons
	a.NextActions = judge.Next(s)
	if s.Status == judge.Ready && t.lacking > 0 {
		a.NextActions = append(a.NextActions, toolset.Action{
			Type: "manual_find", Reason: "insufficient_candidates",
			Params: map[string]any{"query": s.Query, "only_unscanned_from_trace_id": t.ID},
		})
	}
}

// showsAll reports whether there are likely sections and the passages show all of them.
func (a *Answer) showsAll(t *Trace) bool {
	return t.LikelyCut == 0 && t.countLikely() > 0 && !slices.ContainsFunc(t.Candidates, func(c Candidate) bool {
		return c.likely() && !slices.ContainsFunc(a.Passages, func(p Passage) bool {
			return p.isOf(c.ManualID, c.Path, c.Line) && (p.Whole || !corpus.IsJSON(p.Path))
		})
	})
}
