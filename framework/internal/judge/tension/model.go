package tension

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
)

//go:embed data/weights.json
var weightData []byte

// Weights are a fitted model. The probability that two sections contradict each other is
//
//	Σ exp(s) over the pairs of their sentences / (exp(n) + Σ exp(s) over all pairs),
//
// a logistic regression over all candidates at once, including "none of them": s is the weighted sum of a pair's
// features, and n = None + NoneBySections · ln(sections / 4).
type Weights struct {
	Fitted         string             `json:"fitted"`  // date
	Sources        []string           `json:"sources"` // of the cases, with their number
	Figures        map[string]*Tally  `json:"figures"` // of all cases and of each language, with their domain left out
	Shown          float64            `json:"shown"`   // minimum probability of a tension
	Asserted       float64            `json:"asserted"`
	None           float64            `json:"none"`
	NoneBySections float64            `json:"none_by_sections"`
	Features       map[string]float64 `json:"features"`
	Sentences      map[string]float64 `json:"sentences"` // of sentenceFeatures
}

// fitted returns the bundled weights.
var fitted = sync.OnceValue(func() *Weights {
	w, err := ReadWeights(weightData)
	if err != nil {
		panic(err) // a test reads them
	}
	return w
})

// ReadWeights decodes the weights of a fit. It fails unless every feature has a weight and no weight has an unknown
// name.
func ReadWeights(data []byte) (*Weights, error) {
	w := &Weights{}
	if err := json.Unmarshal(data, w); err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	if err := cmp.Or(complete(features[:], w.Features), complete(sentenceFeatures[:], w.Sentences)); err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	return w, nil
}

// complete fails unless the weights are those of the features.
func complete(features []feature, weights map[string]float64) error {
	for _, f := range features {
		if _, ok := weights[f.name]; !ok {
			return fmt.Errorf("feature %q has none", f.name)
		}
	}
	if len(weights) != len(features) {
		return fmt.Errorf("%d features, want %d", len(weights), len(features))
	}
	return nil
}

// inOrder returns the weights of the features in their order.
func (w *Weights) inOrder() (v vector) {
	for i := range features {
		v[i] = w.Features[features[i].name]
	}
	return v
}

// dot returns the weighted sum of a pair's features.
func (v *vector) dot(weights *vector) (sum float64) {
	for i, x := range v {
		sum += weights[i] * x
	}
	return sum
}

// nameable reports whether at least half of a match's probability belongs to pairs with a difference that can be named.
func (w *Weights) nameable(g *candidates, m *match) bool {
	by, named, other := w.inOrder(), 0.0, 0.0
	for i, p := range g.of(m) {
		if x := math.Exp(g.values[i].dot(&by)); g.nameable(p) {
			named += x
		} else {
			other += x
		}
	}
	return named >= other
}

// choose returns the pair to show for a match.
func (w *Weights) choose(g *candidates, m *match) (best *pair) {
	most := math.Inf(-1)
	for _, p := range g.of(m) {
		if x := p.tells(w.Sentences); x > most {
			best, most = p, x
		}
	}
	return best
}

// usualSections is the number of sections for which None applies unchanged.
const usualSections = 4

func logSize(sections int) float64 { return math.Log(float64(max(sections, 1)) / usualSections) }

// rank returns the matches of the candidates, the most probable first.
func (w *Weights) rank(g *candidates) []match {
	by := w.inOrder()
	none := w.None + w.NoneBySections*g.size
	scores, top := make([]float64, len(g.pairs)), none
	for i := range g.values {
		scores[i] = g.values[i].dot(&by)
		top = max(top, scores[i])
	}
	var out []match
	var place [MostEvidences * MostEvidences]uint16 // 1 + the index in out
	total := math.Exp(none - top)
	for i := range g.pairs {
		p := &g.pairs[i]
		at := &place[p.a.evidence*MostEvidences+p.b.evidence]
		if *at == 0 {
			out = append(out, match{a: p.a.evidence, b: p.b.evidence})
			*at = uint16(len(out))
		}
		x := math.Exp(scores[i] - top)
		out[*at-1].probability += x
		total += x
	}
	for i := range out {
		out[i].probability /= total
	}
	slices.SortFunc(out, func(x, y match) int { // ties go to the better evidences
		return cmp.Or(cmp.Compare(y.probability, x.probability), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return out
}
