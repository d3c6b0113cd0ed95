package server

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// shelf is a toolset of files that are resources.
type shelf struct {
	scheme string
	paths  []string
	fail   error // of a list
}

func (f *shelf) toolset() toolset.Toolset {
	set := (&fakeTools{}).toolset()
	set.Resources = &toolset.Resources{
		Tool: "notes_read", Name: f.scheme, Scheme: f.scheme, Template: f.scheme + "://{+path}{#section}",
		Variables: []toolset.Variable{
			{Name: "path", Values: func(_ context.Context, given map[string]string) ([]string, error) {
				if given["section"] == "broken" {
					return nil, errors.New("disk on fire")
				}
				return f.paths, nil
			}},
			{Name: "section"},
		},
		Read: f.read,
		List: func(_ context.Context, after string, n int) (rows []toolset.Resource, err error) {
			for _, p := range f.paths {
				if p > after && len(rows) < n {
					rows = append(rows, toolset.Resource{Path: p, MIMEType: "text/markdown"})
				}
			}
			return rows, f.fail
		},
	}
	return set
}

func (f *shelf) read(_ context.Context, at toolset.Address) (*toolset.Content, error) {
	switch at.Path {
	case "panic.md":
		panic("disk on fire")
	case "fault.md":
		return nil, errors.New("disk on fire")
	case "gone.md":
		return nil, toolset.Errorf(toolset.NotFound, "gone.md does not exist").With("did_you_mean", []string{"here.md"})
	case "busy.md":
		return nil, toolset.Errorf(toolset.NotAvailable, "ask again later")
	case "shut.md":
		return nil, toolset.Errorf(toolset.Forbidden, "shut.md is a symbolic link")
	case "long.md":
		return &toolset.Content{MIMEType: "text/markdown", Text: "first", Lines: toolset.Range{StartLine: 1, EndLine: 2}, TotalLines: 9,
			Rest: &toolset.Action{Type: "notes_read", Params: map[string]any{"path": "long.md"}}}, nil
	}
	return &toolset.Content{MIMEType: "text/markdown", Text: at.Path + " " + at.Section}, nil
}

func (f *shelf) serve() *Server {
	return New(Options{Sets: []toolset.Toolset{f.toolset()}, Version: "v"})
}

func TestResourcesAreListedInPages(t *testing.T) {
	defer goleak.VerifyNone(t)
	many, few := &shelf{scheme: "many"}, &shelf{scheme: "few", paths: []string{"a.md", "z/日本 語.md"}}
	for i := range 2*resourcesPerPage + 50 {
		many.paths = append(many.paths, fmt.Sprintf("%03d.md", i))
	}
	broken := &shelf{scheme: "broken", fail: errors.New("disk on fire")}
	s := New(Options{Sets: []toolset.Toolset{few.toolset(), broken.toolset(), many.toolset()}})
	c := connect(t, t.Context(), s)
	defer c.end()
	var uris []string
	var sizes []int
	for params := `{}`; params != ""; {
		page := c.ask("resources/list", params).Result
		sizes = append(sizes, len(page.Resources))
		for _, r := range page.Resources {
			uris = append(uris, r.URI)
		}
		params = ""
		if page.NextCursor != "" {
			params = `{"cursor":"` + page.NextCursor + `"}`
			many.paths = slices.DeleteFunc(many.paths, func(p string) bool { return p == "197.md" }) // the cursor's own
		}
	}
	if diff := cmp.Diff([]int{resourcesPerPage, resourcesPerPage, 52}, sizes); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(uris)))
	if len(distinct) != len(uris) || uris[1] != "few://z/%E6%97%A5%E6%9C%AC%20%E8%AA%9E.md" || uris[2] != "many://000.md" {
		t.Errorf("%d of %d rows are distinct, from %q", len(distinct), len(uris), uris[:3])
	}
	many.paths = many.paths[:resourcesPerPage-2]
	if page := c.ask("resources/list", `{}`).Result; len(page.Resources) != resourcesPerPage || page.NextCursor != "" {
		t.Errorf("a full page goes on: %d rows, cursor %q", len(page.Resources), page.NextCursor)
	}
	templates := c.ask("resources/templates/list", `{}`).Result.Templates
	if len(templates) != 3 || templates[2].URITemplate != "many://{+path}{#section}" {
		t.Errorf("templates %v", templates)
	}
	for _, cursor := range []string{"!", "bm8gVVJJ", base64.StdEncoding.EncodeToString([]byte("many://../x"))} {
		if got := c.ask("resources/list", `{"cursor":"`+cursor+`"}`); got.Error["code"] != -32602.0 {
			t.Errorf("cursor %s: %+v", cursor, got)
		}
	}
	if got := c.ask("resources/read", `{"uri":"`+anyResource+`"}`); got.Error == nil {
		t.Error("the resource that no client sees was read")
	}
}

