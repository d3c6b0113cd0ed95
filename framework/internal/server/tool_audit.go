package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func auditTool(v Vault) Tool {
	return Tool{
		Name:  "artifact_audit",
		Title: "Check an artifact against its source",
		Description: "Tell what in a finished artifact cites no source lines, which branches hang in the air, which references lead nowhere, and how much of the source is cited. " +
			"Elements (headings, list items, table rows, Mermaid nodes and edges, JSON objects with an id) cite with source_lines: N-M beside them. " +
			`Example: {"artifact_path": "artifacts/raid-plan.md", "source_path": "drafts/source.md"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"artifact_path": ` + vaultPathSchema + `,
		"source_path": ` + vaultPathSchema + `,
		"cited_ranges": {"type": ["array", "null"], "items": ` + rangeSchema + `, "description": "Source lines used besides those that the artifact cites."},
		"require_source_lines": {"type": ["boolean", "null"], "default": true, "description": "Every element that asserts something must cite."}
	},
	"required": ["artifact_path", "source_path"],
	"additionalProperties": false
}`),
		Output: output(`{
	"artifact_path": {"type": "string"},
	"source_path": {"type": "string"},
	"rootless_nodes": {"type": "integer", "description": "Elements without valid source lines."},
	"orphan_branches": {"type": "integer", "description": "Nodes without edges, branches out of reach, decisions with one way out."},
	"one_way_refs": {"type": "integer", "description": "References to what is missing, or not returned."},
	"coverage_ratio": {"type": ["number", "null"], "description": "Source lines cited per source line holding text."},
	"cited_elements_ratio": {"type": ["number", "null"]},
	"uncovered_ranges_count": {"type": "integer"},
	"marginal_gain": {"type": ["number", "null"], "description": "Lines newly cited per token scanned since the last audit."},
	"needs_forced_full_scan": {"type": "boolean"},
	"total": {"type": "integer", "description": "Of all findings; mend those listed and audit again to see the next."},
	"truncated": {"type": "boolean", "description": "findings are the first 100, by line."},
	"findings": {"type": "array", "items": {
		"type": "object",
		"properties": {
			"kind": {"type": "string", "enum": ["rootless_node", "orphan_branch", "one_way_ref"]},
			"message": {"type": "string"},
			"node_id": {"type": ["string", "null"]},
			"line": {"type": "integer", "description": "Of the artifact."}
		},
		"required": ["kind", "message", "node_id", "line"]
	}},
	`+nextSchema+`
}`, "artifact_path", "source_path", "rootless_nodes", "orphan_branches", "one_way_refs", "coverage_ratio", "uncovered_ranges_count",
			"marginal_gain", "needs_forced_full_scan", "findings", "next_actions"),
		Example: json.RawMessage(`{"artifact_path": "artifacts/raid-plan.md", "source_path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}], "require_source_lines": true}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, session *Session) (any, error) {
			req := vault.AuditRequest{
				Artifact:     args.RequiredPath("artifact_path", "the path of a file in the vault, such as artifacts/plan.md"),
				Source:       args.RequiredPath("source_path", "the path of the file in the vault that the artifact rests on"),
				Cited:        args.Ranges("cited_ranges"),
				AllowUncited: !or(args.Bool("require_source_lines"), true),
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Audit(ctx, req, session.vaultMemory())
		},
	}
}
