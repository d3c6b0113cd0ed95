package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
)

// Library lists and reads manuals.
type Library interface {
	List(ctx context.Context) (*manuals.List, error)
	Ls(ctx context.Context, id string) (*manuals.Listing, error)
	Toc(ctx context.Context, req manuals.TocRequest) (*manuals.Toc, error)
	Read(ctx context.Context, req manuals.ReadRequest, memory *manuals.Memory) (*manuals.Reading, error)
	Scan(ctx context.Context, req manuals.ScanRequest) (*manuals.Scan, error)
	Excepts(ctx context.Context, req manuals.ExceptsRequest) (*manuals.Excepts, error)
}

func lsTool(l Library) Tool {
	return Tool{
		Name:  "manual_ls",
		Title: "List manuals and folders",
		Description: "List the manuals, or what lies directly in one of them. Start without an id, then pass on an id from the items; " +
			`a file's id cannot be opened further. Example: {"id": "manuals"}`,
		Input:   json.RawMessage(lsInput),
		Output:  output(lsOutput, "id", "items"),
		Example: json.RawMessage(`{"id": "manuals"}`),
		Toolset: "manual",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			id, given := args.Text("id")
			if !given {
				id = "manuals"
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return l.Ls(ctx, id)
		},
	}
}

const lsInput = `{
	"type": "object",
	"properties": {
		"id": {"type": ["string", "null"], "default": "manuals", "description": "\"manuals\", a manual's id, or the id of a folder from an earlier listing."}
	},
	"additionalProperties": false
}`

const lsOutput = `{
	"id": {"type": "string"},
	"items": {"type": "array", "items": {
		"type": "object",
		"properties": {
			"id": {"type": "string"},
			"name": {"type": "string"},
			"kind": {"type": "string", "enum": ["dir", "file"]},
			"path": {"type": "string"},
			"file_type": {"type": "string", "enum": ["md", "json"]}
		},
		"required": ["id", "name", "kind"]
	}}
}`

func tocTool(l Library) Tool {
	return Tool{
		Name:  "manual_toc",
		Title: "Table of contents",
		Description: "List the files of a manual with their headings and line numbers. Of a large manual take a part with path_prefix, or page with offset and limit. " +
			`Example: {"manual_id": "aoba-nas", "path_prefix": "en/"}`,
		Input:   json.RawMessage(tocInput),
		Output:  output(tocOutput, "items"),
		Example: json.RawMessage(`{"manual_id": "id of a manual", "detail": "headings", "path_prefix": "guide/", "offset": 0, "limit": 50}`),
		Toolset: "manual",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := manuals.TocRequest{
				ManualID:   args.RequiredManualID("manual_id"),
				Detail:     args.Choice("detail", manuals.DetailHeadings, manuals.DetailNodes),
				PathPrefix: args.PathPrefix("path_prefix"),
				Offset:     or(args.Int("offset", 0, Unbounded), 0),
				Limit:      args.Int("limit", 1, Unbounded),
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return l.Toc(ctx, req)
		},
	}
}

const tocInput = `{
	"type": "object",
	"properties": {
		"manual_id": {"type": "string", "minLength": 1, "description": "From manual_ls."},
		"detail": {"type": ["string", "null"], "enum": ["headings", "nodes", null], "default": "headings", "description": "nodes gives every section with its id, parent and line range."},
		"path_prefix": {"type": ["string", "null"], "description": "A folder, or the beginning of paths."},
		"offset": {"type": ["integer", "null"], "minimum": 0, "default": 0},
		"limit": {"type": ["integer", "null"], "minimum": 1}
	},
	"required": ["manual_id"],
	"additionalProperties": false
}`

const tocOutput = `{
	"items": {"type": "array", "items": {"type": "object"}},
	"total": {"type": "integer"},
	"next_offset": {"type": "integer", "description": "The offset of the next page; absent on the last."}
}`