// modern is the _meta of a request of the revision without a handshake.
const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func TestResourcesAreRead(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := connect(t, t.Context(), (&shelf{scheme: "notes"}).serve())
	defer c.end()
	for _, k := range []struct {
		uri, meta string
		code      any
		says      string
	}{
		{`notes://a/b%20c.md#L12`, `"x":1`, nil, "a/b c.md L12"},
		{`NOTES://a.md#%E4%BF%9D%E8%A8%BC`, `"x":1`, nil, "a.md 保証"},
		{`notes://gone.md`, `"x":1`, -32002.0, "gone.md does not exist; did you mean here.md?"},
		{`notes://gone.md`, modern, -32602.0, "did you mean here.md?"},
		{`other://a.md`, `"x":1`, -32002.0, "those served begin with notes://"},
		{`notes://shut.md`, `"x":1`, -32602.0, "symbolic link"},
		{`notes://busy.md`, `"x":1`, -32603.0, "ask again later"},
		{`notes://fault.md`, `"x":1`, -32603.0, "an unexpected failure"},
		{`notes://panic.md`, `"x":1`, -32603.0, "an unexpected failure"},
		{`notes://../a.md`, `"x":1`, -32602.0, "its path holds . or .."},
		{`notes://a%2Fb.md`, `"x":1`, -32602.0, "escaped slash"},
		{`a.md`, `"x":1`, -32602.0, "no scheme"},
	} {
		got := c.ask("resources/read", `{"uri":"`+k.uri+`",`+k.meta+`}`)
		said, _ := got.Error["message"].(string)
		if len(got.Result.Contents) == 1 {
			said = got.Result.Contents[0].Text
		}
		if got.Error["code"] != k.code || !strings.Contains(said, k.says) || strings.Contains(said, "fire") {
			t.Errorf("%s: %v %s", k.uri, got.Error, said)
		}
	}
	cut := c.ask("resources/read", `{"uri":"notes://long.md"}`).Result.Contents
	want := `This is not all: the text above is lines 1 to 2 of 9. To read on, call notes_read with {"path":"long.md"}.`
	if len(cut) != 2 || cut[0].Text != "first" || cut[1].Text != want {
		t.Errorf("cut: %+v", cut)
	}
}

func TestAResourceThatPanicsIsLogged(t *testing.T) {
	var out bytes.Buffer
	s := New(Options{Sets: []toolset.Toolset{(&shelf{scheme: "notes"}).toolset()}, Logger: jsonLogger(&out)})
	if _, err := s.resource(t.Context(), "notes://a.md"); err != nil {
		t.Fatal(err)
	}
	err := s.refuseResource(t.Context(), errors.New("disk on fire"))
	if strings.Contains(err.Error(), "fire") || !strings.Contains(out.String(), "disk on fire") {
		t.Errorf("%v, logged %s", err, &out)
	}
}

// Resources come with the tool whose rules they follow.
func TestResourcesNeedTheirTool(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := New(Options{Sets: []toolset.Toolset{(&shelf{scheme: "notes"}).toolset()}, Toolsets: []string{"other"}})
	c := connect(t, t.Context(), s)
	defer c.end()
	for _, method := range []string{"resources/list", "resources/read", "completion/complete"} {
		if got := c.ask(method, `{"uri":"notes://a.md","ref":{"type":"ref/prompt","name":"notes"},"argument":{"name":"topic","value":""}}`); got.Error["code"] != -32601.0 {
			t.Errorf("%s: %+v", method, got)
		}
	}
}

