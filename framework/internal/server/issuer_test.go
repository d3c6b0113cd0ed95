package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// An issuer's tokens are good for this server alone, and for as long as they say.
func TestIssued(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	const audience = "https://docs.example.com/mcp"
	for _, wellKnown := range []string{"/.well-known/oauth-authorization-server/tenant", "/tenant/.well-known/openid-configuration"} {
		mux := http.NewServeMux()
		issuer := httptest.NewServer(mux)
		defer issuer.Close()
		name := issuer.URL + "/tenant"
		answer := func(path string, v any) {
			mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(v) })
		}
		answer(wellKnown, map[string]string{"issuer": name, "jwks_uri": issuer.URL + "/keys"})
		answer("/keys", jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}})
		verify, err := Issued(t.Context(), name, audience)
		if err != nil {
			t.Fatal(err)
		}
		h := web(t, &fakeTools{}, HTTPOptions{Access: Access{Verify: verify, Issuer: name, Resource: audience}})
		type claims map[string]any
		now := time.Now()
		good := claims{"iss": name, "aud": audience, "sub": "me", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
		with := func(name string, value any) claims {
			c := claims{}
			for k, v := range good {
				c[k] = v
			}
			c[name] = value
			return c
		}
		for _, tc := range []struct {
			what   string
			key    *ecdsa.PrivateKey
			claims claims
			status int
			why    string
		}{
			{"good", key, good, 200, ""},
			{"for several", key, with("aud", []string{"https://x", audience}), 200, ""},
			{"for another server", key, with("aud", "https://docs.example.com/other"), 401, audience},
			{"of another issuer", key, with("iss", name+"x"), 401, name},
			{"expired", key, with("exp", now.Add(-time.Hour).Unix()), 401, "expired"},
			{"not yet good", key, with("nbf", now.Add(time.Hour).Unix()), 401, "before"},
			{"of another key", other, good, 401, "signature"},
		} {
			signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: tc.key, KeyID: "k"}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			payload, err := json.Marshal(tc.claims)
			if err != nil {
				t.Fatal(err)
			}
			signed, err := signer.Sign(payload)
			if err != nil {
				t.Fatal(err)
			}
			token, err := signed.CompactSerialize()
			if err != nil {
				t.Fatal(err)
			}
			status, header, said := fetch(t, http.MethodPost, h.URL+MCPPath, rpc("notes_ls", "{}"), map[string]string{"Authorization": "Bearer " + token})
			if status != tc.status {
				t.Errorf("%s: %d, want %d", tc.what, status, tc.status)
			}
			if !strings.Contains(said, tc.why) || strings.Contains(said, token) {
				t.Errorf("%s: %q does not say %q", tc.what, said, tc.why)
			}
			const metadata = `resource_metadata="https://docs.example.com/.well-known/oauth-protected-resource/mcp"`
			if challenge := header.Get("WWW-Authenticate"); status == 401 && !strings.Contains(challenge, metadata) {
				t.Errorf("%s: challenge %q", tc.what, challenge)
			}
		}
		_, _, about := fetch(t, http.MethodGet, h.URL+"/.well-known/oauth-protected-resource/mcp", "", nil)
		if !strings.Contains(about, `"resource":"`+audience+`"`) || !strings.Contains(about, name) {
			t.Errorf("metadata: %s", about)
		}
		if status, _, page := fetch(t, http.MethodGet, h.URL+"/", "", nil); status != 401 || !strings.Contains(page, "no token of its own") {
			t.Errorf("the page: %d %s", status, page)
		}
	}
}

func TestIssuersThatCannotBe(t *testing.T) {
	for _, tc := range []struct{ what, answer, want string }{
		{"no metadata", "", "404"},
		{"no JSON", "<html>", "invalid character"},
		{"another's", `{"issuer":"https://evil.example","jwks_uri":"https://evil.example/keys"}`, "it calls itself"},
		{"no keys", `{"issuer":"ISSUER"}`, "no jwks_uri"},
	} {
		var issuer *httptest.Server
		issuer = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if tc.answer == "" {
				http.NotFound(w, r)
				return
			}
			_, _ = w.Write([]byte(strings.ReplaceAll(tc.answer, "ISSUER", issuer.URL)))
		}))
		if _, err := Issued(t.Context(), issuer.URL, "x"); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.what, err, tc.want)
		}
		issuer.Close()
	}
	if _, err := Issued(t.Context(), "http://127.0.0.1:1", "x"); err == nil {
		t.Error("nobody listens, and there is no error")
	}
}
