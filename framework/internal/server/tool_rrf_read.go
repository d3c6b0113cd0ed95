package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
)

const cuttingProperties = `
		"fields": {"type": ["array", "null"], "items": {"type": "string"}, "description": "Of title, abst, claim and desc; the first three when not given."},
		"per_field_chars": {"type": ["object", "null"], "description": "Most characters by field; title 160, abst 480, claim 320, desc 800 when not given.", "additionalProperties": {"type": "integer", "minimum": 0}},
		"budget_bytes": {"type": ["integer", "null"], "description": "Most bytes of the answer as JSON: texts shrink first, then rows drop and next_offset names the next."}`

const snippetsOutput = `{
	"run_id": {"type": "string"},
	"snippets": {"type": "array", "items": {
		"type": "object",
		"properties": {
			"rank": {"type": "integer"}, "pub_id": {"type": "string"}, "app_id": {"type": "string"}, "title": {"type": "string"}, "abst": {"type": "string"},
			"claim": {"type": "string"}, "desc": {"type": "string"}, "score": {"type": "number"}, "metadata": {"type": "object"}
		},
		"required": ["pub_id", "metadata"]
	}},
	"returned": {"type": "integer"},
	"total": {"type": "integer"},
	"truncated": {"type": "boolean", "description": "The budget cost rows or characters."},
	"next_offset": {"type": ["integer", "null"]},
	"missing": {"type": "array", "items": {"type": "string"}}
}`

func peekTool(l Lanes) Tool {
	return Tool{
		Name:        "peek_snippets",
		Title:       "Look at the best of a run",
		Description: `Title, abstract and claims of the best publications of a run, cut short. Example: {"run_id": "fusion-5b6a", "limit": 30}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"run_id": {"type": "string"},
		"offset": {"type": ["integer", "null"], "minimum": 0, "default": 0},
		"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000, "default": 30},` + cuttingProperties + `
	},
	"required": ["run_id"]
}`),
		Output:  output(snippetsOutput, "run_id", "snippets", "returned", "truncated", "next_offset"),
		Example: json.RawMessage(`{"run_id": "fusion-5b6a", "offset": 0, "limit": 30, "fields": ["title", "abst", "claim"], "per_field_chars": {"title": 160, "abst": 480, "claim": 320}, "budget_bytes": 60000}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle:  answer(peekRequest, l.Peek),
	}
}

func snippetsTool(l Lanes) Tool {
	return Tool{
		Name:        "get_snippets",
		Title:       "Look at publications by their ids",
		Description: `Texts of publications in the order of the ids, cut short; unknown ids are in missing. Example: {"pub_ids": ["JP2023-123456A"], "fields": ["claim"], "per_field_chars": {"claim": 2000}}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"pub_ids": {"type": "array", "minItems": 1, "maxItems": 1000, "items": {"type": "string"}},
		"run_id": {"type": ["string", "null"], "description": "Adds rank and score in this run."},` + cuttingProperties + `
	},
	"required": ["pub_ids"]
}`),
		Output:  output(snippetsOutput, "snippets", "returned", "truncated", "next_offset"),
		Example: json.RawMessage(`{"pub_ids": ["JP2023-123456A"], "fields": ["claim"], "per_field_chars": {"claim": 2000}, "budget_bytes": 60000}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle:  answer(snippetsRequest, l.Snippets),
	}
}

func publicationTool(l Lanes) Tool {
	return Tool{
		Name:        "get_publication",
		Title:       "Read one publication",
		Description: `A publication by one of its numbers, in any writing, with all texts unless fields or per_field_chars say less. Example: {"id": "特開2023-123456", "id_type": "pub_id", "fields": ["title", "claim"]}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"id": {"type": "string"},
		"id_type": {"type": ["string", "null"], "enum": ["pub_id", "app_doc_id", "app_id", "exam_id", null], "default": "pub_id", "description": "What id is a number of: the publication, the application (EPODOC, or as 特願), the examined document."},
		"fields": {"type": ["array", "null"], "items": {"type": "string"}, "description": "Of title, abst, claim and desc; all when not given."},
		"per_field_chars": {"type": ["object", "null"], "additionalProperties": {"type": "integer", "minimum": 0}, "description": "Most characters by field."}
	},
	"required": ["id"]
}`),
		Output: output(`{
	"pub_id": {"type": "string"},
	"app_id": {"type": "string"},
	"title": {"type": "string"},
	"abst": {"type": "string"},
	"claim": {"type": "string"},
	"desc": {"type": "string"},
	"metadata": {"type": "object", "description": "Codes, dates, names, other numbers."},
	"truncated": {"type": "array", "items": {"type": "string"}, "description": "The texts that were cut."}
}`, "pub_id", "app_id", "metadata", "truncated"),
		Example: json.RawMessage(`{"id": "特開2023-123456", "id_type": "pub_id", "fields": ["title", "claim"], "per_field_chars": {"claim": 2000}}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle: answer(publicationRequest, func(ctx context.Context, _ string, req lane.PublicationRequest) (*lane.Record, error) {
			return l.Publication(ctx, req)
		}),
	}
}
