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
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const testToken = "a-token-of-the-tests"

// web is a server of fakeTools over HTTP.
func web(t *testing.T, f *fakeTools, o HTTPOptions) *httptest.Server {
	t.Helper()
	h := httptest.NewServer(f.serve().HTTP(o))
	t.Cleanup(h.Close)
	return h
}

// webOf is a server over HTTP that anybody may call.
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

// rpc is a call of a tool as an older client sends it.
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

// Who may call, and by what name.
func TestAccess(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer http.DefaultClient.CloseIdleConnections()
	locked := Access{Token: testToken, Hosts: []string{"docs.example.com"}, Origins: []string{"https://app.example.com"},
		Resource: "https://docs.example.com/mcp"}
	bearer := "Bearer " + testToken
	for _, tc := range []struct {
		what   string
		access Access
		path   string
		header map[string]string
		status int
	}{
		{"an open server", Access{}, "/mcp", nil, 200},
		{"localhost", Access{}, "/mcp", map[string]string{"Host": "localhost:7777"}, 200},
		{"IPv6", Access{}, "/mcp", map[string]string{"Host": "[::1]:7777"}, 200},
		{"a name that leads here", Access{}, "/mcp", map[string]string{"Host": "evil.example"}, 403},
		{"an address of the network", Access{}, "/mcp", map[string]string{"Host": "192.0.2.1"}, 403},
		{"a foreign page", Access{}, "/mcp", map[string]string{"Origin": "https://evil.example"}, 403},
		{"an opaque page", Access{}, "/mcp", map[string]string{"Origin": "null"}, 403},
		{"its own page", Access{}, "/mcp", map[string]string{"Host": "localhost:7", "Origin": "http://localhost:7"}, 200},
		{"a page of another port", Access{}, "/mcp", map[string]string{"Host": "localhost:7", "Origin": "http://localhost:8"}, 403},
		{"a foreign page asks for health", Access{}, "/healthz", map[string]string{"Origin": "https://evil.example"}, 403},
		{"no token", locked, "/mcp", nil, 401},
		{"a token", locked, "/mcp", map[string]string{"Authorization": bearer}, 200},
		{"a scheme in lower case", locked, "/mcp", map[string]string{"Authorization": "bearer " + testToken}, 200},
		{"a page of its public name, behind a proxy", locked, "/", map[string]string{"Cookie": cookie + "=" + locked.proof(),
			"Origin": "https://docs.example.com"}, 200},
		{"the same without TLS", locked, "/", map[string]string{"Cookie": cookie + "=" + locked.proof(), "Origin": "http://docs.example.com"}, 403},
		{"a wrong token", locked, "/mcp", map[string]string{"Authorization": bearer + "s"}, 401},
		{"half a token", locked, "/mcp", map[string]string{"Authorization": bearer[:len(bearer)-1]}, 401},
		{"an empty token", locked, "/mcp", map[string]string{"Authorization": "Bearer "}, 401},
		{"its name", locked, "/mcp", map[string]string{"Authorization": bearer, "Host": "Docs.example.com"}, 200},
		{"another name", locked, "/mcp", map[string]string{"Authorization": bearer, "Host": "docs.internal:7777"}, 200},
		{"a name that leads here", locked, "/mcp", map[string]string{"Host": "evil.example", "Origin": "http://evil.example"}, 401},
		{"another name of the page", locked, "/", map[string]string{"Host": "evil.example", "Origin": "http://evil.example"}, 401},
		{"the public name of an open server", Access{Hosts: locked.Hosts}, "/mcp", map[string]string{"Host": "docs.example.com"}, 200},
		{"a slash at the end", locked, "/mcp/", map[string]string{"Authorization": bearer}, 200},
		{"a slash at the end without the token", locked, "/mcp/", nil, 401},
		{"where an issuer would be", locked, "/.well-known/oauth-protected-resource", nil, 404},
		{"an address", locked, "/mcp", map[string]string{"Authorization": bearer, "Host": "192.0.2.1:7777"}, 200},
		{"an allowed page", locked, "/mcp", map[string]string{"Authorization": bearer, "Origin": "https://app.example.com"}, 200},
		{"an allowed page without the token", locked, "/mcp", map[string]string{"Origin": "https://app.example.com"}, 401},
		{"figures without the token", locked, "/metrics", nil, 401},
		{"figures", locked, "/metrics", map[string]string{"Authorization": bearer}, 200},
		{"health", locked, "/healthz", nil, 200},
		{"the page without the cookie", locked, "/", nil, 401},
		{"the page with another's cookie", locked, "/", map[string]string{"Cookie": cookie + "=" + Access{Token: "x"}.proof()}, 401},
		{"the page with the token as cookie", locked, "/", map[string]string{"Cookie": cookie + "=" + testToken}, 401},
		{"the page", locked, "/", map[string]string{"Cookie": cookie + "=" + locked.proof()}, 200},
		{"calls with the cookie of the page", locked, "/mcp", map[string]string{"Cookie": cookie + "=" + locked.proof()}, 401},
	} {
		h := httptest.NewServer((&fakeTools{}).serve().HTTP(HTTPOptions{Access: tc.access, Metrics: http.NotFoundHandler()}))
		method, body := http.MethodGet, ""
		if strings.HasPrefix(tc.path, MCPPath) {
			method, body = http.MethodPost, rpc("notes_ls", "{}")
		}
		status, header, said := fetch(t, method, h.URL+tc.path, body, tc.header)
		if tc.path == "/metrics" && status == 404 { // where the figures would be
			status = 200
		}
		if status != tc.status {
			t.Errorf("%s: %d, want %d", tc.what, status, tc.status)
		}
		if strings.Contains(said, testToken) || strings.Contains(fmt.Sprint(header), testToken) {
			t.Errorf("%s: the answer holds the token", tc.what)
		}
		if from := tc.header["Origin"]; (header.Get("Access-Control-Allow-Origin") == from) != slices.Contains(append(tc.access.Origins, ""), from) {
			t.Errorf("%s: a page of %q reads the answer: %v", tc.what, from, header)
		}
		if challenged := header.Get("WWW-Authenticate") != ""; challenged != (tc.status == 401 && tc.path != "/") {
			t.Errorf("%s: challenged %v", tc.what, challenged)
		}
		if refused := header.Get("WWW-Authenticate"); tc.status == 401 && strings.HasPrefix(tc.path, MCPPath) &&
			strings.Contains(refused, "invalid_token") != strings.Contains(said, "the token in Authorization") {
			t.Errorf("%s: challenge %q, body %q", tc.what, refused, said)
		}
		h.Close()
	}
}

