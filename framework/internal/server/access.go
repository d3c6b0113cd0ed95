package server

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/server"
)

// Access decides which HTTP requests are answered.
type Access struct {
	// Token is the token that a caller must present, or "" for none. Without Token and Verify, everybody who can reach
	// the server may call.
	Token string
	// Verify reports whether the issuer of [Access.Issuer] issued a token for this server. It is nil if there is no
	// issuer.
	Verify func(ctx context.Context, token string) error
	// Issuer issues tokens for Resource, the URL by which clients know the endpoint.
	Issuer, Resource string
	// Hosts are the names by which an open server may be called, besides the names of this machine.
	Hosts []string
	// Origins are the origins of foreign pages that may call.
	Origins []string
}

// Open reports whether everybody who can reach the server may call.
func (a Access) Open() bool { return a.Token == "" && a.Verify == nil }

// local refuses a request that a foreign page made or that reached the server under a foreign host name.
func (a Access) local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.named(r.Host) {
			http.Error(w, fmt.Sprintf("without a token this server answers to localhost and to the host of its "+
				"public URL, not to %q", r.Host), http.StatusForbidden)
			return
		}
		origin := r.Header.Get("Origin")
		switch {
		case slices.Contains(a.Origins, origin): // such a page may also read refusals
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Add("Vary", "Origin")
		case origin != "" && !a.own(origin, r.Host):
			http.Error(w, "pages of that Origin may not call", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// named reports whether the server answers to a Host. An open server answers only to names of this machine: any other
// may be a foreign page's name that resolves to it. Such a page knows no token.
func (a Access) named(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	return !a.Open() || Loopback(name) ||
		slices.ContainsFunc(a.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// Loopback reports whether only this machine can reach a host.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// own reports whether an Origin is that of this server's pages. A proxy on the way may have changed the host name.
func (a Access) own(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	public, err := url.Parse(a.Resource)
	return u.Host == host || err == nil && u.Scheme == public.Scheme && u.Host == public.Host
}

// client admits requests that present a token in a header.
func (a Access) client(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := r.Header.Get("Authorization")
		if scheme, rest, ok := strings.Cut(token, " "); ok && strings.EqualFold(scheme, "Bearer") {
			token = rest
		}
		if a.Open() || r.Method == http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		token = strings.TrimSpace(token)
		err := a.accepts(r.Context(), token)
		if err == nil {
			next.ServeHTTP(w, r)
			return
		}
		var about []string // RFC 6750 names no error if there was no token
		if token != "" {
			about = append(about, ` error="invalid_token"`)
		}
		if a.Verify != nil {
			about = append(about, fmt.Sprintf(` resource_metadata=%q`, a.metadata()))
		}
		w.Header().Set("WWW-Authenticate", "Bearer"+strings.Join(about, ","))
		http.Error(w, err.Error(), http.StatusUnauthorized)
	})
}

// accepts returns why a token is neither the server's own nor its issuer's.
func (a Access) accepts(ctx context.Context, token string) error {
	switch {
	case token == "":
		return errors.New("a token is needed: Authorization: Bearer TOKEN")
	case a.isToken(token):
		return nil
	case a.Verify == nil:
		return errors.New("the token in Authorization is not this server's")
	}
	if err := a.Verify(ctx, token); err != nil {
		return fmt.Errorf("the token in Authorization is not good here: %w", err)
	}
	return nil
}

// isToken reports whether a token is the server's own. It takes constant time.
func (a Access) isToken(token string) bool {
	given, own := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(a.Token))
	return a.Token != "" && subtle.ConstantTimeCompare(given[:], own[:]) == 1
}

// publish shows where to get tokens.
func (a Access) publish(mux *http.ServeMux) {
	if a.Verify == nil {
		return
	}
	about := server.NewProtectedResourceMetadataHandler(server.ProtectedResourceMetadataConfig{
		Resource: a.Resource, AuthorizationServers: []string{a.Issuer}, BearerMethodsSupported: []string{"header"},
		ResourceName: "sagasu",
	})
	mux.Handle(server.WellKnownProtectedResourcePath, about)
	if path := server.ProtectedResourceMetadataPath(a.Resource); path != server.WellKnownProtectedResourcePath {
		mux.Handle(path, about)
	}
}

// metadata returns the URL at which publish shows it.
func (a Access) metadata() string {
	u, err := url.Parse(a.Resource)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + server.ProtectedResourceMetadataPath(a.Resource)
}

// cookie names the proof that a browser has presented the token. It does not contain the token.
const cookie = "sagasu"

// proof returns the value of the cookie.
func (a Access) proof() string {
	mac := hmac.New(sha256.New, []byte(a.Token))
	mac.Write([]byte("page"))
	return hex.EncodeToString(mac.Sum(nil))
}

// browser admits browsers that have sent the token once, by a form at the requested page.
func (a Access) browser(next http.Handler) http.Handler {
	if a.Open() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie(cookie); err == nil && a.Token != "" && hmac.Equal([]byte(c.Value), []byte(a.proof())) {
			next.ServeHTTP(w, r)
			return
		}
		var given string
		if r.Method == http.MethodPost {
			given = strings.TrimSpace(r.PostFormValue("token"))
		}
		if a.isToken(given) {
			http.SetCookie(w, &http.Cookie{
				Name: cookie, Value: a.proof(), Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
				Secure: r.TLS != nil || strings.HasPrefix(a.Resource, "https://"), // a proxy may speak TLS
			})
			w.Header().Set("Location", "?"+r.URL.RawQuery) // the same page, even below the path of a proxy
			w.WriteHeader(http.StatusSeeOther)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; frame-ancestors 'none'")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusUnauthorized)
		_ = loginPage.Execute(w, struct{ Own, Wrong, Form bool }{
			a.Token != "", given != "", r.Method == http.MethodPost && given == "",
		}) // an error means that the client has gone
	})
}

// loginPage asks for the token.
var loginPage = template.Must(template.New("login").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>sagasu</title>
<main><h1>sagasu</h1>
{{if .Own}}{{if .Wrong}}<p role="alert">That is not the token. <span lang="ja">トークンが違います。</span></p>
{{end}}<form method="post"{{if .Form}} action="./"{{end}}><p><label>Token <span lang="ja">（トークン）</span>
<input type="password" name="token" autocomplete="current-password" required autofocus></label>
<button>Open <span lang="ja">（開く）</span></button></p></form>
{{else}}<p>This server has no token of its own, so it shows no page.</p>{{end}}</main></html>
`))
