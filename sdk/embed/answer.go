package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// ErrAnswer says that the service answered what cannot be vectors of the texts.
var ErrAnswer = errors.New("the embedding service gave an unusable answer")

type answer struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// decode reads an answer for n ≥ 1 texts: a vector for each, of one length, finite
// and not zero. Errors are [ErrAnswer] and hold nothing of the answer.
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
		at := i // a service that numbers nothing keeps the order
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

// mostDimensions is the longest vector that is taken.
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
