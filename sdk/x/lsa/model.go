package lsa

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Model gives texts their direction. It is immutable.
type Model struct {
	// Docs is how many live sections the collection had.
	Docs int
	// Dim is the number of dimensions.
	Dim int

	terms   []string
	weights []float32 // the root of the idf, by term
	vectors []float32 // a row of Dim by term: the left singular vectors
	rows    map[string]int
}

// index finds the rows of the terms again.
func (m *Model) index() {
	m.rows = make(map[string]int, len(m.terms))
	for i, t := range m.terms {
		m.rows[t] = i
	}
}

// Terms returns how many terms the model knows.
func (m *Model) Terms() int { return len(m.terms) }

func (m *Model) vector(row int) []float32 { return m.vectors[row*m.Dim : (row+1)*m.Dim] }

// Vector returns the direction of a query, of length 1, and how many of its distinct
// terms the model knows. It is nil where that is none. Rare terms count more than in
// a section, since a query has few: by idf instead of its root.
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
	for _, row := range order { // in the order of the text, so that sums are the same each time
		addScaled(v, m.vector(row), m.weights[row]*m.weights[row]*damp(counts[row]))
	}
	if !vector.Normalise(v) {
		return nil, len(order)
	}
	return v, len(order)
}

// damp returns what a term counts that stands tf > 0 times in a text.
func damp(tf float64) float32 { return float32(math.Log1p(tf)) }

// learnable reports whether a dictionary term may have a direction: words and
// pairs of characters, no exact forms, bridges or single characters.
func learnable(term string) bool {
	return !strings.HasPrefix(term, text.ExactMark) && !strings.HasPrefix(term, text.BridgeMark) &&
		utf8.RuneCountInString(term) > 1 && !text.EnglishStop(term)
}
