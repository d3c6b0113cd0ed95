package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// VaultFinder searches the vault and pages what a search found.
type VaultFinder interface {
	FindVault(ctx context.Context, req search.VaultRequest) (*search.VaultAnswer, error)
	VaultHits(ctx context.Context, req search.HitsRequest) (*search.Hits, error)
}

// vaultFindTools search the vault, as far as there is one.
func vaultFindTools(f VaultFinder) []Tool {
	if f == nil {
		return nil
	}
	return []Tool{vaultFindTool(f), vaultHitsTool(f)}
}

func vaultFindTool(f VaultFinder) Tool {
	return Tool{
		Name:  "vault_find",
		Title: "Search the vault",
		Description: "Search what was written into the vault, ranked, and get a trace_id, figures and next_actions; page what was found with vault_hits. " +
			`Example: {"query": "RAID rebuild", "scope": {"glob": "!artifacts/daily/**"}}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1, "description": "What to search for, in plain words."},
		"scope": {
			"type": ["object", "null"],
			"properties": {
				"relative_dir": {"type": ["string", "null"], "description": "Only below this folder."},
				"glob": {"type": ["string", "null"], "description": "Such as *.md, drafts/** or !artifacts/daily/**; counts from relative_dir."}
			},
			"additionalProperties": false
		},
		"budget": {
			"type": ["object", "null"],
			"properties": {
				"max_candidates": {"type": ["integer", "null"], "minimum": 1, "default": 200},
				"time_ms": {"type": ["integer", "null"], "minimum": 1, "default": 60000}
			},
			"additionalProperties": false
		}
	},
	"required": ["query"],
	"additionalProperties": false
}`),
		Output: output(`{
	"trace_id": {"type": "string", "description": "Names this search in vault_hits."},
	"summary": {
		"type": "object",
		"properties": {
			"scanned_files": {"type": "integer"},
			"scanned_nodes": {"type": "integer"},
			"candidates": {"type": "integer"},
			"warnings": {"type": "array", "items": {"type": "string"}},
			"max_stage_applied": {"type": "number"},
			"scope_expanded": {"type": "boolean"},
			"integrated_candidates": {"type": "integer", "description": "Candidates, neighbours in a file taken as one."},
			"signal_coverage": {"type": "object", "properties": {"normalized": {"type": "number"}, "loose": {"type": "number"}}, "required": ["normalized", "loose"]},
			"file_bias_ratio": {"type": "number"},
			"gap_ranges_count": {"type": "integer", "description": "Parts of found files that no candidate holds."},
			"sufficiency_score": {"type": "number"},
			"integration_status": {"type": "string", "enum": ["ready", "needs_followup", "blocked"]},
			"cutoff_reason": {"type": "string", "enum": ["time_budget", "candidate_cap", "stage_cap", "hard_limit"]},
			"skipped": {"type": "array", "description": "Files of the scope that cannot be searched, and why; at most 20.", "items": {"type": "object"}}
		},
		"required": ["scanned_files", "scanned_nodes", "candidates", "warnings", "max_stage_applied", "scope_expanded", "integrated_candidates", "signal_coverage", "file_bias_ratio", "gap_ranges_count", "sufficiency_score", "integration_status"]
	},
	`+nextSchema+`
}`, "trace_id", "summary", "next_actions"),
		Example: json.RawMessage(`{"query": "RAID rebuild", "scope": {"relative_dir": "artifacts", "glob": "*.md"}, "budget": {"max_candidates": 200, "time_ms": 60000}}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := search.VaultRequest{Query: args.RequiredFilledText("query", "what to search for")}
			scope, _ := args.Object("scope")
			req.Dir, req.Glob = scope.Path("relative_dir"), scope.FilledText("glob")
			budget, _ := args.Object("budget")
			req.MaxCandidates = or(budget.Int("max_candidates", 1, Unbounded), defaultCandidates)
			req.TimeMS = or(budget.Int("time_ms", 1, Unbounded), defaultTimeMS)
			if err := args.Err(); err != nil {
				return nil, err
			}
			return f.FindVault(ctx, req)
		},
	}
}

func vaultHitsTool(f VaultFinder) Tool {
	return Tool{
		Name:  "vault_hits",
		Title: "Page what a search of the vault found",
		Description: "List what a vault_find left under its trace_id: the candidates in order (default), gaps (lines of found files that no candidate holds), or what was not scanned. " +
			`Rows hold refs with lines for vault_read, not text. Example: {"trace_id": "3f2a-91c0", "kind": "gaps"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"trace_id": {"type": "string", "minLength": 1, "description": "From vault_find."},
		"kind": {"type": ["string", "null"], "enum": ["candidates", "gaps", "unscanned", null], "default": "candidates"},
		"offset": {"type": ["integer", "null"], "minimum": 0, "default": 0},
		"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000, "default": 50}
	},
	"required": ["trace_id"],
	"additionalProperties": false
}`),
		Output: output(`{
	"trace_id": {"type": "string"},
	"kind": {"type": "string"},
	"offset": {"type": "integer"},
	"limit": {"type": "integer"},
	"total": {"type": "integer", "description": "Rows of this kind; go on with offset + limit while it is larger."},
	"items": {"type": "array", "items": {"type": "object"}, "description": "candidates: ref, score; gaps: ref; unscanned: ref, reason."}
}`, "trace_id", "kind", "offset", "limit", "total", "items"),
		Example: json.RawMessage(`{"trace_id": "trace_id of a vault_find", "kind": "candidates", "offset": 0, "limit": 50}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := search.HitsRequest{
				TraceID: args.RequiredFilledText("trace_id", "the trace_id of a vault_find"),
				Kind:    args.Choice("kind", search.VaultKinds...),
				Offset:  or(args.Int("offset", 0, Unbounded), 0),
				Limit:   or(args.Int("limit", 1, maxHits), defaultHits),
			}
			if req.Kind == "" {
				req.Kind = search.VaultKinds[0]
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return f.VaultHits(ctx, req)
		},
	}
}

const nextSchema = `"next_actions": {"type": "array", "items": {
		"type": "object",
		"properties": {
			"type": {"type": "string"},
			"reason": {"type": "string"},
			"confidence": {"type": ["number", "null"]},
			"params": {"type": ["object", "null"], "description": "A valid call of that tool as it stands."}
		},
		"required": ["type", "confidence", "params"]
	}}`
