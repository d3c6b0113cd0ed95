package server

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
)

func readTool(l Library) Tool {
	return Tool{
		Name:  "manual_read",
		Title: "Read a section",
		Description: "Read the text that a ref points at: by default the whole section of a Markdown file, or a JSON file. " +
			"Take refs from manual_hits or next_actions. Asking for the same section again goes on after it. " +
			`Example: {"ref": {"manual_id": "aoba-nas", "path": "06-disk-raid.md", "start_line": 12}}`,
		Input:   json.RawMessage(readInput),
		Output:  output(readOutput, "text", "truncated", "applied"),
		Example: json.RawMessage(`{"ref": {"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1}, "scope": "section", "allow_file": false, "expand": {"before_chars": 0, "after_chars": 0}}`),
		Toolset: "manual",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, session *Session) (any, error) {
			req, err := readRequest(args)
			if err != nil {
				return nil, err
			}
			return l.Read(ctx, req, session.memory())
		},
	}
}

func readRequest(args *Arguments) (manuals.ReadRequest, error) {
	ref := args.RequiredObject("ref", "an object with manual_id and path, as manual_hits lists them")
	req := manuals.ReadRequest{
		Ref: manuals.Ref{
			ManualID:  ref.RequiredManualID("manual_id"),
			Path:      ref.RequiredPath("path", "the path of a file in the manual"),
			StartLine: ref.Int("start_line", 1, Unbounded),
		},
		Scope:     args.Choice("scope", manuals.ScopeSnippet, manuals.ScopeSection, manuals.ScopeSections, manuals.ScopeFile),
		AllowFile: or(args.Bool("allow_file"), false),
	}
	if pointer, given := ref.Text("json_path"); given {
		req.Ref.JSONPath = &pointer
	}
	ref.Choice("target", "manual")
	req.Ref.Title = ref.title()
	ref.Ignore("signals", "a list", '[')
	expand, _ := args.Object("expand")
	req.BeforeChars = expand.Int("before_chars", 0, Unbounded)
	req.AfterChars = expand.Int("after_chars", 0, Unbounded)
	return req, args.Err()
}

// title takes the title of a ref's section, "" for none.
func (a *Arguments) title() string {
	text, _ := a.Text("title")
	return strings.TrimSpace(text)
}

const readInput = `{
	"type": "object",
	"properties": {
		"ref": {
			"type": "object",
			"properties": {
				"target": {"type": ["string", "null"], "enum": ["manual", null]},
				"manual_id": {"type": "string", "minLength": 1},
				"path": {"type": "string", "minLength": 1},
				"start_line": {"type": ["integer", "null"], "minimum": 1, "description": "A line of the wanted section; the file's first section when not given."},
				"json_path": {"type": ["string", "null"], "description": "JSON pointer of the value to read in a JSON file."},
				"title": {"type": ["string", "null"], "description": "Of the wanted section: found also where edits have moved it."},
				"signals": {"type": ["array", "null"], "items": {"type": "string"}}
			},
			"required": ["manual_id", "path"],
			"additionalProperties": false
		},
		"scope": {"type": ["string", "null"], "enum": ["snippet", "section", "sections", "file", null], "description": "section for .md, file for .json when not given."},
		"allow_file": {"type": ["boolean", "null"], "default": false, "description": "Needed for a whole .md file, together with the server's ALLOW_FILE_SCOPE."},
		"expand": {
			"type": ["object", "null"],
			"properties": {
				"before_chars": {"type": ["integer", "null"], "minimum": 0},
				"after_chars": {"type": ["integer", "null"], "minimum": 0}
			},
			"additionalProperties": false,
			"description": "Widens a snippet."
		}
	},
	"required": ["ref"],
	"additionalProperties": false
}`

const readOutput = `{
	"text": {"type": "string"},
	"truncated": {"type": "boolean"},
	"applied": {
		"type": "object",
		"properties": {
			"scope": {"type": "string", "enum": ["snippet", "section", "sections", "file"]},
			"max_sections": {"type": ["integer", "null"]},
			"max_chars": {"type": "integer"},
			"mode": {"type": "string", "enum": ["read", "scan_fallback"]}
		},
		"required": ["scope", "max_chars", "mode"]
	},
	"applied_range": {
		"type": "object",
		"properties": {"start_line": {"type": "integer"}, "end_line": {"type": "integer"}}
	},
	"next_cursor": {"type": "object", "description": "When more text follows: the cursor for a manual_scan that goes on.", "properties": {"char_offset": {"type": ["integer", "null"]}}},
	"eof": {"type": "boolean"}
}`

func scanTool(l Library) Tool {
	return Tool{
		Name:  "manual_scan",
		Title: "Scan a file",
		Description: "Read a file piece by piece, at most 12,000 characters a call. Begin at start_line, then pass on next_cursor until eof is true. " +
			`Example: {"manual_id": "aoba-nas", "path": "12-hosho.md", "cursor": {"char_offset": 12000}}`,
		Input:   json.RawMessage(scanInput),
		Output:  output(scanOutput, "manual_id", "path", "text", "applied_range", "next_cursor", "eof", "truncated", "truncated_reason", "applied"),
		Example: json.RawMessage(`{"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1, "cursor": {"start_line": 1, "char_offset": 0}}`),
		Toolset: "manual",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req, err := scanRequest(args)
			if err != nil {
				return nil, err
			}
			return l.Scan(ctx, req)
		},
	}
}

func scanRequest(args *Arguments) (manuals.ScanRequest, error) {
	req := manuals.ScanRequest{
		ManualID:  args.RequiredManualID("manual_id"),
		Path:      args.RequiredPath("path", "the path of a file in the manual"),
		StartLine: args.Int("start_line", 1, Unbounded),
	}
	offset, cursor := args.IntOrObject("cursor", 0)
	req.CursorLine = cursor.Int("start_line", 1, Unbounded)
	req.CharOffset = cursor.Int("char_offset", 0, Unbounded)
	if offset != nil {
		req.CharOffset = offset
	}
	return req, args.Err()
}

const scanInput = `{
	"type": "object",
	"properties": {
		"manual_id": {"type": "string", "minLength": 1},
		"path": {"type": "string", "minLength": 1},
		"start_line": {"type": ["integer", "null"], "minimum": 1, "default": 1},
		"cursor": {
			"anyOf": [
				{
					"type": "object",
					"properties": {
						"start_line": {"type": ["integer", "null"], "minimum": 1},
						"char_offset": {"type": ["integer", "null"], "minimum": 0}
					},
					"additionalProperties": false
				},
				{"type": "integer", "minimum": 0},
				{"type": "string", "pattern": "^[0-9]+$"},
				{"type": "null"}
			],
			"description": "next_cursor of the call before; a bare number is its char_offset."
		}
	},
	"required": ["manual_id", "path"],
	"additionalProperties": false
}`

const scanOutput = `{
	"manual_id": {"type": "string"},
	"path": {"type": "string"},
	"text": {"type": "string"},
	"applied_range": {
		"type": "object",
		"properties": {"start_line": {"type": "integer"}, "end_line": {"type": "integer"}},
		"required": ["start_line", "end_line"]
	},
	"next_cursor": {
		"type": "object",
		"properties": {"char_offset": {"type": ["integer", "null"]}},
		"required": ["char_offset"]
	},
	"eof": {"type": "boolean"},
	"truncated": {"type": "boolean"},
	"truncated_reason": {"type": "string", "enum": ["none", "max_chars"]},
	"applied": {"type": "object", "properties": {"max_chars": {"type": "integer"}}, "required": ["max_chars"]}
}`
