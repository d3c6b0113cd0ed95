// Answer: builds the reply from the trace.

package search

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// FileBias returns the share of the candidates that lie in one file.
func (t *Trace) FileBias() float64 {
	files := make([]judge.Candidate, len(t.Candidates))
	for i, c := range t.Candidates {
		files[i] = judge.Candidate{ManualID: c.ManualID, Path: c.Path}
	}
	return judge.FileBias(files)
}

// answer builds the reply from the trace. manual is the manual that the request named, even if the
// search went on in others, or "".
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
			Candidates: len(t.Candidates), Matched: t.Matched, AtLeast: t.atLeast(), Likely: t.likely(),
			FileBiasRatio: bias, ConflictCount: len(graph.Conflicts), GapCount: len(graph.Gaps),
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
		Gaps: graph.Gaps, Conflicts: graph.Conflicts, Unscanned: t.unscanned(),
		Best: t.best(), Follow: graph.Follow(), Relevance: graph.Relevance,
	}
	if inManual == 0 && len(t.Candidates) > 0 {
		a.Warnings = append(a.Warnings, "nothing in "+manual+" matches: what was found lies in other manuals")
	}
	cite := corpus.NewCiter(view.Manuals, snap)
	sources := t.sources
	if sources == nil {
		sources = sourcesOf(ctx, p, snap, t.integrated())
	} else {
		within := context.WithoutCancel(ctx) // passages are read again completely or not at all
		sources = t.recalledSources(func() []source { return sourcesOf(within, p, snap, t.integrated()) })
	}
	for i := range sources {
		sources[i].cite = cite
	}
	if by := a.AnsweredBy; by != nil { // the trace keeps its own
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

// Limits on the sections that are nearly as good as the best one.
const (
	closeBehind = 0.8 // share of the best score
	maxBest     = 3
)

// best returns the best section and those nearly as good.
func (t *Trace) best() []toolset.Ref {
	var out []toolset.Ref
	top := t.integrated()
	for i, c := range top[:min(maxBest, len(top))] {
		if i == 0 || c.Score >= closeBehind*top[0].Score {
			out = append(out, toolset.Ref{Target: "manual", ManualID: c.ManualID, Path: c.Path, StartLine: c.Line})
		}
	}
	return out
}
