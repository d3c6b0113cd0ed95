package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// Finder searches and pages what a search found.
type Finder interface {
	Find(ctx context.Context, req search.Request) (*search.Answer, error)
	Hits(ctx context.Context, req search.HitsRequest) (*search.Hits, error)
}

// Defaults and bounds of manual_find and manual_hits.
const (
	defaultCandidates = 200
	defaultTimeMS     = 60_000
	maxInlineHits     = 5
	defaultHits       = 50
	maxHits           = 1000
)

func findTool(f Finder) Tool {
	return Tool{
		Name:  "manual_find",
		Title: "Search the manuals",
		Description: "Search Markdown and JSON manuals, Japanese and English alike, and get a trace_id, figures and next_actions. " +
			"The answer holds no text: page what was found with manual_hits, then read with manual_read. " +
			"Ask in plain words; put exact phrases in double quotes and exclude with a leading minus. " +
			`Example: {"query": "disk failure \"error E21\"", "manual_id": "aoba-nas"}`,
		Input:   json.RawMessage(findInput),
		Output:  output(findOutput, "trace_id", "summary", "next_actions"),
		Example: json.RawMessage(`{"query": "how to replace a failed disk", "budget": {"max_candidates": 200, "time_ms": 60000}}`),
		Toolset: "manual",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, session *Session) (any, error) {
			req, err := findRequest(args)
			if err != nil {
				return nil, err
			}
			answer, err := f.Find(ctx, req)
			if err != nil {
				return nil, err
			}
			session.reread(answer.NextActions)
			return answer, nil
		},
	}
}

func findRequest(args *Arguments) (search.Request, error) {
	req := search.Request{
		Query:         args.RequiredFilledText("query", "what to search for"),
		ManualID:      args.ManualID("manual_id"),
		ExpandScope:   or(args.Bool("expand_scope"), true),
		OnlyUnscanned: args.FilledText("only_unscanned_from_trace_id"),
		ClaimGraph:    or(args.Bool("include_claim_graph"), false),
		UseCache:      args.Bool("use_cache"),
	}
	budget, _ := args.Object("budget")
	req.MaxCandidates = or(budget.Int("max_candidates", 1, Unbounded), defaultCandidates)
	req.TimeMS = or(budget.Int("time_ms", 1, Unbounded), defaultTimeMS)
	inline, given := args.Object("inline_hits")
	if limit := or(inline.Int("limit", 1, maxInlineHits), maxInlineHits); given {
		req.InlineHits = limit
	}
	return req, args.Err()
}

// or is the value pointed to, or the default when nothing was given.
func or[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}

const findInput = `{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1, "description": "What to search for, in plain words. A section with a phrase in \"…\" always matches; a leading - excludes a word or such a phrase."},
		"manual_id": {"type": ["string", "null"], "description": "Search this manual first; all manuals when not given."},
		"expand_scope": {"type": ["boolean", "null"], "default": true, "description": "Widen the search when what is found is little, one-sided or contradictory: other words, neighbouring and linked sections, other manuals."},
		"only_unscanned_from_trace_id": {"type": ["string", "null"], "description": "Search only the sections that this trace left unscanned."},
		"include_claim_graph": {"type": ["boolean", "null"], "default": false, "description": "Add claims, evidences and edges to the answer."},
		"use_cache": {"type": ["boolean", "null"], "description": "Allow an answer from the cache."},
		"budget": {
			"type": ["object", "null"],
			"properties": {
				"max_candidates": {"type": ["integer", "null"], "minimum": 1, "default": 200, "description": "The best so many are kept."},
				"time_ms": {"type": ["integer", "null"], "minimum": 1, "default": 60000, "description": "The search ends after so many milliseconds with what it has."}
			},
			"additionalProperties": false
		},
		"inline_hits": {
			"type": ["object", "null"],
			"properties": {
				"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 5, "default": 5}
			},
			"additionalProperties": false,
			"description": "Put the best rows into the answer, so that a simple question needs no manual_hits."
		}
	},
	"required": ["query"],
	"additionalProperties": false
}`

