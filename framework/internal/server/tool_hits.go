package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// hitKinds are what manual_hits can list; the first is the default.
var hitKinds = []string{"candidates", "unscanned", "conflicts", "gaps", "integrated_top", "claims", "evidences", "edges"}

func hitsTool(f Finder) Tool {
	return Tool{
		Name:  "manual_hits",
		Title: "Page what a search found",
		Description: "List what a manual_find left under its trace_id: the candidates in order (default), the judged top 20 (integrated_top), " +
			"what was not scanned, conflicts, gaps or the parts of the claim graph. Rows hold refs for manual_read, not text. " +
			"When manual_id stands once at the top, it belongs to every ref. " +
			`Example: {"trace_id": "3f2a-91c0", "kind": "integrated_top", "limit": 10}`,
		Input:   json.RawMessage(hitsInput),
		Output:  output(hitsOutput, "trace_id", "kind", "offset", "limit", "total", "items"),
		Example: json.RawMessage(`{"trace_id": "trace_id of a manual_find", "limit": 50, "offset": 0, "kind": "candidates", "explain": false}`),
		Toolset: "manual",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req, err := hitsRequest(args)
			if err != nil {
				return nil, err
			}
			return f.Hits(ctx, req)
		},
	}
}

func hitsRequest(args *Arguments) (search.HitsRequest, error) {
	req := search.HitsRequest{
		TraceID: args.RequiredFilledText("trace_id", "the trace_id of a manual_find"),
		Kind:    args.Choice("kind", hitKinds...),
		Offset:  or(args.Int("offset", 0, Unbounded), 0),
		Limit:   or(args.Int("limit", 1, maxHits), defaultHits),
		Explain: or(args.Bool("explain"), false),
	}
	if req.Kind == "" {
		req.Kind = hitKinds[0]
	}
	return req, args.Err()
}

const hitsInput = `{
	"type": "object",
	"properties": {
		"trace_id": {"type": "string", "minLength": 1, "description": "From manual_find."},
		"kind": {"type": ["string", "null"], "enum": ["candidates", "unscanned", "conflicts", "gaps", "integrated_top", "claims", "evidences", "edges", null], "default": "candidates"},
		"offset": {"type": ["integer", "null"], "minimum": 0, "default": 0},
		"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000, "default": 50},
		"explain": {"type": ["boolean", "null"], "default": false, "description": "Add to each candidate what every strategy contributed to its score."}
	},
	"required": ["trace_id"],
	"additionalProperties": false
}`

const hitsOutput = `{
	"trace_id": {"type": "string"},
	"kind": {"type": "string"},
	"offset": {"type": "integer"},
	"limit": {"type": "integer"},
	"total": {"type": "integer", "description": "Rows of this kind; go on with offset + limit while it is larger."},
	"manual_id": {"type": "string", "description": "Stands here once when every row has the same one."},
	"items": {"type": "array", "items": {"type": "object"}, "description": "candidates and integrated_top: ref, score, conflict_with and gap_hint; unscanned: ref, reason; conflicts: kind, claim_id and both sides, a and b, with ref, line and text; gaps: facet, missing_terms; claims, evidences and edges: as in claim_graph."}
}`
