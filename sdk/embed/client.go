package embed

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
	"strings"
	"sync/atomic"
	"time"
)

// Options say where and how a [Client] asks.
type Options struct {
	// URL is the base of the service, up to and with /v1. http or https.
	URL string
	// Model is the service's name of the model.
	Model string
	// Key is sent as a bearer token unless empty.
	Key string
	// Dimensions asks for vectors of that length and refuses others; 0 takes the
	// length of the first.
	Dimensions int
	// Batch is how many texts one call carries, by default 64.
	Batch int
	// Timeout bounds one call, by default 30 s.
	Timeout time.Duration
	// Retries is how often a call that failed for a passing reason is made again.
	Retries int
	// Wait is the wait before the first retry, doubled with each, by default 500 ms.
	Wait time.Duration
}

// Client implements [Provider] over HTTP. It is safe for concurrent use.
type Client struct {
	options  Options
	endpoint string
	http     *http.Client
	dim      atomic.Int64 // of all vectors so far, 0 before the first
}

// New checks the options and returns a client; it does not connect. Close ends it.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, errors.New("the embedding service needs an http or https URL without user name, such as http://127.0.0.1:11434/v1")
	}
	if o.Model == "" || o.Dimensions < 0 || o.Batch < 0 || o.Retries < 0 {
		return nil, errors.New("the embedding service needs the name of a model, and no negative numbers")
	}
	o.Batch, o.Timeout, o.Wait = cmp.Or(o.Batch, 64), cmp.Or(o.Timeout, 30*time.Second), cmp.Or(o.Wait, 500*time.Millisecond)
	c := &Client{options: o, endpoint: u.JoinPath("embeddings").String(), http: &http.Client{
		Transport: http.DefaultTransport.(*http.Transport).Clone(),
		// A redirect would carry texts, and may carry the key, to a place that nobody named.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	c.dim.Store(int64(o.Dimensions))
	return c, nil
}

// Close lets go of idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// ID implements [Provider].
func (c *Client) ID() string {
	return fmt.Sprintf("%s %s %d", c.endpoint, c.options.Model, c.options.Dimensions)
}

// Embed implements [Provider]. Errors are a [*StatusError], [ErrAnswer] or those of
// the connection and of ctx.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for len(texts) > 0 {
		n := min(c.options.Batch, len(texts))
		vectors, err := c.retry(ctx, func() ([][]float32, error) { return c.call(ctx, texts[:n]) })
		if err != nil {
			return nil, fmt.Errorf("embed %d texts: %w", n, err)
		}
		out, texts = append(out, vectors...), texts[n:]
	}
	return out, nil
}

type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// call embeds one batch.
func (c *Client) call(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	body, err := json.Marshal(request{c.options.Model, texts, c.options.Dimensions})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
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
	return c.read(res.Body, len(texts))
}

// mostAnswer bounds the bytes of an answer, per text: 8,192 numbers in decimals.
const mostAnswer = 256 << 10

// read reads and checks the vectors of n texts.
func (c *Client) read(body io.Reader, n int) ([][]float32, error) {
	limit := int64(n)*mostAnswer + 4096
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("more than %d bytes: %w", limit, ErrAnswer)
	}
	vectors, err := decode(data, n)
	if err != nil {
		return nil, err
	}
	c.dim.CompareAndSwap(0, int64(len(vectors[0])))
	if want := int(c.dim.Load()); len(vectors[0]) != want {
		return nil, fmt.Errorf("vectors of %d numbers instead of %d: %w", len(vectors[0]), want, ErrAnswer)
	}
	return vectors, nil
}

// hidden takes the URL, which may hold what nobody should read, out of a message.
func hidden(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", strings.ToLower(u.Op), u.Err)
	}
	return err
}
