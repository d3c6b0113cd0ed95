package vault

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// The strategies that a vault is searched with (docs/reference/tools/vault_find.md).
const (
	strategyNormalized = "normalized"
	strategyLoose      = "loose"
)

// Finder searches a vault by rank and pages what was found. Safe for concurrent use.
type Finder struct {
	// Engine runs the strategies over the snapshots of the vault.
	Engine *search.Engine
	// Folder returns the path of a folder as it is stored; see [Vault.Folder].
	Folder func(param, dir string) (string, error)
}

// FindArgs are the arguments of vault_find.
type FindArgs struct {
	Query  string     `json:"query" required:"what to search for" filled:"" minLength:"1"`
	Scope  FindScope  `json:"scope"`
	Budget FindBudget `json:"budget"`
}

// FindScope limits the files that are searched.
type FindScope struct {
	Dir  rootfs.Path `json:"relative_dir" doc:"Only below this folder."`
	Glob string      `json:"glob" filled:"" doc:"Such as drafts/** or !*.json."`
}

// FindBudget bounds a search.
type FindBudget struct {
	MaxCandidates int `json:"max_candidates" min:"1" default:"200"`
	TimeMS        int `json:"time_ms" min:"1" default:"60000"`
}

// FindResult is the result of vault_find.
type FindResult struct {
	TraceID     string           `json:"trace_id" doc:"Names this search in vault_hits."`
	Summary     FindSummary      `json:"summary"`
	NextActions []toolset.Action `json:"next_actions"`
}

// FindSummary summarises a search of a vault.
type FindSummary struct {
	ScannedFiles         int            `json:"scanned_files"`
	ScannedNodes         int            `json:"scanned_nodes"`
	SkippedFiles         int            `json:"skipped_files" doc:"Files of the scope that cannot be searched; vault_hits with kind skipped lists all."`
	Candidates           int            `json:"candidates"`
	Warnings             []string       `json:"warnings"`
	MaxStageApplied      float64        `json:"max_stage_applied"` // 1.5: matching, then its judgement
	ScopeExpanded        bool           `json:"scope_expanded"`    // always false
	IntegratedCandidates int            `json:"integrated_candidates" doc:"Candidates, neighbours in a file taken as one."`
	SignalCoverage       SignalCoverage `json:"signal_coverage"`
	FileBiasRatio        float64        `json:"file_bias_ratio"`
	GapRangesCount       int            `json:"gap_ranges_count" doc:"Parts of found files that no candidate holds."`
	SufficiencyScore     float64        `json:"sufficiency_score"`
	IntegrationStatus    string         `json:"integration_status" enum:"ready,needs_followup,blocked"`
	CutoffReason         string         `json:"cutoff_reason,omitempty" enum:"time_budget,candidate_cap,stage_cap,hard_limit"`
	Skipped              []toolset.Skip `json:"skipped,omitempty" schema:"objects" doc:"Files of the scope that cannot be searched, and why; at most 20."`
}

// SignalCoverage is the share of the candidates, in [0, 1], that each strategy matched.
type SignalCoverage struct {
	Normalized float64 `json:"normalized"`
	Loose      float64 `json:"loose"`
}

// Counters implements [toolset.Counter].
func (r *FindResult) Counters() []any {
	s := &r.Summary
	return []any{"candidates", s.Candidates, "scanned_files", s.ScannedFiles, "warnings", len(s.Warnings)}
}

// Tools returns vault_find and vault_hits.
func (f *Finder) Tools() []toolset.Tool {
	return []toolset.Tool{
		toolset.Define(toolset.Tool{
			Name: "vault_find", Title: "Search the vault", Group: group, Hints: toolset.Reading,
			Description: "Search the vault with a question in plain words: a trace_id for vault_hits, and " +
				"next_actions. " +
				`Example: {"query": "RAID rebuild", "scope": {"glob": "!artifacts/daily/**"}}`,
			Example: json.RawMessage(`{"query": "RAID rebuild", "scope": {"relative_dir": "artifacts", "glob": "*.md"},
				"budget": {"max_candidates": 200, "time_ms": 60000}}`),
		}, f.Find),
		toolset.Define(toolset.Tool{
			Name: "vault_hits", Title: "Page what a search of the vault found", Group: group, Hints: toolset.Reading,
			Description: "Page what a vault_find found: candidates in order, gaps (lines of found files that no " +
				"candidate holds), what was not scanned, or cannot be (skipped). " +
				`Example: {"trace_id": "3f2a-91c0", "kind": "gaps"}`,
			Example: json.RawMessage(`{"trace_id": "trace_id of a vault_find", "kind": "candidates", "offset": 0, "limit": 50}`),
		}, f.Hits),
	}
}

