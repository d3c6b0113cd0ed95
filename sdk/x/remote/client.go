package remote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Options say where and how a [Client] asks.
type Options struct {
	// URL is what is posted to. http or https, without a user name.
	URL string
	// Key is sent as a bearer token unless empty.
	Key string
	// Timeout bounds one call, by default 30 s.
	Timeout time.Duration
	// Retries is how often a call that failed for a passing reason is made again.
	Retries int
	// Wait is the wait before the first retry, doubled with each, by default 500 ms.
	Wait time.Duration
}

// Client posts JSON. It is safe for concurrent use.
type Client struct {
	options Options
	http    *http.Client
}

var (
	// ErrURL says that a URL cannot be used.
	ErrURL = errors.New("it must be an http or https URL without a user name")
	// ErrTooLong says that an answer was longer than allowed.
	ErrTooLong = errors.New("the service gave too long an answer")
)

// New checks the options and returns a client; it does not connect. Close ends it.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, ErrURL
	}
	if o.Retries < 0 || o.Timeout < 0 || o.Wait < 0 {
		return nil, errors.New("times and retries must not be negative")
	}
	o.Timeout, o.Wait = cmp.Or(o.Timeout, 30*time.Second), cmp.Or(o.Wait, 500*time.Millisecond)
	return &Client{options: o, http: &http.Client{
		Transport: http.DefaultTransport.(*http.Transport).Clone(),
		// A redirect would carry texts, and may carry the key, to a place that nobody named.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

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

// Close lets go of idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Post sends body as JSON and gives the answer, at most limit bytes of it. Errors are a
// [*StatusError], [ErrTooLong] or those of the connection and of ctx.
func (c *Client) Post(ctx context.Context, body any, limit int64) ([]byte, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return c.retry(ctx, func() ([]byte, error) { return c.call(ctx, data, limit) })
}

func (c *Client) call(ctx context.Context, body []byte, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.options.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, statusError(res)
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, limit+1))
	if err == nil && int64(len(answer)) > limit {
		err = fmt.Errorf("more than %d bytes: %w", limit, ErrTooLong)
	}
	return answer, err
}
