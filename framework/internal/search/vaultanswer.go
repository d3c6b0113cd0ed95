package search

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// VaultAnswer is the reply to vault_find.
type VaultAnswer struct {
	TraceID     string           `json:"trace_id"`
	Summary     VaultSummary     `json:"summary"`
	NextActions []toolset.Action `json:"next_actions"`
}

// VaultSummary holds the figures of a search in a vault.
type VaultSummary struct {
	ScannedFiles    int      `json:"scanned_files"`
	ScannedNodes    int      `json:"scanned_nodes"`
	Candidates      int      `json:"candidates"`
	Warnings        []string `json:"warnings"`
	MaxStageApplied float64  `json:"max_stage_applied"` // 1.5: matching, then its judgement
	ScopeExpanded   bool     `json:"scope_expanded"`    // never: the scope is kept to
	// IntegratedCandidates counts the candidates with neighbours taken as one.
	IntegratedCandidates int `json:"integrated_candidates"`
	// SignalCoverage is the share of the candidates that each strategy matched.
	SignalCoverage    SignalCoverage `json:"signal_coverage"`
	FileBiasRatio     float64        `json:"file_bias_ratio"`
	GapRangesCount    int            `json:"gap_ranges_count"`
	SufficiencyScore  float64        `json:"sufficiency_score"`
	IntegrationStatus string         `json:"integration_status"`
	CutoffReason      string         `json:"cutoff_reason,omitempty"`
	// Skipped are files of the scope that cannot be searched.
	Skipped []toolset.Skip `json:"skipped,omitempty"`
}

// SignalCoverage are shares in [0, 1].
type SignalCoverage struct {
	Normalized float64 `json:"normalized"`
	Loose      float64 `json:"loose"`
}

// vaultStage is the stage of the judgement that follows matching.
const vaultStage = 1.5

// vaultAnswer draws the reply from the trace.
func (s *search) vaultAnswer(t *trace, req VaultRequest) *VaultAnswer {
	bias := judge.FileBias(forJudge(t.Candidates))
	sufficiency := judge.Sufficiency(len(t.Candidates), bias)
	status := judge.Verdict(len(t.Candidates), len(t.GapRanges), 0, sufficiency, true)
	return &VaultAnswer{
		TraceID: t.ID,
		Summary: VaultSummary{
			ScannedFiles: s.scannedFiles(t), ScannedNodes: t.Size.Sections - int(s.unexamined.GetCardinality()),
			Candidates: len(t.Candidates), Warnings: append([]string{}, t.Warnings...), MaxStageApplied: vaultStage,
			IntegratedCandidates: integrated(t.Candidates),
			SignalCoverage:       SignalCoverage{s.held("normalized"), s.held("loose")},
			FileBiasRatio:        bias, GapRangesCount: len(t.GapRanges), SufficiencyScore: sufficiency,
			IntegrationStatus: string(status), CutoffReason: t.cutoff(), Skipped: s.skipped,
		},
		NextActions: vaultNext(t, req, status, bias, sufficiency),
	}
}

