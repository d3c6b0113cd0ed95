package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
)

func exceptsTool(l Library) Tool {
	return Tool{
		Name:  "manual_excepts",
		Title: "List exceptions and warnings",
		Description: "List the lines of a manual, a file, or the section at a line, that hold a word of exception or warning " +
			"(対象外, ただし, 注意, except, unless, not covered …): what a rule does not grant. Page with offset and limit until offset + items reaches total. " +
			`Example: {"manual_id": "ienomori-yakkan", "path": "03-menseki.md"}`,
		Input:   json.RawMessage(exceptsInput),
		Output:  output(exceptsOutput, "items", "total"),
		Example: json.RawMessage(`{"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1, "offset": 0, "limit": 50}`),
		Toolset: "manual",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := manuals.ExceptsRequest{
				ManualID:  args.RequiredManualID("manual_id"),
				Path:      args.Path("path"),
				StartLine: args.Int("start_line", 1, Unbounded),
				Offset:    or(args.Int("offset", 0, Unbounded), 0),
				Limit:     or(args.Int("limit", 1, maxHits), defaultHits),
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return l.Excepts(ctx, req)
		},
	}
}

const exceptsInput = `{
	"type": "object",
	"properties": {
		"manual_id": {"type": "string", "minLength": 1, "description": "From manual_list or manual_ls."},
		"path": {"type": ["string", "null"], "description": "One file; all files when not given."},
		"start_line": {"type": ["integer", "null"], "minimum": 1, "description": "A line of one section of path, with what lies below it."},
		"offset": {"type": ["integer", "null"], "minimum": 0, "default": 0},
		"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000, "default": 50}
	},
	"required": ["manual_id"],
	"additionalProperties": false
}`

const exceptsOutput = `{
	"items": {"type": "array", "items": {
		"type": "object",
		"properties": {
			"path": {"type": "string"},
			"start_line": {"type": "integer", "description": "Of the section that holds the line; ready for a ref."},
			"line": {"type": "integer"},
			"snippet": {"type": "string"},
			"term": {"type": "string", "description": "The exception word."}
		},
		"required": ["path", "start_line", "line", "snippet", "term"]
	}},
	"total": {"type": "integer"},
	"skipped": {"type": "array", "description": "Files that cannot be read as text.", "items": {"type": "object"}}
}`
