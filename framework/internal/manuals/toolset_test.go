package manuals

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

var update = flag.Bool("update", false, "write the golden files anew")

// What a client is told of a tool changes only on purpose: run with -update
// and read the difference.
func TestToolsAsAClientSeesThem(t *testing.T) {
	set := (&Module{Library: New(Options{})}).Toolset()
	request := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"
	var out bytes.Buffer
	s := server.New(server.Options{Sets: []toolset.Toolset{set}, ReadOnly: true})
	if err := s.ServeStdio(t.Context(), strings.NewReader(request), &out); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if len(answer.Result.Tools) != 8 {
		t.Errorf("%d tools, want 8: all of them only read", len(answer.Result.Tools))
	}
	for _, raw := range answer.Result.Tools {
		var tool struct{ Name string }
		var got bytes.Buffer
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		path := filepath.Join("testdata", tool.Name+".json")
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tool.Name, diff)
		}
	}
}

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
	read.keep(place{"m", "a.md", 3}, []byte("text"), 1)
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
