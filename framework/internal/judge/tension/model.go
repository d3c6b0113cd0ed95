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
}

// fitted returns the bundled weights.
var fitted = sync.OnceValue(func() *Weights {
	w, err := ReadWeights(weightData)
	if err != nil {
		panic(err) // a test reads them
	}
	return w
})

// ReadWeights decodes the weights of a fit. It fails unless every feature has a finite weight and no weight
// has an unknown name.
func ReadWeights(data []byte) (*Weights, error) {
	w := &Weights{}
	if err := json.Unmarshal(data, w); err != nil {
		return nil, fmt.Errorf("read weights: %w", err)
	}
	for _, f := range features {
		if _, ok := w.Features[f.name]; !ok {
			return nil, fmt.Errorf("read weights: feature %q has none", f.name)
		}
	}
	if len(w.Features) != len(features) {
		return nil, fmt.Errorf("read weights: %d features, want %d", len(w.Features), len(features))
	}
	return w, nil
}

// usualSections is the number of sections for which None applies unchanged.
const usualSections = 4

func logSize(sections int) float64 { return math.Log(float64(max(sections, 1)) / usualSections) }

// asked is the weight of how much both sentences cover of the query, when the pair to show for two sections is chosen.
const asked = 2

// rank returns the matches of the candidates, the most probable first.
func (w *Weights) rank(g *candidates) []match {
	var by [len(features)]float64
	for i := range features {
		by[i] = w.Features[features[i].name]
	}
	none := w.None + w.NoneBySections*g.size
	scores, top := make([]float64, len(g.pairs)), none
	for i := range g.values {
		for k, x := range g.values[i] {
			scores[i] += by[k] * x
		}
		top = max(top, scores[i])
	}
	var out []match
	var place [MostEvidences * MostEvidences]uint16 // 1 + the index in out
	tells := func(i int) float64 { return scores[i] + asked*min(g.pairs[i].a.cover, g.pairs[i].b.cover) }
	total := math.Exp(none - top)
	for i := range g.pairs {
		p := &g.pairs[i]
		at := &place[p.a.evidence*MostEvidences+p.b.evidence]
		if *at == 0 {
			out = append(out, match{a: p.a.evidence, b: p.b.evidence, best: i})
			*at = uint16(len(out))
		}
		m, x := &out[*at-1], math.Exp(scores[i]-top)
		m.probability += x
		if total += x; tells(i) > tells(m.best) {
			m.best = i
		}
	}
	for i := range out {
		out[i].probability /= total
	}
	slices.SortFunc(out, func(x, y match) int { // ties go to the better evidences
		return cmp.Or(cmp.Compare(y.probability, x.probability), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	return out
}