// integrated counts runs of lines that candidates of one file hold together.
func integrated(candidates []candidate) int {
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

// Figures from which on most candidates lying in one file is told.
const (
	vaultBias       = 0.8
	vaultBiasLeast  = 5
	vaultFollowUp   = 0.5
	vaultNothing    = 0.2
	vaultMoreFactor = 2
)

// vaultNext proposes calls, the most useful first (contract, next_actions).
func vaultNext(t *trace, req VaultRequest, status judge.Status, bias, sufficiency float64) []toolset.Action {
	if status == judge.Blocked {
		return []toolset.Action{vaultOtherwise(t.Request.Query, req)}
	}
	best := t.Candidates[0]
	at := map[string]any{"start_line": best.Line, "end_line": best.EndLine}
	if status == judge.Ready {
		return []toolset.Action{vaultAction("vault_read", "vault_completed", sufficiency, map[string]any{"path": best.Path, "range": at})}
	}
	actions := []toolset.Action{}
	if bias >= vaultBias && len(t.Candidates) >= vaultBiasLeast && req.Glob == "" {
		scope := scopeOf(req)
		scope["glob"] = "!" + rootfs.EscapeGlob(relative(best.Path, req.Dir))
		actions = append(actions, vaultAction("vault_find", "reduce_file_bias", 0.4, map[string]any{"query": t.Request.Query, "scope": scope}))
	}
	if t.Left[reasonCap] > 0 {
		more := map[string]any{"max_candidates": vaultMoreFactor * t.Request.MaxCandidates}
		params := map[string]any{"query": t.Request.Query, "budget": more}
		if scope := scopeOf(req); len(scope) > 0 {
			params["scope"] = scope
		}
		actions = append(actions, vaultAction("vault_find", "fill_gaps", vaultFollowUp, params))
	}
	if len(t.GapRanges) > 0 {
		g := t.GapRanges[0]
		cursor := map[string]any{"start_line": g.Start, "char_offset": 0}
		actions = append(actions, vaultAction("vault_scan", "fill_gaps", vaultFollowUp, map[string]any{"path": g.Path, "cursor": cursor}))
	}
	return append(actions, vaultAction("vault_coverage", "verify_coverage", sufficiency,
		map[string]any{"path": best.Path, "cited_ranges": []any{at}}))
}

// vaultOtherwise proposes another way where nothing was found: the characters of the
// query, or where it has none to look for, what there is.
func vaultOtherwise(query string, req VaultRequest) toolset.Action {
	params := scopeOf(req)
	if text.Loose(text.Fold(query)) == "" {
		delete(params, "glob")
		return vaultAction("vault_ls", "fill_gaps", vaultNothing, params)
	}
	params["query"], params["mode"] = query, "loose"
	return vaultAction("vault_search", "fill_gaps", vaultNothing, params)
}

// scopeOf are the arguments that limit a request's files.
func scopeOf(req VaultRequest) map[string]any {
	scope := map[string]any{}
	if req.Dir != "" {
		scope["relative_dir"] = req.Dir
	}
	if req.Glob != "" {
		scope["glob"] = req.Glob
	}
	return scope
}

func vaultAction(kind, reason string, confidence float64, params map[string]any) toolset.Action {
	confidence = math.Round(confidence*100) / 100
	return toolset.Action{Type: kind, Reason: reason, Confidence: &confidence, Params: params}
}

// relative is a path below dir as a pattern means it; one without a slash would
// be a name in any folder.
func relative(path, dir string) string {
	if dir != "" {
		path = strings.Join(strings.Split(path, "/")[strings.Count(strings.Trim(dir, "/"), "/")+1:], "/")
	}
	if !strings.Contains(path, "/") {
		return "./" + path
	}
	return path
}

// VaultKinds are the kinds of rows that a vault's trace serves.
var VaultKinds = []string{"candidates", "gaps", "unscanned"}

// VaultHits serves a page of a vault's trace.
func (e *Engine) VaultHits(_ context.Context, req HitsRequest) (*Hits, error) {
	if !slices.Contains(VaultKinds, req.Kind) {
		return nil, toolset.Invalid("kind", req.Kind, "one of "+strings.Join(VaultKinds, ", "))
	}
	t, err := e.archive.get(req.TraceID)
	if bad, ok := errors.AsType[*toolset.Error](err); ok && bad.Code == toolset.NotFound {
		return nil, toolset.Errorf(toolset.NotFound, "there is no trace %q, or it has expired; call vault_find again", req.TraceID).
			With("parameter", "trace_id").With("got", req.TraceID)
	}
	if err != nil {
		return nil, err
	}
	h := &Hits{TraceID: t.ID, Kind: req.Kind, Offset: req.Offset, Limit: req.Limit}
	rows := t.vaultRows(req.Kind)
	h.Total, h.Items = len(rows), append([]Row{}, page(rows, req)...)
	return h, nil
}

func (t *trace) vaultRows(kind string) []Row {
	var rows []Row
	switch kind {
	case "candidates":
		for _, c := range t.Candidates {
			rows = append(rows, Row{Ref: vaultRef(c.Path, c.Line, c.EndLine, c.Title, c.Signals), Score: &c.Score})
		}
	case "gaps":
		for _, g := range t.GapRanges {
			rows = append(rows, Row{Ref: vaultRef(g.Path, g.Start, g.End, "", nil)})
		}
	case "unscanned":
		for _, r := range unscannedRows(t) {
			rows = append(rows, Row{Ref: vaultRef(r.Ref.Path, r.Ref.StartLine, 0, "", nil), Reason: r.Reason})
		}
	}
	return rows
}

func vaultRef(path string, start, end int, title string, signals []string) *HitRef {
	return &HitRef{Ref: toolset.Ref{Target: "vault", Path: path, StartLine: start, EndLine: end}, Title: title, Signals: signals}
}
