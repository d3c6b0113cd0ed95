package laterank

import "github.com/sagasu-search/sagasu/sdk/x/vector"

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
	if !vector.Normalise(sum) {
		return nil
	}
	return sum
}

func (m *model) at(i int) []float32 { return m.vectors[i*m.dim : (i+1)*m.dim] }

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
