package weaviate

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Schemes of collection URLs: without TLS, and with TLS.
const (
	scheme    = "weaviate"
	schemeTLS = "weaviates"
)

type address struct {
	hosts []string // such as "http://a:8080"; one is enough
	name  string
}

// errAddress does not contain the URL, which may include a key.
var errAddress = errors.New("it must look like weaviate://host:8080/name, with several hosts " +
	"weaviate://a:8080,b:8080/name, and with TLS weaviates://; the name has lower-case letters, digits and '_' and " +
	"starts with a letter")

var names = lazyregexp.New(`^[a-z][a-z0-9_]{0,59}$`)

// parse reads the URL of a collection.
func parse(raw string) (address, error) {
	kind, rest, _ := strings.Cut(raw, "://")
	web, port := "http://", "8080"
	switch kind {
	case scheme:
	case schemeTLS:
		web, port = "https://", "443"
	default:
		return address{}, errAddress
	}
	hosts, name, _ := strings.Cut(rest, "/")
	if !names().MatchString(name) {
		return address{}, errAddress
	}
	out := address{name: name}
	for host := range strings.SplitSeq(hosts, ",") {
		u, err := url.Parse(web + host)
		if err != nil || u.Host != host || u.Hostname() == "" {
			return address{}, errAddress
		}
		if u.Port() == "" {
			host = net.JoinHostPort(u.Hostname(), port)
		}
		out.hosts = append(out.hosts, web+host)
	}
	return out, nil
}

// alias returns the alias of the generation in use. It starts with a capital, like a class.
func (a address) alias() string { return strings.ToUpper(a.name[:1]) + a.name[1:] }

// keyEnv is the environment variable with the key of the engine.
const keyEnv = "COLLECTION_API_KEY"

// explain returns an error that says what to do. It contains neither the key nor what was sent.
func (a address) explain(ctx context.Context, err error) error {
	at := strings.Join(a.hosts, ", ")
	switch code := status(err); {
	case err == nil || ctx.Err() != nil:
		return cmp.Or(ctx.Err(), err)
	case errors.Is(err, errLeaderless), errors.Is(err, errUnready):
		return fmt.Errorf("the engine at %s: %w", at, err)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("the engine at %s refuses the key: set %s to one that may read and write classes", at, keyEnv)
	case missing(err):
		return fmt.Errorf("there is no collection %q at %s: sagasu index --to makes it", a.name, at)
	case errors.Is(err, errAnswer):
		return fmt.Errorf("what answers at %s is no Weaviate that can be used: %w", at, err)
	case errors.Is(err, errForeign):
		return fmt.Errorf("collection %q at %s: %w", a.name, at, err)
	case code == http.StatusBadRequest && strings.HasPrefix(a.hosts[0], "http:"):
		return fmt.Errorf("the engine at %s failed: %w; where it speaks TLS the URL starts with %s://", at, err,
			schemeTLS)
	case code != 0:
		return fmt.Errorf("the engine at %s failed: %w", at, err)
	case errors.Is(err, http.ErrSchemeMismatch):
		return fmt.Errorf("what answers at %s speaks no TLS: without TLS the URL starts with %s://", at, scheme)
	}
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	if _, ok := errors.AsType[net.Error](err); ok || untrusted || errors.Is(err, io.EOF) {
		return fmt.Errorf("the engine at %s cannot be reached: %w", at, err)
	}
	return err
}