func TestCompletions(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := &shelf{scheme: "notes", paths: []string{"guide/サーバー.md", "サーバー設定.md", "b.md"}}
	for i := range 150 {
		f.paths = append(f.paths, fmt.Sprintf("n%03d.md", i))
	}
	c := connect(t, t.Context(), f.serve())
	defer c.end()
	const template = `{"type":"ref/resource","uri":"notes://{+path}{#section}"}`
	for _, k := range []struct {
		ref, arg, typed, known string
		want                   []string
		total                  int
		code                   any
	}{
		{template, "path", "ｻｰﾊﾞ", `{}`, []string{"サーバー設定.md", "guide/サーバー.md"}, 2, nil},
		{template, "path", "n", `{}`, f.paths[3:103], 150, nil},
		{template, "path", "nothing", `{}`, []string{}, 0, nil},
		{template, "path", "n", `{"section":"broken"}`, []string{}, 0, nil},
		{template, "section", "", `{}`, []string{}, 0, nil},
		{template, "line", "", `{}`, nil, 0, -32602.0},
		{`{"type":"ref/resource","uri":"notes://"}`, "path", "", `{}`, nil, 0, -32602.0},
		{`{"type":"ref/prompt","name":"notes"}`, "topic", "", `{}`, []string{}, 0, nil},
		{`{"type":"ref/prompt","name":"nothing"}`, "topic", "", `{}`, nil, 0, -32602.0},
	} {
		got := c.ask("completion/complete", `{"ref":`+k.ref+`,"argument":{"name":"`+k.arg+`","value":"`+k.typed+`"},"context":{"arguments":`+k.known+`}}`)
		proposed := got.Result.Completion
		if diff := cmp.Diff(k.want, proposed.Values); diff != "" || proposed.Total != k.total || proposed.HasMore != (k.total > 100) || got.Error["code"] != k.code {
			t.Errorf("%s %s %q: %v, %d in all (-want +got):\n%s", k.ref, k.arg, k.typed, got.Error, proposed.Total, diff)
		}
	}
}

// linked is a result that shows sections.
type linked struct{ note }

func (linked) Sections() (refs []toolset.Ref) {
	for i := range 9 {
		refs = append(refs, toolset.Ref{Target: "manual", ManualID: "m", Path: "a b.md", StartLine: i + 1})
	}
	return append([]toolset.Ref{{Target: "manual", ManualID: "m"}, {Target: "other", Path: "a.md"}}, refs...)
}

// Links stand where no model pays for them: beside structured content alone, or for clients that hand on only that.
func TestLinksOfResults(t *testing.T) {
	s := (&shelf{scheme: "manual"}).serve()
	for _, k := range []struct {
		form   ResultForm
		client string
		want   int
	}{
		{formStructured, "", 5}, {formBoth, "", 1}, {formText, "", 1}, {formAuto, "", 1},
		{formBoth, "claude-code", 6}, {formAuto, "codex-mcp-client", 6}, {formText, "claude-code", 1},
		{formBoth, "github-copilot-developer", 1}, {formAuto, "github-copilot-developer", 1},
	} {
		s.form = k.form
		ctx := context.WithValue(t.Context(), replyKey{}, &reply{client: caller{name: k.client}})
		wire, err := s.encode(ctx, linked{}, nil)
		if err != nil || len(wire.Content) != k.want {
			t.Errorf("%s for %q: %d blocks, %v", k.form, k.client, len(wire.Content), err)
		}
		if raw, _ := toolset.Marshal(wire.Content); k.want > 1 && !strings.Contains(string(raw), `"uri":"manual://m/a%20b.md#L1"`) {
			t.Errorf("%s", raw)
		}
		if wire, err := s.encode(ctx, nil, toolset.Errorf(toolset.NotFound, "no")); err != nil || len(wire.Content) != 1 {
			t.Errorf("%s for %q: a failure has no text alone: %+v, %v", k.form, k.client, wire, err)
		}
	}
}

// Over HTTP refusals have the same codes, and requests wait for room as calls do.
func TestResourcesOverHTTP(t *testing.T) {
	h := httptest.NewServer((&shelf{scheme: "notes"}).serve().HTTP(HTTPOptions{}))
	defer h.Close()
	for params, want := range map[string]string{
		`"uri":"notes://a.md"`: `"text":"a.md "`, `"uri":"notes://gone.md"`: `"code":-32002`, `"uri":"notes://../a.md"`: `"code":-32602`,
		`"uri":"notes://panic.md"`: `"code":-32603`, `"uri":"notes://gone.md",` + modern: `"code":-32602`,
	} {
		header := map[string]string{}
		if strings.Contains(params, modern) {
			header = map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "resources/read", "Mcp-Name": "notes://gone.md"}
		}
		body := `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{` + params + `}}`
		if _, _, said := fetch(t, http.MethodPost, h.URL+MCPPath, body, header); !strings.Contains(said, want) {
			t.Errorf("%s: %s", params, said)
		}
	}
	full := transport{slots: make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (aside{New(Options{}), full}).run(ctx, func(context.Context) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("without room: %v", err)
	}
}
