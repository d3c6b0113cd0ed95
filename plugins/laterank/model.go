package laterank

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// model is what was learned of a corpus: a direction for each term of its
// dictionary that is neither rare nor everywhere.
type model struct {
	dim     int
	terms   map[string]int
	vectors []float32 // a row of length 1 per term
	weights []float32 // idf
}

// vector is the direction of a word, of length 1; nil when none of its terms
// is known. That of a Latin word is its stem's, that of any other the weighted
// sum over its pairs of characters.
func (m *model) vector(word, stem string) []float32 {
	if m == nil {
		return nil
	}
	if stem != "" {
		if i, ok := m.terms[stem]; ok {
			return m.at(i)
		}
		return nil
	}
	sum := make([]float32, m.dim)
	for _, p := range spell(nil, word).pairs {
		if i, ok := m.terms[string(p[:])]; ok {
			for j, x := range m.at(i) {
				sum[j] += x * m.weights[i]
			}
		}
	}
	if !normalise(sum) {
		return nil
	}
	return sum
}

func (m *model) at(i int) []float32 { return m.vectors[i*m.dim : (i+1)*m.dim] }

// learnable reports whether a dictionary term may have a direction: words and
// pairs of characters, no exact forms, bridges or single characters.
func learnable(term string) bool {
	return !strings.HasPrefix(term, text.ExactMark) && !strings.HasPrefix(term, text.BridgeMark) &&
		utf8.RuneCountInString(term) > 1 && !text.EnglishStop(term)
}

// cosine of two vectors of length 1; 0 when one is nil.
func cosine(a, b []float32) float64 {
	if a == nil || b == nil {
		return 0
	}
	var sum float32
	for i, x := range a {
		sum += x * b[i]
	}
	return float64(sum)
}

// normalise brings v to length 1; false when it has none.
func normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum < 1e-12 {
		return false
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return true
}
