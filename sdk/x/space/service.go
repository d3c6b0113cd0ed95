package space

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"github.com/sagasu-search/sagasu/sdk/embed"
)

// Service is a service that answers as OpenAI's POST /v1/embeddings does, as a user configures it.
type Service struct {
	URL        string `json:"url"`        // up to and with /v1
	Model      string `json:"model"`      // the service's name for it
	KeyEnv     string `json:"key_env"`    // the environment variable that holds the key, "" for none
	Dimensions int    `json:"dimensions"` // to ask for, 0 for the model's own
	Batch      int    `json:"batch"`      // texts a call
	TimeoutMS  int    `json:"timeout_ms"` // of a call
	Retries    int    `json:"retries"`
	MaxChars   int    `json:"max_chars"`       // of a text that are sent
	Query      string `json:"query_prefix"`    // what the model wants before a query
	Document   string `json:"document_prefix"` // and before a section
}

// ServiceSchema are the properties of a [Service] in a JSON Schema.
const ServiceSchema = `
"url":{"type":"string"},"model":{"type":"string"},"key_env":{"type":"string"},
"dimensions":{"type":"integer","minimum":0,"maximum":8192},"batch":{"type":"integer","minimum":1,"maximum":2048},
"timeout_ms":{"type":"integer","minimum":1},"retries":{"type":"integer","minimum":0,"maximum":20},
"max_chars":{"type":"integer","minimum":1},"query_prefix":{"type":"string"},"document_prefix":{"type":"string"}`

// Client returns a client of the service; it does not connect.
func (s *Service) Client() (*embed.Client, error) {
	key := ""
	if s.KeyEnv != "" {
		if key = os.Getenv(s.KeyEnv); key == "" {
			return nil, fmt.Errorf("the key's variable %s is not set", s.KeyEnv)
		}
	}
	return embed.New(embed.Options{
		URL: s.URL, Model: s.Model, Key: key, Dimensions: s.Dimensions, Batch: s.Batch,
		Timeout: time.Duration(s.TimeoutMS) * time.Millisecond, Retries: cmp.Or(s.Retries, 4),
	})
}

// Cached is a provider behind its cache in dir, where there is one. close lets go of the cache.
func Cached(dir string, p embed.Provider) (_ embed.Provider, close func(), err error) {
	if dir == "" {
		return p, func() {}, nil
	}
	cache, err := embed.NewCache(dir, p)
	if err != nil {
		return nil, nil, err
	}
	return cache, func() { _ = cache.Close() }, nil // everything was written
}
