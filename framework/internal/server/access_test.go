package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

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
		h := httptest.NewServer((&fakeTools{}).serve().HTTP(HTTPOptions{Access: tc.access, Page: http.HandlerFunc(testPage), Metrics: http.NotFoundHandler()}))
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
	if status, _, body := fetch(t, http.MethodGet, h.URL+"/", "", map[string]string{"Cookie": held}); status != 200 || body != "this is /" {
		t.Errorf("with the cookie: %d %s", status, body)
	}
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
