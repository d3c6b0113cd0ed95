//go:build fit

package tension

import (
	"context"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
)

// fewPenalty is the penalty of the sentences' weights, which are fitted to fewer pairs.
const fewPenalty = 2.0

// Chosen says how often the pair that is shown for two sections is the right one, over cases of which both sections are
// known.
type Chosen struct {
	Cases, Right int
	Likelihood   float64 // mean log likelihood of the right pair, over the cases in which it is read
}

// FitSentences fits the weights that choose the pair to show for two sections that contradict each other, and returns how
// they choose with the domain of each case left out. It fails only when ctx ends.
func FitSentences(ctx context.Context, all []cases.Case, marks map[string][]Mark) (map[string]float64, Chosen, error) {
	samples, err := marked(ctx, all, marks)
	if err != nil {
		return nil, Chosen{}, err
	}
	var out Chosen
	for fold := range folds {
		w := fit(kept(samples, fold), sentenceFeatures[:], fewPenalty, -1, true)
		for i := range samples {
			if samples[i].fold == fold {
				out.add(&samples[i], w.Features)
			}
		}
	}
	out.Likelihood /= float64(max(1, out.Cases))
	return fit(kept(samples, -1), sentenceFeatures[:], fewPenalty, -1, true).Features, out, nil
}

// MeasureSentences returns how the weights choose.
func MeasureSentences(ctx context.Context, all []cases.Case, marks map[string][]Mark, weights map[string]float64) (Chosen, error) {
	samples, err := marked(ctx, all, marks)
	var out Chosen
	for i := range samples {
		out.add(&samples[i], weights)
	}
	out.Likelihood /= float64(max(1, out.Cases))
	return out, err
}

// marked returns a sample for each mark, with the pairs of its two sections.
func marked(ctx context.Context, all []cases.Case, marks map[string][]Mark) (out []sample, err error) {
	fold := domains(all)
	for i := range all {
		for _, m := range marks[all[i].ID] {
			g, err := compareCase(ctx, &all[i])
			if err != nil {
				return nil, err
			}
			s := sample{of: &all[i], g: g, fold: fold[i] % folds, weight: 1}
			for _, p := range g.of(&match{a: m.Sections[0], b: m.Sections[1]}) {
				values := make([]float64, len(sentenceFeatures))
				for k := range sentenceFeatures {
					values[k] = sentenceFeatures[k].of(p)
				}
				s.values, s.good = append(s.values, values), append(s.good, m.Has(p.a.side(), p.b.side()))
			}
			out = append(out, s)
		}
	}
	return out, nil
}

func (c *Chosen) add(s *sample, weights map[string]float64) {
	scores := make([]float64, len(s.values))
	for i := range scores {
		for k, x := range s.values[i] {
			scores[i] += weights[sentenceFeatures[k].name] * x
		}
	}
	c.Cases++
	if !slices.Contains(s.good, true) {
		return
	}
	right, any, most := 0.0, 0.0, slices.Max(scores)
	for i, score := range scores {
		x := math.Exp(score - most)
		if any += x; s.good[i] {
			right += x
		}
	}
	c.Right += count(s.good[slices.Index(scores, most)])
	c.Likelihood += math.Log(right / any)
}
