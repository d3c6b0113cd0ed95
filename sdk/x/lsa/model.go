package lsa

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Model computes the directions of texts. It is immutable.
type Model struct {
	// Docs is the number of live sections in the collection.
	Docs int
	// Dim is the number of dimensions.
	Dim int

	terms   []string
	weights []float32 // root of the idf, by term
	vectors []float32 // a row of Dim numbers by term: the left singular vectors
	rows    map[string]int
}

// index fills rows, which maps terms to their rows.
func (m *Model) index() {
	m.rows = make(map[string]int, len(m.terms))
	for i, t := range m.terms {
		m.rows[t] = i
	}
}

// Terms returns the number of terms in the model.
func (m *Model) Terms() int { return len(m.terms) }

func (m *Model) vector(row int) []float32 { return m.vectors[row*m.Dim : (row+1)*m.Dim] }

// Vector returns the direction of a query, of length 1, and how many of its distinct terms the model knows. v is nil if
// it knows none. Rare terms count more than in a section, because a query has few terms: by idf instead of its root.
func (m *Model) Vector(s string) (v []float32, known int) {
	t := text.Normalize(s)
	var z text.Tokenizer
	var order []int
	counts := map[int]float64{}
	for tok := range z.Tokens(&t) {
		if row, ok := m.rows[tok.Term]; ok {
			if counts[row] == 0 {
				order = append(order, row)
			}
			counts[row]++
		}
	}
	v = make([]float32, m.Dim)
	for _, row := range order { // in the order of the text, so that sums are always the same
		addScaled(v, m.vector(row), m.weights[row]*m.weights[row]*damp(counts[row]))
	}
	if !vector.Normalise(v) {
		return nil, len(order)
	}
	return v, len(order)
}

// damp returns the weight of a term that occurs tf > 0 times in a text.
func damp(tf float64) float32 { return float32(math.Log1p(tf)) }

// learnable reports whether a dictionary term may have a direction. Words and pairs of characters may, but not exact
// forms, bridges or single characters.
func learnable(term string) bool {
	return !strings.HasPrefix(term, text.ExactMark) && !strings.HasPrefix(term, text.BridgeMark) &&
		utf8.RuneCountInString(term) > 1 && !text.EnglishStop(term)
}