// A browser sends the token once.
func TestABrowserLogsIn(t *testing.T) {
	h := web(t, &fakeTools{}, HTTPOptions{Access: Access{Token: testToken}})
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	_, _, asked := fetch(t, http.MethodGet, h.URL+"/read?line=2", "", nil)
	if strings.Contains(asked, "not the token") || strings.Contains(asked, "action") {
		t.Errorf("the form of a page is sent elsewhere: %s", asked)
	}
	if _, _, asked := fetch(t, http.MethodPost, h.URL+"/judge", "rank=1", form); !strings.Contains(asked, `action="./"`) {
		t.Errorf("after another form: %s", asked)
	}
	status, header, said := fetch(t, http.MethodPost, h.URL+"/", "token=wrong", form)
	if status != 401 || header["Set-Cookie"] != nil || !strings.Contains(said, "not the token") {
		t.Errorf("a wrong token: %d %v %s", status, header, said)
	}
	status, header, _ = fetch(t, http.MethodPost, h.URL+"/read?line=2", url.Values{"token": {testToken}}.Encode(), form)
	set := header.Get("Set-Cookie")
	if status != 303 || !strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Strict") || strings.Contains(set, testToken) {
		t.Fatalf("%d, cookie %q", status, set)
	}
	if to := header.Get("Location"); to != "?line=2" {
		t.Errorf("the browser goes to %q, want the page it asked for", to)
	}
	held, _, _ := strings.Cut(set, ";")
	if status, _, body := fetch(t, http.MethodGet, h.URL+"/", "", map[string]string{"Cookie": held}); status != 200 || !strings.Contains(body, MCPPath) {
		t.Errorf("with the cookie: %d %s", status, body)
	}
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
	if !bytes.Contains(raw, []byte("too large")) {
		t.Errorf("a body without length: %d %.80s", resp.StatusCode, raw)
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

// A browser asks before a foreign page may send what a request of the protocol holds.
func TestPreflight(t *testing.T) {
	h := web(t, &fakeTools{}, HTTPOptions{Access: Access{Token: testToken, Origins: []string{"https://app.example.com"}}})
	_, header, _ := fetch(t, http.MethodOptions, h.URL+MCPPath, "", map[string]string{
		"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST"})
	for _, name := range []string{"Authorization", "Content-Type", "Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"} {
		if !slices.Contains(strings.Split(header.Get("Access-Control-Allow-Headers"), ", "), name) {
			t.Errorf("%s may not be sent: %v", name, header)
		}
	}
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
	if status, _, _ := fetch(t, http.MethodGet, h.URL+MCPPath, "", nil); status != http.StatusMethodNotAllowed {
		t.Errorf("a stream: %d", status)
	}
	if status, _, body := fetch(t, http.MethodPost, h.URL+MCPPath, rpc("notes_ls", "{}"), map[string]string{"MCP-Protocol-Version": "1999-01-01"}); status != 400 {
		t.Errorf("an unknown revision: %d %s", status, body)
	}
}

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
