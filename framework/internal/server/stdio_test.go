package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// client speaks MCP with a server over pipes, line by line. The library's
// stdio session is global: these tests never run in parallel.
type client struct {
	t    *testing.T
	to   io.WriteCloser
	from *bufio.Reader
	done chan error
}

func connect(t *testing.T, ctx context.Context, s *Server) *client {
	t.Helper()
	return connectAs(t, ctx, s, "test", "2025-06-18")
}

// connectAs is [connect] by a client of some name and revision of the protocol.
func connectAs(t *testing.T, ctx context.Context, s *Server, name, revision string) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, to: inW, from: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		c.done <- s.ServeStdio(ctx, inR, outW)
		outW.Close()
		inR.Close()
	}()
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision + `","capabilities":{},"clientInfo":{"name":"` + name + `","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.to, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

type message struct {
	ID     any
	Method string
	Params map[string]any
	Result struct {
		Structured map[string]any `json:"structuredContent"`
		Content    []struct{ Type, Text string }
		IsError    bool
		Tools      []map[string]any
		Resources  []struct{ URI, Name, MimeType string }
		Templates  []struct{ URITemplate, Name string } `json:"resourceTemplates"`
		NextCursor string
		Contents   []struct{ URI, MimeType, Text string }
		Completion struct {
			Values  []string
			Total   int
			HasMore bool
		}
		Messages []struct{ Content struct{ Text string } }
		Prompts  []struct {
			Name      string
			Arguments []struct{ Required bool }
		}
		TTL          *int64 `json:"ttlMs"`
		CacheScope   string
		Instructions string
		Capabilities map[string]map[string]any
		ServerInfo   map[string]any
	}
	Error map[string]any
}

func (c *client) receive() message {
	c.t.Helper()
	line, err := c.from.ReadString('\n')
	if err != nil {
		c.t.Fatalf("no message: %v", err)
	}
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		c.t.Fatalf("%v in %s", err, line)
	}
	return m
}

// ask sends a request and returns its answer.
func (c *client) ask(method, params string) message {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":8,"method":"` + method + `","params":` + params + `}`)
	return c.receive()
}

func (c *client) call(tool, args string) message {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`)
	return c.receive()
}

// end closes the client's side and waits for a clean end.
func (c *client) end() {
	c.t.Helper()
	c.to.Close()
	rest, _ := io.ReadAll(c.from)
	if len(rest) > 0 {
		c.t.Errorf("more was written: %s", rest)
	}
	if err := <-c.done; err != nil {
		c.t.Errorf("ended with %v", err)
	}
}

func TestStdioRoundTrip(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := &fakeTools{}
	s := f.serve()
	c := connect(t, t.Context(), s)
	defer c.end()

	c.send(`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	hello := c.receive().Result
	if hello.Instructions != "Take notes." || hello.ServerInfo["name"] != "sagasu" || hello.ServerInfo["version"] != "v0-test" {
		t.Errorf("initialize: %+v", hello)
	}
	if hello.Capabilities["tools"] == nil || hello.Capabilities["tools"]["listChanged"] != nil || hello.Capabilities["prompts"] == nil || hello.Capabilities["completions"] == nil || len(hello.Capabilities) != 3 {
		t.Errorf("capabilities: %v", hello.Capabilities)
	}

	c.send(`{"jsonrpc":"2.0","id":"b","method":"tools/list"}`)
	if tools := c.receive().Result.Tools; len(tools) != len(s.Tools()) {
		t.Errorf("%d tools listed, want %d", len(tools), len(s.Tools()))
	}

	got := c.call("notes_find", `{"query":"再起動","budget":{"time_ms":"5"}}`).Result
	if got.IsError || got.Structured["trace_id"] != "t-1" || f.asked.(findArgs).Budget.TimeMS != 5 {
		t.Errorf("notes_find: %+v", got)
	}
	var text map[string]any
	if err := json.Unmarshal([]byte(got.Content[0].Text), &text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got.Structured, text); diff != "" {
		t.Errorf("text and structured content differ:\n%s", diff)
	}
}

// Every failure of a tool is a tool result that a model can read.
func TestStdioErrors(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := (&fakeTools{}).serve()
	c := connect(t, t.Context(), s)
	defer c.end()
	cases := []struct{ tool, args, code string }{
		{"notes_find", `{"query":""}`, "invalid_parameter"},
		{"notes_find", `{"query":"x","query":"y"}`, "invalid_parameter"},
		{"notes_find", `[]`, "invalid_parameter"},
		{"notes_find", `"x"`, "invalid_parameter"},
		{"notes_read", `{"path":"../a.md"}`, "invalid_path"},
		{"notes_fnid", `{"query":"x"}`, "not_found"},
		{unknownTool, `{}`, "not_found"},
	}
	for _, k := range cases {
		got := c.call(k.tool, k.args).Result
		failure, _ := got.Structured["error"].(map[string]any)
		if !got.IsError || failure["code"] != k.code || failure["message"] == "" || failure["details"] == nil {
			t.Errorf("%s %s: %+v", k.tool, k.args, got)
		}
	}
}

