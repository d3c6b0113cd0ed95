package server

import (
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Objects takes a list of objects, nil when not given; each is named by its place.
func (a *Arguments) Objects(name string) (objects []*Arguments, given bool) {
	n, given := a.take(name)
	if !given {
		return nil, false
	}
	if n.kind != '[' {
		a.wrong(name, n, "a list of objects")
		return nil, true
	}
	for i, item := range n.items {
		at := fmt.Sprintf("%s[%d]", name, i)
		if item.kind != '{' {
			a.wrong(at, item, "an object")
			item = node{}
		}
		objects = append(objects, a.enter(at, item))
	}
	return objects, true
}

// lineRange takes start_line and end_line, both required.
func (a *Arguments) lineRange() toolset.Range {
	return toolset.Range{StartLine: a.requiredLine("start_line"), EndLine: a.requiredLine("end_line")}
}

func (a *Arguments) requiredLine(name string) int {
	line := a.Int(name, 1, Unbounded)
	if line == nil {
		a.missing(name, "a line of the file")
		return 0
	}
	return *line
}

// Range takes a range of lines, nil when not given.
func (a *Arguments) Range(name string) *toolset.Range {
	object, given := a.Object(name)
	if !given {
		object.Int("start_line", 1, Unbounded)
		object.Int("end_line", 1, Unbounded)
		return nil
	}
	r := object.lineRange()
	return &r
}

// Ranges takes a list of ranges of lines, nil when not given.
func (a *Arguments) Ranges(name string) []toolset.Range {
	objects, given := a.Objects(name)
	if !given {
		return nil
	}
	ranges := []toolset.Range{}
	for _, o := range objects {
		ranges = append(ranges, o.lineRange())
	}
	return ranges
}

// place takes a cursor, nil when not given.
func (a *Arguments) place(name string) *toolset.LineCursor {
	object, given := a.Object(name)
	c := &toolset.LineCursor{StartLine: object.Int("start_line", 1, Unbounded), CharOffset: object.Int("char_offset", 0, Unbounded)}
	if !given {
		return nil
	}
	return c
}

const (
	rangeSchema = `{
		"type": "object",
		"properties": {"start_line": {"type": "integer", "minimum": 1}, "end_line": {"type": "integer", "minimum": 1}},
		"required": ["start_line", "end_line"],
		"additionalProperties": false
	}`
	cursorSchema = `{
		"type": ["object", "null"],
		"properties": {
			"start_line": {"type": ["integer", "null"], "minimum": 1},
			"char_offset": {"type": ["integer", "null"], "minimum": 0, "description": "Characters into the line."}
		},
		"additionalProperties": false,
		"description": "%s"
	}`
	vaultPathSchema = `{"type": "string", "minLength": 1, "description": "Below the vault."}`
	nextSchema      = `"next_actions": {"type": "array", "items": {
		"type": "object",
		"properties": {
			"type": {"type": "string"},
			"reason": {"type": "string"},
			"confidence": {"type": ["number", "null"]},
			"params": {"type": ["object", "null"], "description": "A valid call of that tool as it stands."}
		},
		"required": ["type", "confidence", "params"]
	}}`
	outRangeSchema  = `{"type": "object", "properties": {"start_line": {"type": "integer"}, "end_line": {"type": "integer"}}, "required": ["start_line", "end_line"]}`
	outCursorSchema = `{
		"type": "object",
		"properties": {"start_line": {"type": ["integer", "null"]}, "char_offset": {"type": ["integer", "null"]}},
		"required": ["start_line", "char_offset"],
		"description": "%s"
	}`
)
