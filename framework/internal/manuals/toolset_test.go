package manuals

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// What a client is told of a tool changes only on purpose: run with -update
// and read the difference.
func TestTheExamplesOfToolsAreTaken(t *testing.T) {
	for name, tool := range echoes() {
		if tool.Hints != toolset.Reading || tool.Group != "manual" {
			t.Errorf("%s: hints %+v, group %s", name, tool.Hints, tool.Group)
		}
		_, example, ok := strings.Cut(tool.Description, "Example: ")
		if !ok {
			t.Errorf("%s: the description has no example", name)
		}
		for _, call := range []string{example, string(tool.Example)} {
			if _, _, err := tool.Call(t.Context(), json.RawMessage(call)); err != nil {
				t.Errorf("%s: the example %s is refused: %v", name, call, err)
			}
		}
	}
}

// A proposal to read what the session has read gives the text that it means, and not what follows.
func TestFindProposesToReadAgain(t *testing.T) {
	read := newMemory()
	read.keep(toolset.Ref{ManualID: "m", Path: "a.md", StartLine: 3}, []byte("text"), 1)
	action := func(tool string, line int, scope any) toolset.Action {
		params := map[string]any{"ref": map[string]any{"manual_id": "m", "path": "a.md", "start_line": line}}
		if scope != nil {
			params["scope"] = scope
		}
		return toolset.Action{Type: tool, Params: params}
	}
	actions := []toolset.Action{action("manual_read", 3, nil), action("manual_read", 4, nil), action("manual_read", 3, "snippet"), action("manual_hits", 3, nil)}
	want := []toolset.Action{action("manual_read", 3, "sections"), action("manual_read", 4, nil), action("manual_read", 3, "snippet"), action("manual_hits", 3, nil)}
	read.repeat(actions)
	if diff := cmp.Diff(want, actions); diff != "" {
		t.Error(diff)
	}
	var none *memory
	none.repeat(actions)
}
