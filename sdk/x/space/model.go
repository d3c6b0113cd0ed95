package space

import (
	"cmp"
	"errors"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk/embed"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
	"github.com/sagasu-search/sagasu/sdk/x/static"
)

// Config names the user's model: a service with the API of OpenAI's POST /v1/embeddings, or the folder of a static
// model.
type Config struct {
	Dir        string `json:"dir"`        // of a static model, or "" for a service
	URL        string `json:"url"`        // up to and including /v1
	Model      string `json:"model"`      // the service's name of the model
	KeyEnv     string `json:"key_env"`    // environment variable with the key, or ""
	Dimensions int    `json:"dimensions"` // requested dimensions, or 0 for the model's own
	Batch      int    `json:"batch"`      // texts per call
	TimeoutMS  int    `json:"timeout_ms"` // of a call
	Retries    int    `json:"retries"`
	MaxChars   int    `json:"max_chars"`       // of a text that are embedded
	Query      string `json:"query_prefix"`    // prefix that the model expects before a query
	Document   string `json:"document_prefix"` // the same before a section
}

// ConfigSchema contains the properties of a [Config] as JSON Schema.
const ConfigSchema = `
"dir":{"type":"string"},"url":{"type":"string"},"model":{"type":"string"},"key_env":{"type":"string"},
"dimensions":{"type":"integer","minimum":0,"maximum":8192},"batch":{"type":"integer","minimum":1,"maximum":2048},
"timeout_ms":{"type":"integer","minimum":1},"retries":{"type":"integer","minimum":0,"maximum":20},
"max_chars":{"type":"integer","minimum":1},"query_prefix":{"type":"string"},"document_prefix":{"type":"string"}`

// Model computes the vectors of sections and of queries. It is safe for concurrent use.
type Model interface {
	// Sections returns a provider for sections. It stores vectors that were paid for in dir, if dir is not "". release
	// ends its use.
	Sections(dir string) (p embed.Provider, release func(), err error)
	// Queries returns a provider for queries, while a user is waiting.
	Queries() (embed.Provider, error)
	// Reason returns an error in words for the caller, without any text from a service.
	Reason(err error) string
	Close() error
}

// A user waits for the vector of a query, so it is retried only once and soon.
const (
	queryRetries = 1
	queryWait    = 100 * time.Millisecond
)

// Open returns the configured model. It does not connect or read the folder yet.
func (c *Config) Open() (Model, error) {
	switch {
	case c.Dir != "" && c.URL != "":
		return nil, errors.New("it names a folder and a service; one makes the vectors")
	case c.Dir != "":
		return &folder{dir: c.Dir}, nil
	case c.URL == "":
		return nil, errors.New("it names neither the folder of a model nor the URL, http or https, of a service")
	}
	sections, err := c.client(cmp.Or(c.Retries, 4), 0)
	if err != nil {
		return nil, err
	}
	queries, err := c.client(queryRetries, queryWait)
	if err != nil {
		return nil, errors.Join(err, sections.Close())
	}
	return &service{sections, queries}, nil
}

func (c *Config) client(retries int, wait time.Duration) (*embed.Client, error) {
	key, err := remote.Key(c.KeyEnv)
	if err != nil {
		return nil, err
	}
	return embed.New(embed.Options{
		URL: c.URL, Model: c.Model, Key: key, Dimensions: c.Dimensions, Batch: c.Batch,
		Timeout: time.Duration(c.TimeoutMS) * time.Millisecond, Retries: retries, Wait: wait,
	})
}

// service is a model that others run. Vectors are stored on disk by content, so that each text is paid for once.
type service struct{ sections, queries *embed.Client }

func (s *service) Sections(dir string) (embed.Provider, func(), error) {
	if dir == "" {
		return s.sections, func() {}, nil
	}
	cache, err := embed.NewCache(dir, s.sections)
	if err != nil {
		return nil, nil, err
	}
	return cache, func() { _ = cache.Close() }, nil // everything was written
}

func (s *service) Queries() (embed.Provider, error) { return s.queries, nil }

func (s *service) Reason(err error) string {
	if errors.Is(err, embed.ErrAnswer) {
		return embed.ErrAnswer.Error()
	}
	return "the embedding service: " + remote.Reason(err)
}

func (s *service) Close() error { return errors.Join(s.sections.Close(), s.queries.Close()) }

// folder is a static model, which is loaded at the first use. It is fast enough to store only the vectors.
type folder struct {
	dir string

	mu     sync.Mutex
	loaded *static.Model
}

func (f *folder) Sections(string) (embed.Provider, func(), error) {
	p, err := f.Queries()
	return p, func() {}, err
}

func (f *folder) Queries() (embed.Provider, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.loaded == nil {
		m, err := static.Load(f.dir)
		if err != nil {
			return nil, err
		}
		f.loaded = m
	}
	return f.loaded, nil
}

func (f *folder) Reason(err error) string { return err.Error() }

func (f *folder) Close() error { return nil }
