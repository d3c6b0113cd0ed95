package server

import (
	"context"
	"encoding/json"
)

func listTool(l Library) Tool {
	return Tool{
		Name:        "manual_list",
		Title:       "List the manuals",
		Description: "List the ids of all manuals, in order; no files. manual_ls goes on from there. Example: {}",
		Input:       json.RawMessage(`{"type": "object", "properties": {}, "additionalProperties": false}`),
		Output:      output(listOutput, "items"),
		Example:     json.RawMessage(`{}`),
		Toolset:     "manual",
		Hints:       reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			if err := args.Err(); err != nil {
				return nil, err
			}
			return l.List(ctx)
		},
	}
}

const listOutput = `{
	"items": {"type": "array", "items": {
		"type": "object",
		"properties": {"manual_id": {"type": "string"}},
		"required": ["manual_id"]
	}}
}`
