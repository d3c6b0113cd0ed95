package server

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// A tool names the document that shows its results, which is read as a resource and not listed.
func TestViews(t *testing.T) {
	tool := toolset.Define(toolset.Tool{
		Name: "notes_show", Group: fakeGroup, View: &toolset.View{URI: "ui://notes/show", Title: "Notes", HTML: "<p>notes"},
	}, func(context.Context, struct{}) (*note, error) { return &note{}, nil })
	files := &toolset.Resources{
		Tool: "notes_show", Name: "notes", Scheme: "note", Template: "note://{+path}",
		List: func(context.Context, string, int) ([]toolset.Resource, error) { return nil, nil },
	}
	h := webOf(t, New(Options{Sets: []toolset.Toolset{{Tools: []toolset.Tool{tool}, Resources: files}}}))
	ask := func(method, params string) string {
		_, _, body := fetch(t, http.MethodPost, h.URL+MCPPath, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`, nil)
		return body
	}
	if list := ask("tools/list", `{}`); !strings.Contains(list, `"_meta":{"ui":{"resourceUri":"ui://notes/show"}}`) {
		t.Errorf("the tool: %s", list)
	}
	var read struct {
		Result struct {
			Contents []struct{ MimeType, Text string }
		}
	}
	body := ask("resources/read", `{"uri":"ui://notes/show"}`)
	if err := json.Unmarshal([]byte(body), &read); err != nil || len(read.Result.Contents) != 1 ||
		read.Result.Contents[0].MimeType != "text/html;profile=mcp-app" || read.Result.Contents[0].Text != "<p>notes" {
		t.Errorf("%v %s", err, body)
	}
	if list := ask("resources/list", `{}`); strings.Contains(list, "ui://") {
		t.Errorf("the resources: %s", list)
	}
	if body := ask("resources/read", `{"uri":"ui://notes/other"}`); !strings.Contains(body, `"error"`) {
		t.Errorf("another view: %s", body)
	}
}
