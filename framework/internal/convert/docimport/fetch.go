package docimport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Limits on fetching pages, and the name that is sent.
const (
	agent         = "sagasu"
	dialTime      = 15 * time.Second
	requestTime   = 2 * time.Minute
	mostRedirects = 5
	mostRobots    = 512 << 10 // bytes
	mostDelay     = 10 * time.Second
	mostFetched   = 2 << 30 // bytes of a source
)

// fetcher fetches pages one by one. Close it after use.
type fetcher struct {
	network *network
	client  *http.Client
	robots  map[string]robots // by scheme and host
	temp    string            // the folder for fetched files
	left    int64             // bytes that may still be fetched
	last    time.Time         // time of the last request
	waited  time.Duration     // total wait for servers
}

func newFetcher(n *network) (*fetcher, error) {
	temp, err := os.MkdirTemp("", "sagasu-import-")
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: dialTime, Control: n.dialing}
	client := &http.Client{
		Timeout: requestTime,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: requestTime / 2,
			MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &fetcher{
		network: n, client: client, robots: map[string]robots{}, temp: temp, left: mostFetched,
	}, nil
}

// close removes the fetched files.
func (f *fetcher) close() error {
	f.client.CloseIdleConnections()
	return os.RemoveAll(f.temp)
}

// fetched is the answer of a server.
type fetched struct {
	url     *url.URL // after redirects
	status  int
	kind    string // its Content-Type
	version string // see [corpus.Imported]
	file    string // with the content, "" if it is unchanged
}

// refusal is the error for a page, or a source, that cannot be fetched. Other errors end the import.
type refusal struct {
	reason string
	gone   bool
}

func (r *refusal) Error() string { return r.reason }

func refuse(format string, args ...any) error { return &refusal{reason: fmt.Sprintf(format, args...)} }

// get fetches a page unless it has the known version, "" for none. It follows redirects on the same host.
func (f *fetcher) get(ctx context.Context, u *url.URL, known string) (*fetched, error) {
	for range mostRedirects {
		allowed, err := f.allowed(ctx, u)
		if err != nil {
			return nil, err
		}
		if !allowed {
			return nil, refuse("robots.txt of %s disallows it", u.Host)
		}
		res, err := f.request(ctx, u, known)
		if err != nil {
			return nil, err
		}
		next, err := follow(u, res)
		if next == nil {
			if err != nil {
				_ = res.Body.Close()
				return nil, err
			}
			return f.take(ctx, u, known, res)
		}
		_ = res.Body.Close()
		u = next
	}
	return nil, refuse("it is redirected more than %d times", mostRedirects)
}

// follow returns the target of a redirect, or nil for another answer. It stays on the host and does not give up TLS.
func follow(u *url.URL, res *http.Response) (*url.URL, error) {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	next, err := u.Parse(res.Header.Get("Location"))
	switch {
	case err != nil || res.Header.Get("Location") == "" || next.Hostname() == "":
		return nil, refuse("it is redirected to nowhere")
	case next.Scheme != "https" && next.Scheme != "http":
		return nil, refuse("it is redirected to what is no address on the web")
	case !strings.EqualFold(next.Hostname(), u.Hostname()):
		return nil, refuse("it is redirected to another host, %s", next.Hostname())
	case next.Scheme != "https" && next.Scheme != u.Scheme:
		return nil, refuse("it is redirected from %s to %s", u.Scheme, next.Scheme)
	}
	next.Fragment, next.User = "", nil
	return next, nil
}

// allowed reports whether robots.txt allows a page to be fetched, after waiting for its delay.
func (f *fetcher) allowed(ctx context.Context, u *url.URL) (bool, error) {
	site := u.Scheme + "://" + u.Host
	rules, known := f.robots[site]
	if !known {
		rules = f.rules(ctx, u)
		f.robots[site] = rules
	}
	switch {
	case rules.err != nil:
		return false, rules.err
	case rules.delay > mostDelay:
		return false, refuse("robots.txt of %s asks for %s between two requests, which is too long", u.Host,
			rules.delay)
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(time.Until(f.last.Add(rules.delay))):
	}
	return rules.allows(u.RequestURI()), nil
}

