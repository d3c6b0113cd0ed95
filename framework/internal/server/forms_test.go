package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestAutoFitsTheClient(t *testing.T) {
	defer goleak.VerifyNone(t)
	page, err := os.ReadFile(filepath.FromSlash("../../../docs/reference/protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms {
		if row := fmt.Sprintf("| `%s` | %s | %s |\n", f.client, f.form, f.why); !strings.Contains(string(page), row) {
			t.Errorf("docs/reference/protocol.md lacks %s", row)
		}
	}
	for _, k := range []struct {
		client, revision string
		structured, text bool
	}{
		{"test", "2025-06-18", true, true},
		{"test", "2025-11-25", true, true},
		{"test", "2025-03-26", false, true},
		{"claude-code", "2025-11-25", true, true},
		{"claude-code", "2024-11-05", false, true},
		{"github-copilot-developer", "2025-11-25", false, true},
	} {
		s := New(Options{Sets: []toolset.Toolset{(&fakeTools{}).toolset()}, ResultForm: formAuto})
		c := connectAs(t, t.Context(), s, k.client, k.revision)
		got := c.call("notes_ls", `{}`).Result
		failed := c.call("notes_read", `{}`).Result
		schema := c.ask("tools/list", `{}`).Result.Tools[0]["outputSchema"] != nil
		if (got.Structured != nil) != k.structured || (len(got.Content) > 0) != k.text || schema != k.structured || len(failed.Content) == 0 {
			t.Errorf("%s %s: %+v, schema %t, failure %+v", k.client, k.revision, got, schema, failed)
		}
		c.end()
	}
}

// Over HTTP each request of the newest revision names its client.
func TestAutoOverHTTP(t *testing.T) {
	s := New(Options{Sets: []toolset.Toolset{(&fakeTools{}).toolset()}, ResultForm: formAuto})
	h := httptest.NewServer(s.HTTP(HTTPOptions{}))
	defer h.Close()
	for client, structured := range map[string]bool{"test": true, "github-copilot-developer": false} {
		meta := strings.Replace(modern, `":{"`, `":{"io.modelcontextprotocol/clientInfo":{"name":"`+client+`","version":"1"},"`, 1)
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"notes_ls","arguments":{},` + meta + `}}`
		header := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "notes_ls"}
		_, _, said := fetch(t, http.MethodPost, h.URL+MCPPath, body, header)
		if strings.Contains(said, "structuredContent") != structured || !strings.Contains(said, `"content":[{`) {
			t.Errorf("%s: %s", client, said)
		}
	}
	for _, k := range []struct {
		client, revision string
		structured       bool
	}{
		{"test", "2025-06-18", true}, {"github-copilot-developer", "2025-06-18", false}, {"claude-code", "2025-11-25", true},
		{"claude-code", "2025-03-26", false}, {"test", "2024-11-05", false},
	} { // as the session says
		hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + k.revision + `","capabilities":{},` +
			`"clientInfo":{"name":"` + k.client + `","version":"1"}}}`
		_, answered, _ := fetch(t, http.MethodPost, h.URL+MCPPath, hello, nil)
		session := map[string]string{"Mcp-Session-Id": answered.Get("Mcp-Session-Id")}
		if _, _, said := fetch(t, http.MethodPost, h.URL+MCPPath, rpc("notes_ls", "{}"), session); session["Mcp-Session-Id"] == "" ||
			strings.Contains(said, "structuredContent") != k.structured {
			t.Errorf("%+v, session %q: %s", k, session, said)
		}
	}
	for _, foreign := range []string{"x", "x.%%", "x." + strings.Repeat("A", 9000)} {
		if status, _, said := fetch(t, http.MethodPost, h.URL+MCPPath, rpc("notes_ls", "{}"),
			map[string]string{"Mcp-Session-Id": foreign}); status != http.StatusOK || !strings.Contains(said, "structuredContent") {
			t.Errorf("session %.20q: %d %s", foreign, status, said)
		}
	}
	_, _, said := fetch(t, http.MethodPost, h.URL+MCPPath, rpc("notes_ls", "{}"), nil)
	if !strings.Contains(said, "structuredContent") {
		t.Errorf("a client without a name: %s", said)
	}
}

// Who has no session yet, such as a call without a handshake, gets both.
func TestAutoWithoutAClient(t *testing.T) {
	s := New(Options{ResultForm: formAuto})
	if form, links := s.formFor(t.Context()); form != formBoth || links {
		t.Error(form, links)
	}
}
