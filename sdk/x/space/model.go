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

// Config names the model that a user brings: a service that answers as OpenAI's POST /v1/embeddings does, or the
// folder of a static model.
type Config struct {
	Dir        string `json:"dir"`        // of a static model, "" for a service
	URL        string `json:"url"`        // up to and with /v1
	Model      string `json:"model"`      // the service's name for it
	KeyEnv     string `json:"key_env"`    // the environment variable that holds the key, "" for none
	Dimensions int    `json:"dimensions"` // to ask for, 0 for the model's own
	Batch      int    `json:"batch"`      // texts a call
	TimeoutMS  int    `json:"timeout_ms"` // of a call
	Retries    int    `json:"retries"`
	MaxChars   int    `json:"max_chars"`       // of a text that are embedded
	Query      string `json:"query_prefix"`    // what the model wants before a query
	Document   string `json:"document_prefix"` // and before a section
}

// ConfigSchema are the properties of a [Config] in a JSON Schema.
const ConfigSchema = `
"dir":{"type":"string"},"url":{"type":"string"},"model":{"type":"string"},"key_env":{"type":"string"},
"dimensions":{"type":"integer","minimum":0,"maximum":8192},"batch":{"type":"integer","minimum":1,"maximum":2048},
"timeout_ms":{"type":"integer","minimum":1},"retries":{"type":"integer","minimum":0,"maximum":20},
"max_chars":{"type":"integer","minimum":1},"query_prefix":{"type":"string"},"document_prefix":{"type":"string"}`

// Model makes the vectors of sections and of queries. It is safe for concurrent use.
type Model interface {
	// Sections returns what embeds sections and keeps what was paid for in dir, where there is one. release ends its
	// use.
	Sections(dir string) (p embed.Provider, release func(), err error)
	// Queries returns what embeds queries, while somebody waits.
	Queries() (embed.Provider, error)
	// Reason returns what a caller may read of an error: nothing that a service wrote.
	Reason(err error) string
	Close() error
}

// A query is embedded while somebody waits: one retry, soon.
const (
	queryRetries = 1
	queryWait    = 100 * time.Millisecond
)

// Open returns the configured model. It neither connects nor reads the folder yet.
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

// service is a model that others run. Vectors are kept on disk by content, so that a text is paid for once.
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

// folder is a static model, which is loaded on first use. It is fast enough to keep nothing but the vectors.
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
