package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/fault"
)

// maxExampleBytes bounds the call that an error hands back corrected.
const maxExampleBytes = 2000

// withExample adds to a refusal of arguments the caller's own call with the
// offending argument put right, so that an agent need not guess.
func withExample(err *fault.Error, tool Tool, args *Arguments) *fault.Error {
	refusals := []fault.Code{fault.InvalidParameter, fault.InvalidPath, fault.InvalidRRFCall}
	if !slices.Contains(refusals, err.Code) || err.Details["example"] != nil {
		return err
	}
	example := map[string]any{}
	if args != nil {
		for _, m := range args.value.members {
			example[m.name] = m.plain()
		}
	}
	parameter, _ := err.Details["parameter"].(string)
	return err.With("example", correct(example, tool, parameter, closest(err)))
}

func closest(err *fault.Error) string {
	if close, ok := err.Details["did_you_mean"].([]string); ok && len(close) > 0 {
		return close[0]
	}
	return ""
}

// correct puts the parameter right: an unknown name is renamed to the one meant
// or dropped, any other gets the value of the tool's typical call.
func correct(call map[string]any, tool Tool, parameter, meant string) any {
	typical := map[string]any{}
	if err := json.Unmarshal(tool.Example, &typical); err != nil {
		return tool.Example
	}
	var input shape
	if err := json.Unmarshal(tool.Input, &input); err != nil {
		return tool.Example
	}
	mend(call, typical, strings.Split(parameter, "."), meant)
	input.fill(call, typical)
	if raw, err := json.Marshal(call); err != nil || len(raw) > maxExampleBytes {
		return tool.Example
	}
	return call
}

func mend(call, typical map[string]any, path []string, meant string) {
	name, _, _ := strings.Cut(path[0], "[") // of a list the whole is put right
	if deeper, ok := call[name].(map[string]any); ok && len(path) > 1 {
		inner, _ := typical[name].(map[string]any)
		mend(deeper, inner, path[1:], meant)
		return
	}
	given := call[name]
	delete(call, name)
	switch right, known := typical[name]; {
	case known:
		call[name] = right
	case meant != "":
		call[meant[strings.LastIndex(meant, ".")+1:]] = given
	}
}

// shape is the part of an input schema that tells what a call needs.
type shape struct {
	Required   []string
	Properties map[string]shape
	AnyOf      []shape
}

// object is the shape of an object, also where null may stand instead.
func (s shape) object() shape {
	for _, one := range s.AnyOf {
		if one.Properties != nil {
			return one
		}
	}
	return s
}

// fill adds what is required and missing, and leaves out what is not required and
// cannot be filled.
func (s shape) fill(call, typical map[string]any) {
	for _, name := range s.Required {
		if call[name] == nil {
			call[name] = typical[name]
		}
	}
	for name, property := range s.Properties {
		deeper, given := call[name].(map[string]any)
		if !given {
			continue
		}
		inner, _ := typical[name].(map[string]any)
		property.object().fill(deeper, inner)
		if property.object().lacks(deeper) && !slices.Contains(s.Required, name) {
			delete(call, name)
		}
	}
}

func (s shape) lacks(call map[string]any) bool {
	return slices.ContainsFunc(s.Required, func(name string) bool { return call[name] == nil })
}

// plain is the value as encoding/json would have read it, numbers as written.
func (n node) plain() any {
	switch n.kind {
	case 't', 'f':
		return n.kind == 't'
	case '"':
		return n.text
	case '0':
		return json.Number(n.text)
	case '[':
		items := make([]any, len(n.items))
		for i, item := range n.items {
			items[i] = item.plain()
		}
		return items
	case '{':
		members := make(map[string]any, len(n.members))
		for _, m := range n.members {
			members[m.name] = m.plain()
		}
		return members
	}
	return nil
}
