package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

const testToken = "a-token-of-the-tests"

// web returns a server of fakeTools over HTTP.
func web(t *testing.T, f *fakeTools, o HTTPOptions) *httptest.Server {
	t.Helper()
	o.Page = http.HandlerFunc(testPage)
	h := httptest.NewServer(f.serve().HTTP(o))
	t.Cleanup(h.Close)
	return h
}

func testPage(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "this is ", r.URL.Path) }

// webOf returns a server over HTTP that anybody may call.
func webOf(t *testing.T, s *Server) *httptest.Server {
	t.Helper()
	h := httptest.NewServer(s.HTTP(HTTPOptions{}))
	t.Cleanup(h.Close)
	return h
}

// fetch sends a request and returns its status and body.
func fetch(t *testing.T, method, to, body string, header map[string]string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, to, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		if name == "Host" {
			req.Host = value
		}
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // redirects are not followed
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(raw)
}

// rpc returns a call of a tool as an older client sends it.
func rpc(tool, args string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

// called calls a tool and returns its result.
func called(t *testing.T, h *httptest.Server, tool, args string) map[string]any {
	t.Helper()
	status, _, body := fetch(t, http.MethodPost, h.URL+MCPPath, rpc(tool, args), nil)
	var m message
	if err := json.Unmarshal([]byte(body), &m); err != nil || status != http.StatusOK {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	return m.Result.Structured
}

func TestRequestsAreBounded(t *testing.T) {
	h := web(t, &fakeTools{}, HTTPOptions{})
	large := rpc("notes_find", `{"query":"`+strings.Repeat("a", maxFrame)+`"}`)
	if status, _, body := fetch(t, http.MethodPost, h.URL+MCPPath, large, nil); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body of %d bytes: %d %.80s", len(large), status, body)
	}
	// Without a length the body is read as far as a message may go.
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+MCPPath, io.MultiReader(strings.NewReader(large)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusRequestEntityTooLarge || !bytes.Contains(raw, []byte("too large")) {
		t.Errorf("a body without length: %d %.80s", resp.StatusCode, raw)
	}
}

func TestABodyThatIsNoMessage(t *testing.T) {
	h := web(t, &fakeTools{}, HTTPOptions{})
	for body, want := range map[string]string{
		`{"jsonrpc"`: `"code":-32700,"message":"the message is no JSON: `,
		"":           `"code":-32700,"message":"the message is no JSON: `,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`:  `"code":-32600,"message":"batches are not supported: `,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`: `"code":-32600,"message":"the id must be a string or a number"`,
		`{"jsonrpc":"2.0","id":7}`:                    `"message":"the message has no method"},"id":7`,
		` {"jsonrpc":"2.0","id":1,"method":"ping"} `:  `"id":1,"result":{}`,
	} {
		status, _, answer := fetch(t, http.MethodPost, h.URL+MCPPath, body, nil)
		if good := strings.Contains(want, "result"); !strings.Contains(answer, want) || good != (status == http.StatusOK) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
}

// Requests beyond the bound are asked to come again, but for whether the server is well.
func TestTooManyCalls(t *testing.T) {
	entered, release := make(chan struct{}, maxCalls), make(chan struct{})
	h := (&fakeTools{}).serve().HTTP(HTTPOptions{
		Page: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { entered <- struct{}{}; <-release })})
	get := func(path string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = "localhost"
		h.ServeHTTP(w, r)
		return w
	}
	var group sync.WaitGroup
	for range maxCalls {
		group.Go(func() { get("/") })
	}
	for range maxCalls {
		<-entered
	}
	if w := get("/"); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	if w := get("/healthz"); w.Code != http.StatusOK {
		t.Errorf("health of a busy server: %d", w.Code)
	}
	close(release)
	group.Wait()
}

// Every revision is served at one address: the older ones after initialize, the newest without it.
func TestRevisions(t *testing.T) {
	h := web(t, &fakeTools{}, HTTPOptions{})
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		hello := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version +
			`","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
		status, header, body := fetch(t, http.MethodPost, h.URL+MCPPath, hello, nil)
		if status != 200 || !strings.Contains(body, `"protocolVersion":"`+version+`"`) || header.Get("Mcp-Session-Id") == "" {
			t.Errorf("%s: %d %v %s", version, status, header, body)
		}
		status, _, body = fetch(t, http.MethodPost, h.URL+MCPPath, rpc("notes_ls", "{}"), map[string]string{"MCP-Protocol-Version": version})
		if status != 200 || !strings.Contains(body, "structuredContent") {
			t.Errorf("%s: a call: %d %s", version, status, body)
		}
	}
	modern := func(method, params string) (int, string) {
		t.Helper()
		body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `"_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},` +
			`"io.modelcontextprotocol/clientCapabilities":{}}}}`
		header := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
		if method == "tools/call" {
			header["Mcp-Name"] = "notes_ls"
		}
		status, _, said := fetch(t, http.MethodPost, h.URL+MCPPath, body, header)
		return status, said
	}
	for method, want := range map[string]string{"server/discover": "2026-07-28", "tools/list": "notes_find", "tools/call": "structuredContent"} {
		params := ""
		if method == "tools/call" {
			params = `"name":"notes_ls","arguments":{},`
		}
		if status, body := modern(method, params); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", method, status, body)
		}
	}
	if status, body := modern("initialize", ""); status == 200 && !strings.Contains(body, "error") {
		t.Errorf("initialize of the newest: %d %s", status, body)
	}
	status, header, _ := fetch(t, http.MethodGet, h.URL+MCPPath, "", nil)
	if allow := header.Get("Allow"); status != http.StatusMethodNotAllowed || allow != "POST, DELETE, HEAD" {
		t.Errorf("a stream: %d, allowed %q", status, allow)
	}
	if status, _, body := fetch(t, http.MethodPost, h.URL+MCPPath, rpc("notes_ls", "{}"), map[string]string{"MCP-Protocol-Version": "1999-01-01"}); status != 400 {
		t.Errorf("an unknown revision: %d %s", status, body)
	}
}