// rules reads the robots.txt of a page's site. If it cannot be fetched, nothing is allowed; if there is none,
// everything is.
func (f *fetcher) rules(ctx context.Context, u *url.URL) robots {
	fail := func(format string, args ...any) robots {
		return robots{err: refuse("robots.txt of %s cannot be read: %s", u.Host, fmt.Sprintf(format, args...))}
	}
	at := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: "/robots.txt"}
	for range mostRedirects {
		res, err := f.request(ctx, at, "")
		if err != nil && ctx.Err() != nil {
			return robots{err: ctx.Err()}
		} else if err != nil {
			return fail("%v", err)
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, mostRobots))
		_ = res.Body.Close()
		next, led := follow(at, res)
		switch status := res.StatusCode; {
		case ctx.Err() != nil:
			return robots{err: ctx.Err()}
		case next != nil:
			at = next
			continue
		case err != nil:
			return fail("%v", broken(ctx, err))
		case led != nil:
			return fail("%v", led)
		case status == http.StatusOK:
			return parseRobots(string(body))
		case status >= 400 && status < 500 && status != http.StatusTooManyRequests:
			return robots{}
		default:
			return fail("the server answered %d %s", status, http.StatusText(status))
		}
	}
	return fail("it is redirected more than %d times", mostRedirects)
}

func (f *fetcher) request(ctx context.Context, u *url.URL, known string) (*http.Response, error) {
	if !f.network.grants(u) {
		return nil, refuse("%s is not granted", u.Host)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, refuse("it cannot be asked for: %v", err)
	}
	req.Header.Set("User-Agent", agent)
	req.Header.Set("Accept", "text/markdown, text/html, text/plain, application/pdf, */*;q=0.8")
	switch {
	case isETag(known):
		req.Header.Set("If-None-Match", known)
	case known != "":
		req.Header.Set("If-Modified-Since", known)
	}
	f.last = time.Now()
	res, err := f.client.Do(req)
	if err != nil {
		f.waited += time.Since(f.last)
		return nil, broken(ctx, err)
	}
	res.Body = timed{res.Body, f}
	return res, nil
}

// timed is the body of an answer. The time of the request ends when it is closed.
type timed struct {
	io.ReadCloser
	f *fetcher
}

func (t timed) Close() error {
	t.f.waited += time.Since(t.f.last)
	return t.ReadCloser.Close()
}

// broken returns the error for a request without an answer, unless the context has ended.
func broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if private, ok := errors.AsType[*privateError](err); ok {
		return refuse("%v", private)
	}
	if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() {
		return refuse("the server did not answer in time")
	}
	if at, ok := errors.AsType[*url.Error](err); ok {
		err = at.Err
	}
	return refuse("the server did not answer: %v", err)
}

func isETag(version string) bool {
	return strings.HasPrefix(version, `"`) || strings.HasPrefix(version, "W/")
}

// take saves the content that a server sends.
func (f *fetcher) take(ctx context.Context, u *url.URL, known string, res *http.Response) (*fetched, error) {
	defer res.Body.Close()
	said := fmt.Sprintf("%d %s", res.StatusCode, http.StatusText(res.StatusCode)) // not in the server's words
	p := &fetched{url: u, status: res.StatusCode, kind: res.Header.Get("Content-Type")}
	if p.version = res.Header.Get("ETag"); !isETag(p.version) {
		p.version = res.Header.Get("Last-Modified")
	}
	switch {
	case p.status == http.StatusNotModified && known != "":
		return p, nil
	case p.status == http.StatusNotFound || p.status == http.StatusGone:
		return nil, &refusal{reason: "the server has no such page: " + said, gone: true}
	case p.status != http.StatusOK:
		return nil, refuse("the server answered %s", said)
	case f.left <= 0:
		return nil, refuse("more than %d MB were fetched", mostFetched>>20)
	}
	p.file = filepath.Join(f.temp, "page")
	_ = os.Remove(p.file) // of the previous page
	n, err := save(ctx, p.file, res.Body, min(f.left, corpus.MaxDocument))
	f.left -= n
	switch {
	case errors.Is(err, errTooLarge):
		return nil, refuse("it is larger than %d MB", min(f.left+n, corpus.MaxDocument)>>20)
	case onDisk(err):
		return nil, fmt.Errorf("%s cannot be kept: %w", u, err)
	case err != nil:
		return nil, broken(ctx, err)
	}
	return p, nil
}
