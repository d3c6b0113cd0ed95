package semantic

import (
	"cmp"

	"github.com/sagasu-search/sagasu/sdk/x/space"
)

// Config contains the strategy's parameters.
type Config struct {
	// Dimensions is the number of dimensions of learned vectors; a small collection gets fewer.
	Dimensions int `json:"dimensions"`
	// Fields are the weights of fields by name when learning; other fields weigh 1.
	Fields map[string]float64 `json:"fields"`
	// Growth is the factor by which a collection must grow or shrink before a new model is
	// learned. Until then new sections are folded in.
	Growth float64 `json:"growth"`
	// Least is the similarity above which a section matches. Rounding errors of vectors are below 0.01.
	Least float64 `json:"least"`
	// Tail is a share of the mean similarity of the best sections, except the first. A section matches only above it; 0
	// means no limit.
	Tail float64 `json:"tail"`
	// Embedding configures a model that computes the vectors instead of learning them.
	Embedding *space.Config `json:"embedding"`
}

// defaults returns the parameters without a configuration. Those of publications were chosen by measuring, see
// docs/semantic.md.
func defaults() Config {
	return Config{
		Dimensions: 192, Growth: 1.5, Least: 0.01, Tail: 0.55,
		Fields: map[string]float64{"title": 4, "abst": 2, "claim": 1, "desc": 0.5},
	}
}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"dimensions":{"type":"integer","minimum":2,"maximum":1024},
"fields":{"type":"object","additionalProperties":{"type":"number","minimum":0}},
"growth":{"type":"number","minimum":1},"least":{"type":"number","minimum":0,"exclusiveMaximum":1},
"tail":{"type":"number","minimum":0,"maximum":1},
"embedding":{"type":"object","additionalProperties":false,"properties":{` +
	space.ConfigSchema + `}}}}`

// weights returns the weights of a snapshot's fields, in order.
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

// maker returns the maker of vectors.
func (c *Config) maker() (maker, error) {
	if c.Embedding == nil {
		return learner{*c}, nil
	}
	e := *c.Embedding
	e.MaxChars = cmp.Or(e.MaxChars, 8000)
	model, err := e.Open()
	return &embedder{settings: e, model: model}, err
}
