package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

const maxCharsSchema = `{
	"type": ["object", "null"],
	"properties": {"max_chars": {"type": ["integer", "null"], "minimum": 1, "description": "At most the server's VAULT_MAX_CHARS, 12000 by default."}},
	"additionalProperties": false
}`

func vaultReadTool(v Vault) Tool {
	return Tool{
		Name:  "vault_read",
		Title: "Read a file of the vault",
		Description: "Read a range of lines, or with full the whole file, up to a limit. Go on behind a cut with offset set to next_offset, or with vault_scan. " +
			`Example: {"path": "artifacts/raid-plan.md", "range": {"start_line": 1, "end_line": 40}}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"path": ` + vaultPathSchema + `,
		"full": {"type": ["boolean", "null"], "default": false, "description": "Read all of it; without it a range is needed."},
		"range": {"anyOf": [` + rangeSchema + `, {"type": "null"}]},
		"offset": ` + fmt.Sprintf(cursorSchema, "next_offset of the call before.") + `,
		"limits": ` + maxCharsSchema + `
	},
	"required": ["path"],
	"additionalProperties": false
}`),
		Output: output(`{
	"path": {"type": "string"},
	"text": {"type": "string"},
	"truncated": {"type": "boolean", "description": "The file goes on behind text."},
	"returned_chars": {"type": "integer"},
	"applied_range": `+outRangeSchema+`,
	"next_offset": `+fmt.Sprintf(outCursorSchema, "Where to go on; null at the end of the file.")+`,
	"truncated_reason": {"type": "string", "enum": ["max_chars", "range_end", "hard_limit", "none"]}
}`, "text", "truncated", "returned_chars", "applied_range", "next_offset", "truncated_reason"),
		Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "range": {"start_line": 1, "end_line": 40}, "offset": null, "limits": {"max_chars": 4000}}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := vault.ReadRequest{
				Path: args.vaultPath(), Full: or(args.Bool("full"), false), Range: args.Range("range"), Offset: args.place("offset"),
			}
			limits, _ := args.Object("limits")
			req.MaxChars = limits.Int("max_chars", 1, Unbounded)
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Read(ctx, req)
		},
	}
}

func vaultScanTool(v Vault) Tool {
	return Tool{
		Name:  "vault_scan",
		Title: "Scan a file of the vault",
		Description: "Read a file piece by piece. Begin without a cursor, then pass on next_cursor until eof is true. " +
			"With cited_ranges, the lines you have used so far, it begins at the first line you have not, tells coverage and what reading on brings, and says when to stop. " +
			`Example: {"path": "drafts/source.md", "chunk_lines": 80, "cited_ranges": [{"start_line": 1, "end_line": 40}]}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"path": ` + vaultPathSchema + `,
		"cursor": ` + fmt.Sprintf(cursorSchema, "next_cursor of the call before.") + `,
		"chunk_lines": {"type": ["integer", "null"], "minimum": 1, "default": 80, "description": "Lines of a piece, 200 at most by default."},
		"limits": ` + maxCharsSchema + `,
		"cited_ranges": {"type": ["array", "null"], "items": ` + rangeSchema + `, "description": "All lines cited so far."}
	},
	"required": ["path"],
	"additionalProperties": false
}`),
		Output: output(`{
	"path": {"type": "string"},
	"text": {"type": "string"},
	"applied_range": {"anyOf": [`+outRangeSchema+`, {"type": "null"}]},
	"next_cursor": `+fmt.Sprintf(outCursorSchema, "Where to go on; null at the end of the file.")+`,
	"eof": {"type": "boolean"},
	"truncated": {"type": "boolean"},
	"truncated_reason": {"type": "string", "enum": ["max_chars", "chunk_end", "hard_limit", "none"]},
	"coverage_ratio": {"type": ["number", "null"], "description": "Share of the lines that are cited."},
	"marginal_gain": {"type": ["number", "null"], "description": "Newly cited lines per token read since."},
	`+nextSchema+`
}`, "text", "applied_range", "next_cursor", "eof", "truncated", "truncated_reason", "next_actions"),
		Example: json.RawMessage(`{"path": "drafts/source.md", "cursor": {"start_line": 1, "char_offset": 0}, "chunk_lines": 80, "limits": {"max_chars": 4000}, "cited_ranges": [{"start_line": 1, "end_line": 40}]}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, session *Session) (any, error) {
			req := vault.ScanRequest{
				Path: args.vaultPath(), Cursor: args.place("cursor"), ChunkLines: args.Int("chunk_lines", 1, Unbounded),
			}
			limits, _ := args.Object("limits")
			req.MaxChars = limits.Int("max_chars", 1, Unbounded)
			req.Cited = args.Ranges("cited_ranges")
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Scan(ctx, req, session.vaultMemory())
		},
	}
}

func vaultCoverageTool(v Vault) Tool {
	return Tool{
		Name:  "vault_coverage",
		Title: "Tell which lines are cited",
		Description: "Tell which lines of a file the cited ranges cover and which they leave out. " +
			`Example: {"path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}]}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {"path": ` + vaultPathSchema + `, "cited_ranges": {"type": "array", "items": ` + rangeSchema + `}},
	"required": ["path", "cited_ranges"],
	"additionalProperties": false
}`),
		Output: output(`{
	"path": {"type": "string"},
	"total_lines": {"type": "integer"},
	"covered_lines": {"type": "integer"},
	"coverage_ratio": {"type": "number"},
	"covered_ranges": {"type": "array", "items": `+outRangeSchema+`},
	"uncovered_ranges": {"type": "array", "items": `+outRangeSchema+`},
	"meets_min_coverage": {"type": "boolean"},
	`+nextSchema+`
}`, "path", "total_lines", "covered_lines", "coverage_ratio", "covered_ranges", "uncovered_ranges", "meets_min_coverage", "next_actions"),
		Example: json.RawMessage(`{"path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}]}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			path, ranges := args.vaultPath(), args.Ranges("cited_ranges")
			if _, given := args.value.find("cited_ranges"); !given {
				args.missing("cited_ranges", "a list of line ranges; it may be empty")
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Coverage(ctx, path, ranges)
		},
	}
}
