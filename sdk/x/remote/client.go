package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Options configure a [Client].
type Options struct {
	// URL is the URL to post to, and the base of the paths of Do; http or https, without a user name.
	URL string
	// Key is sent as a bearer token unless it is empty.
	Key string
	// Header is sent with every call, in addition.
	Header http.Header
	// Timeout limits one call; 0 means 30 s.
	Timeout time.Duration
	// Retries is how often a call is retried after a transient failure.
	Retries int
	// Wait is the delay before the first retry, doubled for each further one; 0 means 500 ms.
	Wait time.Duration
}

// Client posts JSON. It is safe for concurrent use.
type Client struct {
	options Options
	http    *http.Client
}

var (
	// ErrURL means that a URL cannot be used.
	ErrURL = errors.New("it must be an http or https URL without a user name")
	// ErrTooLong means that an answer was longer than allowed.
	ErrTooLong = errors.New("the service gave too long an answer")
)

// New checks the options and returns a client. It does not connect. Close the client after use.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, ErrURL
	}
	if o.Retries < 0 || o.Timeout < 0 || o.Wait < 0 {
		return nil, errors.New("times and retries must not be negative")
	}
	o.Timeout, o.Wait = cmp.Or(o.Timeout, 30*time.Second), cmp.Or(o.Wait, 500*time.Millisecond)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = mostIdle
	return &Client{options: o, http: &http.Client{
		Transport: transport,
		// A redirect would send texts, and maybe the key, to a host that was not configured.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// mostIdle is the maximum number of idle connections, for a few concurrent callers.
const mostIdle = 16

// Port returns the port that a URL connects to. Its error does not repeat the URL, which may
// hold a secret.
func Port(service string) (string, error) {
	u, err := url.Parse(service)
	if err != nil || u.Host == "" || u.User != nil {
		return "", ErrURL
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", ErrURL
	}
	return port, nil
}

// Close closes idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Post sends body as JSON and returns the answer, of at most limit bytes. Errors are a
// [*StatusError], [ErrTooLong] or those of the connection and of ctx.
func (c *Client) Post(ctx context.Context, body any, limit int64) ([]byte, error) {
	return c.Do(ctx, http.MethodPost, "", body, limit)
}

// Do is like Post, but uses another method and a path below the URL. If body is nil, it sends none. An
// answer without content is empty.
func (c *Client) Do(ctx context.Context, method, path string, body any, limit int64) ([]byte, error) {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	return c.retry(ctx, func() ([]byte, error) { return c.call(ctx, method, path, data, limit) })
}

func (c *Client) call(ctx context.Context, method, path string, body []byte, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.options.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, c.options.Header)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNoContent {
		return nil, statusError(res)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err == nil && int64(len(answer)) > limit {
		err = fmt.Errorf("more than %d bytes: %w", limit, ErrTooLong)
	}
	return answer, err
}

// mostWait is the maximum delay before a retry.
const mostWait = time.Minute

// retry repeats a call as long as it fails for a temporary reason and ctx leaves time for the wait. The waits double
// and are drawn at random below their limit, so that several clients do not return at the same time. The service may
// ask for longer ones.
func (c *Client) retry(ctx context.Context, call func() ([]byte, error)) ([]byte, error) {
	for attempt := 0; ; attempt++ {
		answer, err := call()
		if err == nil || attempt == c.options.Retries || !Passing(err) {
			return answer, hidden(err)
		}
		wait := rand.N(min(c.options.Wait<<min(attempt, 16), mostWait)) + 1
		if status, ok := errors.AsType[*StatusError](err); ok {
			wait = min(max(wait, status.after), mostWait)
		}
		if end, limited := ctx.Deadline(); limited && time.Until(end) < wait {
			return nil, hidden(err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, errors.Join(ctx.Err(), hidden(err))
		}
	}
}

// Passing reports whether a failed call may succeed later: it was not answered, or was answered
// with a transient status. A wrong answer is not retried.
func Passing(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.passing()
	}
	return !errors.Is(err, ErrTooLong)
}

// hidden removes the URL, which may contain a secret, from an error message.
func hidden(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", strings.ToLower(u.Op), u.Err)
	}
	return err
}

// StatusError is an answer other than 200.
type StatusError struct {
	Status int
	// Reason is the service's own code for the error, or "" if none can be shown: messages may repeat a text.
	Reason string

	after time.Duration // the delay that the service asks for
}

// Error implements error.
func (e *StatusError) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("the service answered %d", e.Status)
	}
	return fmt.Sprintf("the service answered %d (%s)", e.Status, e.Reason)
}

// passing reports whether the same call may succeed later.
func (e *StatusError) passing() bool {
	return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests || e.Status >= 500
}

var reason = lazyregexp.New(`^[a-z0-9_]{1,60}$`)

func statusError(res *http.Response) *StatusError {
	e := &StatusError{Status: res.StatusCode, after: retryAfter(res.Header.Get("Retry-After"), time.Now())}
	var body struct {
		Error struct {
			Code any    `json:"code"`
			Type string `json:"type"`
		} `json:"error"`
	}
	data, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // the status is enough if the message is cut
	if json.Unmarshal(data, &body) != nil {
		return e
	}
	for _, s := range []string{body.Error.Type, fmt.Sprint(body.Error.Code)} {
		if reason().MatchString(s) {
			e.Reason = s
		}
	}
	return e
}

// retryAfter reads the Retry-After header (RFC 9110, section 10.2.3): seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(min(seconds, 3600), 0)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