// What is no request costs an error or nothing, and never the session.
func TestStdioRefusesWhatIsNoRequest(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := connect(t, t.Context(), (&fakeTools{}).serve())
	defer c.end()
	for line, code := range map[string]float64{
		`{"broken`: -32700, "\xff": -32700, `[]`: -32600, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`: -32600,
		`"ping"`: -32600, `{"jsonrpc":"2.0","id":1,"method":5}`: -32600, `{"jsonrpc":"2.0","id":1}`: -32600,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":true,"method":"ping"}`: -32600,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", maxFrame) + `"}}`: -32600,
		`{"jsonrpc":"2.0","id":1,"method":"nothing"}`:                                                     -32601,
		strings.Repeat("[", 20_000):                                                                       -32700,
	} {
		c.send(line)
		if got := c.receive(); got.Error["code"] != code || got.Error["message"] == "" {
			t.Errorf("%.80s: %+v, want code %v", line, got, code)
		} else if said := fmt.Sprint(got.Error["message"]); strings.Contains(said, "Go ") {
			t.Errorf("%.80s: %s", line, said)
		}
	}
	for _, line := range []string{
		"", "  ", `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":null,"result":{}}`,
		`{"jsonrpc":"2.0","id":{},"error":{"code":1,"message":"no"}}`, `{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}`,
		`{"jsonrpc":"2.0","id":99999999999999999999,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/nothing"}`,
	} {
		c.send(line)
		if got := c.call("notes_ls", `{}`); got.ID != 7.0 || got.Result.IsError {
			t.Errorf("after %s: %+v", line, got)
		}
	}
}

// An answer has the id of its request, as it was written.
func TestStdioKeepsIDs(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := connect(t, t.Context(), (&fakeTools{}).serve())
	defer c.end()
	for _, id := range []string{`1`, `"1"`, `-0`, `1.50`, `1e3`, `99999999999999999999`, `""`, `"<\u00e9é>"`, `9007199254740993`} {
		for _, method := range []string{
			`"ping"`, `"tools/list"`, `"nothing"`, `"prompts/get","params":{"name":"notes","arguments":{}}`,
			`"tools/call","params":{"name":"notes_ls","arguments":{}}`,
		} {
			c.send(`{"jsonrpc":"2.0","id":` + id + `,"method":` + method + `}`)
			line, err := c.from.ReadString('\n')
			if err != nil || !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`+id+`,`) {
				t.Errorf("%s to %s: %v in %.100s", id, method, err, line)
			}
		}
	}
}

func TestCancelledCallEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	started := make(chan struct{})
	f := &fakeTools{find: func(ctx context.Context, _ findArgs) (*foundNotes, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	c := connect(t, t.Context(), f.serve())
	defer c.end()
	c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"notes_find","arguments":{"query":"x"}}}`)
	<-started
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	c.send(`{"jsonrpc":"2.0","id":6,"method":"ping"}`) // the cancelled call has no answer
	if got := c.receive(); got.ID != 6.0 {
		t.Errorf("%+v", got)
	}
}

// A cancellation that comes too early or too late concerns no request.
func TestCancellationOfNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := (&fakeTools{}).serve()
	c := connect(t, t.Context(), s)
	defer c.end()
	for _, id := range []string{`7`, `"7"`, `null`, `{}`} {
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		if got := c.call("notes_ls", `{}`); got.ID != 7.0 {
			t.Errorf("after %s: %+v", id, got)
		}
	}
}

func TestProgressArrivesBeforeTheResult(t *testing.T) {
	defer goleak.VerifyNone(t)
	f := &fakeTools{}
	s := f.serve()
	f.find = func(context.Context, findArgs) (*foundNotes, error) {
		for done := range 1000 {
			s.Announce(done+1, 1000, "building the index")
		}
		s.Announce(3, 1000, "never backwards")
		return &foundNotes{}, nil
	}
	c := connect(t, t.Context(), s)
	defer c.end()
	c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"notes_find","arguments":{"query":"x"},"_meta":{"progressToken":"p"}}}`)
	last, notes := 0.0, 0
	for {
		m := c.receive()
		if m.Method == "" {
			break
		}
		notes++
		done := m.Params["progress"].(float64)
		if m.Method != "notifications/progress" || m.Params["progressToken"] != "p" || done <= last {
			t.Fatalf("after %v: %+v", last, m)
		}
		last = done
	}
	if last != 1000 || notes > 500 {
		t.Errorf("%d notifications up to %v, want few, the last being 1000", notes, last)
	}
}

// echo … | sagasu mcp: the input ends at once, the answers still come.
func TestEndOfInputLetsAnswersFinish(t *testing.T) {
	defer goleak.VerifyNone(t)
	release := make(chan struct{})
	f := &fakeTools{find: func(ctx context.Context, _ findArgs) (*foundNotes, error) {
		select {
		case <-release:
			return &foundNotes{"late"}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
	in := `{"jsonrpc":"2.0","id":1,"method":"ping"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"notes_find","arguments":{"query":"x"}}}`
	var out strings.Builder
	done := make(chan error, 1)
	input := &announced{Reader: strings.NewReader(in), ended: release}
	go func() {
		done <- f.serve().ServeStdio(t.Context(), input, &out)
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"late"`) || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("answered %s", out.String())
	}
}

// announced closes a channel when its reader has ended.
type announced struct {
	io.Reader
	ended chan struct{}
	told  bool
}

func (a *announced) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err == io.EOF && !a.told {
		a.told = true
		close(a.ended)
	}
	return n, err
}

func TestEndOfInputDoesNotWaitForEver(t *testing.T) {
	w := newWire(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x"}`+"\n"), io.Discard, time.Millisecond)
	if _, err := io.ReadAll(w); err != nil {
		t.Fatal(err)
	}
	if w.pending() != 1 {
		t.Errorf("%d requests open, want the one never answered", w.pending())
	}
}

func TestStoppedServerEndsCleanly(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := (&fakeTools{}).serve()
	ctx, stop := context.WithCancel(t.Context())
	c := connect(t, ctx, s)
	stop()
	if err := <-c.done; err != nil {
		t.Errorf("ended with %v", err)
	}
}
