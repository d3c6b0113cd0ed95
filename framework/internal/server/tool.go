package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Tool is one tool: what a client is told of it and what answers its calls.
type Tool struct {
	Name, Title, Description string

	Input  json.RawMessage // JSON Schema of the arguments
	Output json.RawMessage // JSON Schema of the structured result, errors included
	// Example is the argument object of a typical call.
	Example json.RawMessage

	Toolset string
	Hints   Hints
	Handle  Handler

	typed *toolset.Tool // answers instead of Handle
}

// typedTool is a tool of a toolset.
func typedTool(t toolset.Tool) Tool {
	return Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, Input: t.Input(), Output: t.Output(), Example: t.Example,
		Toolset: t.Group, Hints: Hints(t.Hints), typed: &t,
	}
}

// Hints are the annotations of a tool; all four are always told, since their
// absence means the worst.
type Hints struct {
	ReadOnly, Destructive, Idempotent, OpenWorld bool
}

// reading is the annotation of every tool that only reads local files.
var reading = Hints{ReadOnly: true, Idempotent: true}

// Handler answers a call. Its result is a JSON object; session is nil for a
// single call without memory.
type Handler func(ctx context.Context, args *Arguments, session *Session) (any, error)

// output builds an output schema: an object with open properties that holds
// the required members of a success or an error.
func output(properties string, required ...string) json.RawMessage {
	schema := map[string]any{
		"type":       "object",
		"properties": json.RawMessage(properties[:len(properties)-1] + `,"error":` + errorSchema + `}`),
		"anyOf":      []any{map[string]any{"required": required}, map[string]any{"required": []string{"error"}}},
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		panic("mcpserver: output schema: " + err.Error())
	}
	return raw
}

const errorSchema = `{
	"type": "object",
	"description": "Present instead of the other members when the call failed.",
	"properties": {
		"code": {"type": "string"},
		"message": {"type": "string", "description": "What is wrong and what to do next."},
		"details": {"type": "object"}
	},
	"required": ["code", "message", "details"]
}`
