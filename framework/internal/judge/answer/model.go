package answer

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// model is a logistic regression: a weight for each feature, by name.
type model struct {
	Features []string  `json:"features"`
	Weights  []float64 `json:"weights"`
}

// probability returns the logistic function of the weighted features; the first weight is that of 1.
func (m *model) probability(x []float64) float64 {
	return sigmoid(m.Weights[0] + dot(m.Weights[1:], x))
}

// dot returns the sum of the weighted features.
func dot(weights, x []float64) (sum float64) {
	for i, w := range weights {
		sum += w * x[i]
	}
	return sum
}

//go:embed data/weights.json
var weightData []byte

// fitted is the content of data/weights.json without the date, sources and figures, which are for readers.
type fitted struct {
	Sentence  model `json:"sentence"`  // which unit answers
	Right     model `json:"right"`     // whether the chosen unit answers
	Missing   model `json:"missing"`   // whether a term that no text has is a gap
	Facet     model `json:"facet"`     // whether a facet that was asked for is a gap
	Relevance model `json:"relevance"` // whether a section is relevant
	Stands    model `json:"stands"`    // whether one of the first five sections is
}

var weights = sync.OnceValue(func() *fitted {
	out := new(fitted)
	if err := json.Unmarshal(weightData, out); err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return out
})