// Find answers a search.
func (f *Finder) Find(ctx context.Context, args FindArgs) (out *FindResult, err error) {
	if strings.TrimSpace(args.Query) == "" || !utf8.ValidString(args.Query) {
		return nil, toolset.Invalid("query", args.Query, "a text that is not empty").
			With("example", map[string]any{"query": "返金 手順"})
	}
	dir, err := f.Folder("scope.relative_dir", string(args.Scope.Dir))
	if err != nil {
		return nil, err
	}
	args.Scope.Dir = rootfs.Path(dir)
	files, err := rootfs.NewGlob(args.Scope.Glob, dir)
	if err != nil {
		return nil, toolset.AsError(err).With("parameter", "scope.glob")
	}
	err = f.Engine.Hold(ctx, args.Budget.TimeMS, func(inTime context.Context, view index.View) error {
		scope := scopeOf(view, files)
		req := search.Request{Query: args.Query, MaxCandidates: args.Budget.MaxCandidates, TimeMS: args.Budget.TimeMS}
		ranking, err := f.Engine.Rank(inTime, view, req, scope)
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		out = result(f.Engine.Keep(ctx, ranking, gaps(view.Snapshot, ranking.Candidates)), args)
		out.Summary.SignalCoverage = SignalCoverage{ranking.Share(strategyNormalized), ranking.Share(strategyLoose)}
		return nil
	})
	return out, err
}

// scopeOf finds the sections of the chosen files, and the files among them that cannot be
// searched.
func scopeOf(view index.View, files rootfs.Glob) (scope search.Scope) {
	for _, file := range view.Skipped {
		if files.Match(file.Path) {
			scope.Skipped = append(scope.Skipped, toolset.Skip{Path: file.Path, Reason: file.Reason})
		}
	}
	if n := len(scope.Skipped); n > 0 {
		scope.Warnings = append(scope.Warnings, fmt.Sprintf("%s %s not searched: skipped says why",
			toolset.Counted(n, "file"), toolset.Are(n)))
	}
	scope.Sections = roaring.New()
	for file := range view.Snapshot.Files() {
		if file.Skipped == "" && files.Match(file.Path) {
			scope.Sections.Or(search.SectionsOf(view.Snapshot, file.Group, file.Path))
		}
	}
	for _, file := range view.Lacking {
		if files.Match(file.Path) {
			scope.Lacking = append(scope.Lacking, file)
		}
	}
	switch {
	case view.Unwritten != nil:
		scope.Warnings = append(scope.Warnings, view.Unwritten.Message+"; files are searched as they were before")
	case len(scope.Lacking) > 0:
		scope.Warnings = append(scope.Warnings, "indexing")
	case scope.Sections.IsEmpty():
		scope.Warnings = append(scope.Warnings, nothingInScope)
	}
	return scope
}

// nothingInScope warns that a folder or a pattern chooses no file that could be searched.
const nothingInScope = "no file of the vault lies in the scope"

// gaps returns the lines of found files that no candidate holds, the file with the best candidate
// first.
func gaps(snap *snapshot.Snapshot, candidates []search.Candidate) []toolset.Ref {
	held := map[string][]toolset.Range{}
	var files []search.Candidate
	for _, c := range candidates {
		if held[c.Path] == nil {
			files = append(files, c)
		}
		held[c.Path] = append(held[c.Path], toolset.Range{StartLine: c.Section.Start, EndLine: c.Section.OwnEnd})
	}
	var out []toolset.Ref
	for _, c := range files {
		first, last := textLines(snap, c)
		if first > 1 {
			held[c.Path] = append(held[c.Path], toolset.Range{StartLine: 1, EndLine: first - 1})
		}
		for _, r := range toolset.UncoveredRanges(toolset.MergeRanges(held[c.Path]), last) {
			out = append(out, toolset.Ref{Path: c.Path, StartLine: r.StartLine, EndLine: r.EndLine})
		}
	}
	return out
}

// textLines returns the lines of a candidate's file that sections hold. Front matter, which
// describes a text, stands before them.
func textLines(snap *snapshot.Snapshot, c search.Candidate) (first, last int) {
	first = c.Section.Start
	search.SectionsOf(snap, c.ManualID, c.Path).Iterate(func(id uint32) bool {
		if sec, ok := snap.Section(id); ok {
			first, last = min(first, sec.Start), max(last, sec.End)
		}
		return true
	})
	return first, last
}

// stageApplied is the stage of the judgement that follows matching.
const stageApplied = 1.5

// result builds the reply from the trace. It does not judge what texts say, since an artifact is
// expected to repeat its source.
func result(t *search.Trace, args FindArgs) *FindResult {
	bias := t.FileBias()
	score := sufficiency(len(t.Candidates), bias)
	status := verdict(len(t.Candidates), len(t.Gaps), score)
	return &FindResult{
		TraceID: t.ID,
		Summary: FindSummary{
			ScannedFiles: t.Scanned.Files, ScannedNodes: t.Scanned.Sections,
			SkippedFiles: len(t.Skipped), Skipped: t.Skipped[:min(mostSkipped, len(t.Skipped))],
			Candidates: len(t.Candidates), Warnings: append([]string{}, t.Warnings...), MaxStageApplied: stageApplied,
			IntegratedCandidates: integrated(t.Candidates), FileBiasRatio: bias,
			GapRangesCount: len(t.Gaps), SufficiencyScore: score,
			IntegrationStatus: string(status), CutoffReason: t.Cutoff(),
		},
		NextActions: nextActions(t, args, status, bias, score),
	}
}

