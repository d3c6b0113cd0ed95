package semantic

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"github.com/sagasu-search/sagasu/sdk/embed"
)

// Config are the strategy's parameters.
type Config struct {
	// Dimensions of learned vectors; a small collection gets fewer.
	Dimensions int `json:"dimensions"`
	// Fields are the weights of fields by name when learning; others weigh 1.
	Fields map[string]float64 `json:"fields"`
	// Growth is the factor by which a collection must grow, or shrink, before it is
	// learned from anew. Until then new sections are folded in.
	Growth float64 `json:"growth"`
	// Least is the likeness above which a section matches. What the rounding of
	// vectors makes up lies below 0.01.
	Least float64 `json:"least"`
	// Embedding names a service to get vectors from instead of learning them.
	Embedding *Embedding `json:"embedding"`
}

// Embedding is a service that answers as OpenAI's POST /v1/embeddings does.
type Embedding struct {
	URL        string `json:"url"`        // up to and with /v1
	Model      string `json:"model"`      // the service's name for it
	KeyEnv     string `json:"key_env"`    // the environment variable that holds the key, "" for none
	Dimensions int    `json:"dimensions"` // to ask for, 0 for the model's own
	Batch      int    `json:"batch"`      // texts a call
	TimeoutMS  int    `json:"timeout_ms"` // of a call
	Retries    int    `json:"retries"`
	MaxChars   int    `json:"max_chars"`       // of a section that are sent
	Query      string `json:"query_prefix"`    // what the model wants before a query
	Document   string `json:"document_prefix"` // and before a section
}

// defaults are the parameters without configuration: those of publications were
// chosen by measuring, see docs/semantic.md.
func defaults() Config {
	return Config{
		Dimensions: 192, Growth: 1.5, Least: 0.01,
		Fields: map[string]float64{"title": 4, "abst": 2, "claim": 1, "desc": 0.5},
	}
}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"dimensions":{"type":"integer","minimum":2,"maximum":1024},
"fields":{"type":"object","additionalProperties":{"type":"number","minimum":0}},
"growth":{"type":"number","minimum":1},"least":{"type":"number","minimum":0,"exclusiveMaximum":1},
"embedding":{"type":"object","additionalProperties":false,"required":["url","model"],"properties":{
"url":{"type":"string"},"model":{"type":"string"},"key_env":{"type":"string"},
"dimensions":{"type":"integer","minimum":0,"maximum":8192},"batch":{"type":"integer","minimum":1,"maximum":2048},
"timeout_ms":{"type":"integer","minimum":1},"retries":{"type":"integer","minimum":0,"maximum":20},
"max_chars":{"type":"integer","minimum":1},"query_prefix":{"type":"string"},"document_prefix":{"type":"string"}}}}}`

// weights are those of a snapshot's fields, in order.
func (c *Config) weights(fields []string) []float64 {
	out := make([]float64, len(fields))
	for i, name := range fields {
		out[i] = 1
		if w, ok := c.Fields[name]; ok {
			out[i] = w
		}
	}
	return out
}

// maker is what gives vectors.
func (c *Config) maker() (maker, error) {
	if c.Embedding == nil {
		return learner{*c}, nil
	}
	e := *c.Embedding
	e.MaxChars = cmp.Or(e.MaxChars, 8000)
	key := ""
	if e.KeyEnv != "" {
		if key = os.Getenv(e.KeyEnv); key == "" {
			return nil, fmt.Errorf("the key's variable %s is not set", e.KeyEnv)
		}
	}
	client, err := embed.New(embed.Options{
		URL: e.URL, Model: e.Model, Key: key, Dimensions: e.Dimensions, Batch: e.Batch,
		Timeout: time.Duration(e.TimeoutMS) * time.Millisecond, Retries: cmp.Or(e.Retries, 4),
	})
	return &embedder{settings: e, client: client}, err
}
