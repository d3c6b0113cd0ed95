package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// Bridge copies from manuals into the vault.
type Bridge interface {
	CopySection(ctx context.Context, req bridge.SectionRequest) (*bridge.Copied, error)
	CopyFile(ctx context.Context, req bridge.FileRequest) (*bridge.Copied, error)
}

const (
	copyInput = `
		"to_path": {"type": "string", "minLength": 1, "description": "Below the vault; made when it is missing."},
		"mode": {"type": "string", "enum": ["overwrite", "append"], "description": "Of a file that exists."}`
	copyOutput = `
	"written_path": {"type": "string", "description": "As stored."},
	"written_bytes": {"type": "integer", "description": "Of the source."},
	"truncated": {"type": "boolean"},
	"lines_shifted": {"type": "integer", "description": "How many lines further down what the file held stands now, by front matter that grew: move citations of the file along."},
	"noted_in": {"type": "string", "description": "Where the origin is told: front_matter, or the path of a note in .system."},
	"sha256": {"type": "string", "description": "Of the file that was written."},
	"source": {"type": "object", "description": "Where it came from."}`
)

// target takes where a copy goes.
func (a *Arguments) target() bridge.Target {
	return bridge.Target{Path: a.RequiredPath("to_path", "the path of a file in the vault, such as drafts/source.md"), Mode: a.requiredMode()}
}

func copySectionTool(b Bridge) Tool {
	return Tool{
		Name:  "bridge_copy_section",
		Title: "Copy a section into the vault",
		Description: "Copy a section of a manual, with what lies below it, or a range of lines, into a file of the vault without reading it. " +
			"Take the ref from manual_hits; where it lists manual_id once beside items, put that into the ref. Where it came from is noted in the file's front matter, which moves the lines of a file that is appended to: lines_shifted tells how far. " +
			`Example: {"from_ref": {"manual_id": "aoba-nas", "path": "06-disk-raid.md", "start_line": 12}, "to_path": "drafts/raid.md", "mode": "append"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"from_ref": {
			"type": "object",
			"properties": {
				"target": {"type": ["string", "null"], "enum": ["manual", null]},
				"manual_id": {"type": "string", "minLength": 1},
				"path": {"type": "string", "minLength": 1},
				"start_line": {"type": ["integer", "null"], "minimum": 1, "description": "A line of the wanted section; the file's first section when not given."},
				"json_path": {"type": "null"},
				"title": {"type": ["string", "null"], "description": "Of the wanted section: found also where edits have moved it; nothing is copied where it is gone."},
				"signals": {"type": ["array", "null"], "items": {"type": "string"}}
			},
			"required": ["manual_id", "path"],
			"additionalProperties": false
		},
		"range": {"anyOf": [` + rangeSchema + `, {"type": "null"}], "description": "Lines of the file, instead of the section."},` + copyInput + `,
		"limits": {
			"type": ["object", "null"],
			"properties": {
				"max_sections": {"type": ["integer", "null"], "minimum": 1, "description": "All when not given."},
				"max_chars": {"type": ["integer", "null"], "minimum": 1, "description": "All when not given."},
				"allow_file": {"type": ["boolean", "null"], "default": false, "description": "A ref without start_line means the whole file, if the server allows it."}
			},
			"additionalProperties": false
		}
	},
	"required": ["from_ref", "to_path", "mode"],
	"additionalProperties": false
}`),
		Output:  output(`{`+copyOutput+`, "written_sections": {"type": "integer"}}`, "written_path", "written_bytes", "written_sections", "truncated", "sha256"),
		Example: json.RawMessage(`{"from_ref": {"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1}, "range": null, "to_path": "drafts/source.md", "mode": "append", "limits": {"max_sections": 20, "max_chars": 8000, "allow_file": false}}`),
		Toolset: "bridge",
		Hints:   changing,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req, err := copySectionRequest(args)
			if err != nil {
				return nil, err
			}
			return b.CopySection(ctx, req)
		},
	}
}

func copySectionRequest(args *Arguments) (bridge.SectionRequest, error) {
	ref := args.RequiredObject("from_ref", "an object with manual_id and path, as manual_hits lists them")
	ref.Choice("target", "manual")
	req := bridge.SectionRequest{
		ManualID:  ref.hoistedManualID("manual_id"),
		Path:      ref.RequiredPath("path", "the path of a file in the manual; a whole manual cannot be copied"),
		StartLine: ref.Int("start_line", 1, Unbounded),
	}
	ref.Ignore("json_path", "nothing: a JSON file is copied whole, or by range")
	req.Title = ref.title()
	ref.Ignore("signals", "a list", '[')
	req.Range = args.Range("range")
	req.To = args.target()
	limits, _ := args.Object("limits")
	req.MaxSections = limits.Int("max_sections", 1, Unbounded)
	req.MaxChars = limits.Int("max_chars", 1, Unbounded)
	req.AllowFile = or(limits.Bool("allow_file"), false)
	return req, args.Err()
}

// hoistedManualID takes a manual's id that a page of manual_hits tells once for all
// its refs when they share it.
func (a *Arguments) hoistedManualID(name string) string {
	if _, given := a.value.find(name); !given {
		return a.RequiredText(name, "the manual_id that manual_hits lists in the ref, or once beside items for all refs of the page")
	}
	return a.ManualID(name)
}

func copyFileTool(b Bridge) Tool {
	return Tool{
		Name:  "bridge_copy_file",
		Title: "Copy a file into the vault",
		Description: "Copy a whole file of a manual into the vault without reading it. A .md file needs limits.allow_file, and a server that allows it; a .json file neither. " +
			`Example: {"manual_id": "aoba-nas", "from_path": "spec.json", "to_path": "drafts/spec.json", "mode": "overwrite"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"from_path": {"type": "string", "minLength": 1, "description": "Below the manual."},
		"manual_id": {"type": "string", "minLength": 1},` + copyInput + `,
		"limits": {
			"type": ["object", "null"],
			"properties": {
				"max_chars": {"type": ["integer", "null"], "minimum": 1, "description": "All when not given."},
				"allow_file": {"type": ["boolean", "null"], "default": false}
			},
			"additionalProperties": false
		}
	},
	"required": ["from_path", "manual_id", "to_path", "mode"],
	"additionalProperties": false
}`),
		Output:  output(`{`+copyOutput+`}`, "written_path", "written_bytes", "truncated", "sha256"),
		Example: json.RawMessage(`{"from_path": "spec.json", "manual_id": "id of a manual", "to_path": "drafts/spec.json", "mode": "overwrite", "limits": {"max_chars": 8000, "allow_file": false}}`),
		Toolset: "bridge",
		Hints:   changing,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := bridge.FileRequest{
				Path: args.RequiredPath("from_path", "the path of a file in the manual"), ManualID: args.RequiredManualID("manual_id"),
				To: args.target(),
			}
			limits, _ := args.Object("limits")
			req.MaxChars = limits.Int("max_chars", 1, Unbounded)
			req.AllowFile = or(limits.Bool("allow_file"), false)
			if err := args.Err(); err != nil {
				return nil, err
			}
			return b.CopyFile(ctx, req)
		},
	}
}