const findOutput = `{
	"trace_id": {"type": "string", "description": "Names this search in manual_hits."},
	"claim_graph": {"type": "object", "description": "What the best sections say on the query; there with include_claim_graph.", "properties": {
		"claims": {"type": "array", "items": {"type": "object", "properties": {
			"claim_id": {"type": "string"},
			"facet": {"type": "string", "enum": ["definition", "procedure", "eligibility", "exceptions", "compare", "unknown"]},
			"text": {"type": "string", "description": "A sentence of an evidence."},
			"status": {"type": "string", "enum": ["supported", "conflicted", "unresolved"]},
			"confidence": {"type": "number"},
			"evidence_id": {"type": "string"},
			"line": {"type": "integer"}
		}, "required": ["claim_id", "facet", "text", "status", "confidence"]}},
		"evidences": {"type": "array", "items": {"type": "object", "properties": {
			"evidence_id": {"type": "string"},
			"ref": {"type": "object"},
			"signals": {"type": "array", "items": {"type": "string"}},
			"score": {"type": "number"},
			"snippet_digest": {"type": "string"}
		}, "required": ["evidence_id", "ref", "signals", "score", "snippet_digest"]}},
		"edges": {"type": "array", "items": {"type": "object", "properties": {
			"from_claim_id": {"type": "string"},
			"to_evidence_id": {"type": "string"},
			"relation": {"type": "string", "enum": ["supports", "contradicts", "requires_followup"]},
			"confidence": {"type": "number"},
			"claim_line": {"type": "integer"},
			"evidence_line": {"type": "integer"},
			"pointer": {"type": "object", "description": "Where the evidence points."},
			"target": {"type": "object", "description": "The section that is meant, where it was found."}
		}, "required": ["from_claim_id", "to_evidence_id", "relation", "confidence"]}},
		"facets": {"type": "array", "items": {"type": "object", "properties": {
			"facet": {"type": "string"},
			"claim_count": {"type": "integer"},
			"supported_count": {"type": "integer"},
			"conflicted_count": {"type": "integer"},
			"unresolved_count": {"type": "integer"},
			"coverage_status": {"type": "string", "enum": ["covered", "partial", "missing"]}
		}, "required": ["facet", "claim_count", "supported_count", "conflicted_count", "unresolved_count", "coverage_status"]}}
	}, "required": ["claims", "evidences", "edges", "facets"]},
	"summary": {
		"type": "object",
		"properties": {
			"scanned_files": {"type": "integer"},
			"scanned_nodes": {"type": "integer"},
			"candidates": {"type": "integer"},
			"file_bias_ratio": {"type": "number"},
			"conflict_count": {"type": "integer"},
			"gap_count": {"type": "integer"},
			"integration_status": {"type": "string", "enum": ["ready", "needs_followup", "blocked"]},
			"cutoff_reason": {"type": "string", "enum": ["time_budget", "candidate_cap", "stage_cap", "hard_limit"], "description": "Present when something was cut."},
			"escalation_reasons": {"type": "array", "items": {"type": "string"}, "description": "Present when the search was widened: why."}
		},
		"required": ["scanned_files", "scanned_nodes", "candidates", "file_bias_ratio", "conflict_count", "gap_count", "integration_status"]
	},
	"next_actions": {"type": "array", "items": {
		"type": "object",
		"properties": {
			"type": {"type": "string"},
			"reason": {"type": "string"},
			"confidence": {"type": ["number", "null"]},
			"params": {"type": ["object", "null"], "description": "A valid call of that tool as it stands."}
		},
		"required": ["type", "confidence", "params"]
	}},
	"warnings": {"type": "array", "items": {"type": "string"}},
	"inline_hits": {"type": "array", "items": {"type": "object"}}
}`
