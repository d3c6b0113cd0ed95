package embed

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Provider computes the vectors of texts.
type Provider interface {
	// ID identifies the provider. It changes whenever the vector of a text may change.
	ID() string
	// Embed returns the vector of each text, in the same order. All vectors have the same length.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Options configure a [Client].
type Options struct {
	// URL is the base URL of the service, up to and including /v1; http or https.
	URL string
	// Model is the service's name for the model.
	Model string
	// Key is sent as a bearer token unless it is empty.
	Key string
	// Dimensions requests vectors of that length and rejects others; 0 accepts the length of
	// the first vector.
	Dimensions int
	// Batch is the maximum number of texts per call; 0 means 64.
	Batch int
	// Timeout limits one call; 0 means 30 s.
	Timeout time.Duration
	// Retries is how often a call is retried after a transient failure; 0 means never.
	Retries int
	// Wait is the delay before the first retry, doubled for each further one; 0 means 500 ms.
	Wait time.Duration
}

// Client implements [Provider] over HTTP. It is safe for concurrent use.
type Client struct {
	options  Options
	endpoint string
	service  *remote.Client
	dim      atomic.Int64 // of all vectors so far; 0 before the first
}

// New checks the options and returns a client. It does not connect. Close the client after use.
func New(o Options) (*Client, error) {
	if o.Model == "" || o.Dimensions < 0 || o.Batch < 0 {
		return nil, errors.New("the embedding service needs the name of a model, and no negative numbers")
	}
	o.Batch = cmp.Or(o.Batch, 64)
	endpoint, err := url.JoinPath(o.URL, "embeddings")
	if err != nil {
		return nil, fmt.Errorf("the embedding service's url: %w", remote.ErrURL)
	}
	service, err := remote.New(remote.Options{
		URL: endpoint, Key: o.Key, Timeout: o.Timeout, Retries: o.Retries, Wait: o.Wait,
	})
	if err != nil {
		return nil, fmt.Errorf("the embedding service's url, such as http://127.0.0.1:11434/v1: %w", err)
	}
	c := &Client{options: o, endpoint: endpoint, service: service}
	c.dim.Store(int64(o.Dimensions))
	return c, nil
}

// Close closes idle connections.
func (c *Client) Close() error { return c.service.Close() }

// ID implements [Provider].
func (c *Client) ID() string {
	return fmt.Sprintf("%s %s %d", c.endpoint, c.options.Model, c.options.Dimensions)
}

// Embed implements [Provider]. It sends the batches one after another. Errors are [ErrAnswer], those of ctx, or say how
// the service failed. None contains the key, the URL or a text.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for len(texts) > 0 {
		n := min(c.options.Batch, len(texts))
		vectors, err := c.call(ctx, texts[:n])
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

// mostAnswer is the maximum number of bytes of an answer per text: 8,192 numbers in decimal.
const mostAnswer = 256 << 10

// call embeds one batch.
func (c *Client) call(ctx context.Context, texts []string) ([][]float32, error) {
	body := request{c.options.Model, texts, c.options.Dimensions}
	data, err := c.service.Post(ctx, body, int64(len(texts))*mostAnswer+4096)
	if errors.Is(err, remote.ErrTooLong) {
		return nil, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	if err != nil {
		return nil, err
	}
	vectors, err := decode(data, len(texts))
	if err != nil {
		return nil, err
	}
	c.dim.CompareAndSwap(0, int64(len(vectors[0])))
	if want := int(c.dim.Load()); len(vectors[0]) != want {
		return nil, fmt.Errorf("vectors of %d numbers instead of %d: %w", len(vectors[0]), want, ErrAnswer)
	}
	return vectors, nil
}

// ErrAnswer reports an answer that cannot be the vectors of the texts.
var ErrAnswer = errors.New("the embedding service gave an unusable answer")

type answer struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// decode reads an answer for n ≥ 1 texts: a vector for each, of one length, finite and not zero.
// Errors are [ErrAnswer] and do not contain any part of the answer.
func decode(data []byte, n int) ([][]float32, error) {
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("no JSON of the expected form: %w", ErrAnswer)
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts: %w", len(a.Data), n, ErrAnswer)
	}
	out := make([][]float32, n)
	for i, row := range a.Data {
		at := i // without indexes, the answer is in the order of the texts
		if row.Index != nil {
			at = *row.Index
		}
		if at < 0 || at >= n || out[at] != nil {
			return nil, fmt.Errorf("vector %d has the number %d: %w", i, at, ErrAnswer)
		}
		if err := check(row.Embedding, len(a.Data[0].Embedding)); err != nil {
			return nil, err
		}
		out[at] = row.Embedding
	}
	return out, nil
}

// mostDimensions is the maximum length of a vector.
const mostDimensions = 8192

func check(v []float32, dim int) error {
	if len(v) != dim || dim == 0 || dim > mostDimensions {
		return fmt.Errorf("a vector of %d numbers beside one of %d: %w", len(v), dim, ErrAnswer)
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return fmt.Errorf("a vector without direction: %w", ErrAnswer)
	}
	return nil
}