// A prompt without its argument is the caller's mistake.
func TestABadArgumentOverHTTP(t *testing.T) {
	h := web(t, &fakeTools{}, HTTPOptions{})
	get := `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"notes"}}`
	if _, _, body := fetch(t, http.MethodPost, h.URL+MCPPath, get, nil); !strings.Contains(body, `"code":-32602`) {
		t.Errorf("%s", body)
	}
}

// Progress comes on the answer's own stream, before it.
func TestProgressOverHTTP(t *testing.T) {
	f := &fakeTools{}
	s := f.serve()
	f.find = func(context.Context, findArgs) (*foundNotes, error) {
		s.Announce(1, 2, "reading")
		s.Announce(2, 2, "read")
		return &foundNotes{"t-1"}, nil
	}
	h := httptest.NewServer(s.HTTP(HTTPOptions{}))
	defer h.Close()
	call := strings.Replace(rpc("notes_find", `{"query":"q"}`), `"params":{`, `"params":{"_meta":{"progressToken":"p"},`, 1)
	_, header, plain := fetch(t, http.MethodPost, h.URL+MCPPath, call, nil)
	if !strings.HasPrefix(header.Get("Content-Type"), "application/json") || !strings.HasPrefix(plain, `{"jsonrpc"`) {
		t.Errorf("a client that takes no stream: %v %s", header, plain)
	}
	_, header, body := fetch(t, http.MethodPost, h.URL+MCPPath, call, map[string]string{"Accept": "application/json, text/event-stream"})
	var got []string
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var m message
		if err := json.Unmarshal([]byte(data), &m); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(m.Method, m.Params["progress"], m.Params["total"], m.Result.Structured["trace_id"]))
	}
	want := []string{"notifications/progress1 2 <nil>", "notifications/progress2 2 <nil>", "<nil> <nil>t-1"}
	if diff := cmp.Diff(want, got); diff != "" || !strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") {
		t.Errorf("%s (-want +got):\n%s\n%s", header.Get("Content-Type"), diff, body)
	}
}

// At its end a server answers what is under way, takes nothing more, and leaves nothing behind.
func TestServeHTTPEnds(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, secure := range []bool{false, true} {
		entered, release := make(chan struct{}), make(chan struct{})
		f := &fakeTools{find: func(context.Context, findArgs) (*foundNotes, error) {
			close(entered)
			<-release
			return &foundNotes{"t-late"}, nil
		}}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		client, scheme, o := &http.Client{Transport: &http.Transport{}}, "http", HTTPOptions{}
		if secure {
			known := httptest.NewTLSServer(nil)
			o.TLS, scheme = &tls.Config{Certificates: known.TLS.Certificates}, "https"
			client.Transport = known.Client().Transport.(*http.Transport).Clone()
			known.Close()
		}
		ended, answered := make(chan error, 1), make(chan string, 1)
		go func() { ended <- f.serve().ServeHTTP(ctx, listener, o) }()
		go func() {
			resp, err := client.Post(scheme+"://"+listener.Addr().String()+MCPPath, "application/json",
				strings.NewReader(rpc("notes_find", `{"query":"q"}`)))
			if err != nil {
				answered <- err.Error()
				return
			}
			defer resp.Body.Close()
			raw, _ := io.ReadAll(resp.Body)
			answered <- string(raw)
		}()
		<-entered
		cancel()
		for { // until it takes nothing more
			conn, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				break
			}
			conn.Close()
			time.Sleep(time.Millisecond)
		}
		close(release)
		if got := <-answered; !strings.Contains(got, "t-late") {
			t.Errorf("the call under way: %s", got)
		}
		if err := <-ended; err != nil {
			t.Errorf("the end: %v", err)
		}
		client.CloseIdleConnections()
	}
}