// Figures of sufficiency (docs/reference/status.md).
const (
	plenty      = 5   // candidates from which on more add nothing
	biasPenalty = 0.2 // what a result from one file loses
	sufficient  = 0.6 // of a ready result
)

// sufficiency is min(1, n/5) · (1 − 0.2 · bias), in [0, 1].
func sufficiency(candidates int, bias float64) float64 {
	return min(1, float64(candidates)/plenty) * (1 - biasPenalty*bias)
}

// verdict draws the status from the figures.
func verdict(candidates, gaps int, score float64) judge.Status {
	switch {
	case candidates == 0:
		return judge.Blocked
	case score >= sufficient && gaps == 0:
		return judge.Ready
	}
	return judge.NeedsFollowUp
}

// integrated counts runs of lines that candidates of one file hold together.
func integrated(candidates []search.Candidate) int {
	held := map[string][]toolset.Range{}
	for _, c := range candidates {
		held[c.Path] = append(held[c.Path], toolset.Range{StartLine: c.Line, EndLine: c.EndLine})
	}
	n := 0
	for _, ranges := range held {
		n += len(toolset.MergeRanges(ranges))
	}
	return n
}

// Figures for the proposed next calls.
const (
	biasMin            = 0.8 // the share of candidates in one file that is too much,
	biasMinCandidates  = 5   // of so many at least
	confidenceBias     = 0.4
	confidenceFollowUp = 0.5
	confidenceNothing  = 0.2
	candidatesFactor   = 2 // how many more candidates a wider search keeps
)

// nextActions proposes calls, the most useful first.
func nextActions(t *search.Trace, args FindArgs, status judge.Status, bias, sufficiency float64) []toolset.Action {
	if status == judge.Blocked {
		return []toolset.Action{findOtherwise(args)}
	}
	best := t.Candidates[0]
	at := toolset.Range{StartLine: best.Line, EndLine: best.EndLine}
	read := toolset.Propose("vault_read", "vault_completed", sufficiency,
		map[string]any{"path": best.Path, "range": at})
	if status == judge.Ready {
		return []toolset.Action{read}
	}
	read.Reason = fillGaps
	actions := []toolset.Action{read}
	if bias >= biasMin && len(t.Candidates) >= biasMinCandidates && args.Scope.Glob == "" {
		scope := scopeParams(args.Scope)
		scope["glob"] = "!" + rootfs.EscapeGlob(relative(best.Path, string(args.Scope.Dir)))
		params := map[string]any{"query": args.Query, "scope": scope}
		actions = append(actions, toolset.Propose("vault_find", "reduce_file_bias", confidenceBias, params))
	}
	if t.Left[search.ReasonCap] > 0 {
		more := map[string]any{"max_candidates": candidatesFactor * args.Budget.MaxCandidates}
		params := map[string]any{"query": args.Query, "budget": more}
		if scope := scopeParams(args.Scope); len(scope) > 0 {
			params["scope"] = scope
		}
		actions = append(actions, toolset.Propose("vault_find", fillGaps, confidenceFollowUp, params))
	}
	if len(t.Gaps) > 0 {
		params := map[string]any{"path": t.Gaps[0].Path, "cursor": toolset.CursorAt(t.Gaps[0].StartLine, 0)}
		actions = append(actions, toolset.Propose("vault_scan", fillGaps, confidenceFollowUp, params))
	}
	return append(actions, toolset.Propose("vault_coverage", verifyCoverage, sufficiency,
		map[string]any{"path": best.Path, "cited_ranges": []toolset.Range{at}}))
}

// findOtherwise proposes another way where nothing was found: the letters of the query, or
// where it has none to look for, a list of the files.
func findOtherwise(args FindArgs) toolset.Action {
	params := scopeParams(args.Scope)
	if _, err := corpus.NewMatcher(corpus.ModeLoose, args.Query); err != nil {
		delete(params, "glob")
		return toolset.Propose("vault_ls", fillGaps, confidenceNothing, params)
	}
	params["query"], params["mode"] = args.Query, corpus.ModeLoose
	return toolset.Propose("vault_search", fillGaps, confidenceNothing, params)
}

// scopeParams returns the arguments that limit the files of a request.
func scopeParams(s FindScope) map[string]any {
	params := map[string]any{}
	if s.Dir != "" {
		params["relative_dir"] = string(s.Dir)
	}
	if s.Glob != "" {
		params["glob"] = s.Glob
	}
	return params
}

// relative returns a path below dir as a pattern means it; one without a slash would
// be a name in any folder.
func relative(path, dir string) string {
	path = strings.TrimPrefix(path, dir+"/")
	if !strings.Contains(path, "/") {
		return "./" + path
	}
	return path
}
