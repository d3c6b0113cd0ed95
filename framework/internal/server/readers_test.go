package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// What calls remember of each other goes by a handle, which a call may lose.
func TestReaders(t *testing.T) {
	f := &fakeTools{}
	h := web(t, f, HTTPOptions{})
	read := func(handle string) (id string, session *[]string) {
		t.Helper()
		args := `{"path":"a.md"` + handle + `}`
		result := called(t, h, "notes_read", args)
		id, _ = result[readerID].(string)
		if id == "" || result["text"] == nil {
			t.Fatalf("%s: %v", args, result)
		}
		return id, f.session
	}
	first, memory := read("")
	for _, tc := range []struct {
		handle string
		same   bool
	}{
		{`,"reader_id":"` + first + `"`, true}, {"", false}, {`,"reader_id":null`, false}, {`,"reader_id":""`, false},
		{`,"reader_id":"of a server that is gone \u0000"`, false},
	} {
		id, got := read(tc.handle)
		if (got == memory) != tc.same || (id == first) != tc.same {
			t.Errorf("%s: id %s, same memory %v", tc.handle, id, got == memory)
		}
	}
	for _, bad := range []string{`7`, `{}`, `"` + strings.Repeat("x", maxReaderID+1) + `"`} {
		result := called(t, h, "notes_read", `{"path":"a.md","reader_id":`+bad+`}`)
		if failed, _ := result["error"].(map[string]any); failed["code"] != string(toolset.InvalidParameter) {
			t.Errorf("%s: %v", bad, result)
		}
	}
	f.proposed = []toolset.Action{{Type: "notes_read", Params: map[string]any{"path": "b.md"}}, {Type: "notes_ls", Params: map[string]any{}}, {Type: "stop"}}
	result := called(t, h, "notes_read", `{"path":"a.md"}`)
	f.proposed = nil
	var proposed []any
	for _, action := range result["next_actions"].([]any) {
		params, _ := action.(map[string]any)["params"].(map[string]any)
		proposed = append(proposed, params[readerID])
	}
	if diff := cmp.Diff([]any{result[readerID], nil, nil}, proposed); diff != "" {
		t.Error("proposed calls lose the reader: ", diff)
	}
	if result := called(t, h, "notes_ls", `{"reader_id":"x"}`); result["error"] == nil {
		t.Errorf("a tool that remembers nothing: %v", result)
	}
	if result := called(t, h, "notes_read", `[]`); result["error"] == nil {
		t.Errorf("no object: %v", result)
	}
	_, _, list := fetch(t, http.MethodPost, h.URL+MCPPath, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
	if n := strings.Count(list, readerID); n != 1 {
		t.Errorf("%d tools take a reader, want 1: %s", n, list)
	}
}

func TestReadersAreBounded(t *testing.T) {
	r := newReaders()
	first := r.of("first")
	for i := range maxReaders {
		r.of(fmt.Sprint(i))
		if i == maxReaders/2 && r.of("first") != first {
			t.Fatal("a reader that calls is forgotten")
		}
	}
	if len(r.byID) != maxReaders || r.recent.Len() != maxReaders || r.byID["0"] != nil || r.of("first") != first {
		t.Errorf("%d readers, %d in order", len(r.byID), r.recent.Len())
	}
}
