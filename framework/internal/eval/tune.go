package eval

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

const (
	// folds is the number of parts of the queries.
	folds = 5
	// passes is how often the coordinate search goes through the parameters.
	passes = 2
	// leastGain is the minimum gain in training for which a value is taken. A smaller gain is chance, and each further
	// step that differs between folds needs runs of its own.
	leastGain = 0.002
)

// Tuning is the outcome of a search for better settings.
type Tuning struct {
	Queries int `json:"queries"`
	Runs    int `json:"runs"` // settings that were measured
	// Present, Training and HeldOut are nDCG: of the present settings, of the found ones on the queries they were found
	// with, and of what each fold's training found on the queries it had not seen.
	Present  float64 `json:"ndcg_present"`
	Training float64 `json:"ndcg_training"`
	HeldOut  float64 `json:"ndcg_held_out"`
	// Gain is the difference between HeldOut and Present, query by query.
	Gain Difference `json:"held_out_gain"`
	// Found are the best settings for all queries.
	Found Setting `json:"found"`
	// Adopted reports that Found is worth using: the interval of Gain is above zero.
	Adopted bool   `json:"adopted"`
	Folds   []Fold `json:"folds"`
}

// Fold is one round of the cross-validation.
type Fold struct {
	Found           Setting `json:"found"`
	PresentTraining float64 `json:"ndcg_present_training"`
	Training        float64 `json:"ndcg_training"`
	PresentHeldOut  float64 `json:"ndcg_present_held_out"`
	HeldOut         float64 `json:"ndcg_held_out"`
}

// Score measures settings: it returns each query's nDCG, always in the same order.
type Score func(ctx context.Context, s Setting) ([]float64, error)

// Tune searches for better settings by coordinate search under cross-validation. Each part of the queries, such as one
// of [Folds], is held out in turn; the parts together contain each query once, by its index in a Score. Every setting
// is measured once, on all queries.
func Tune(ctx context.Context, parts [][]int, parameters []Parameter, score Score) (*Tuning, error) {
	m := &measured{score: score, known: map[string][]float64{}}
	present, err := m.of(ctx, Setting{})
	if err != nil {
		return nil, err
	}
	heldOut := make([]float64, len(present))
	t := &Tuning{Queries: len(present), Present: averageIn(present, parts...)}
	for i, part := range parts {
		training := slices.Delete(slices.Clone(parts), i, i+1)
		found, scores, err := m.climb(ctx, parameters, training)
		if err != nil {
			return nil, err
		}
		for _, q := range part {
			heldOut[q] = scores[q]
		}
		t.Folds = append(t.Folds, Fold{
			Found: found, PresentTraining: averageIn(present, training...), Training: averageIn(scores, training...),
			PresentHeldOut: averageIn(present, part), HeldOut: averageIn(scores, part),
		})
	}
	found, scores, err := m.climb(ctx, parameters, parts)
	if err != nil {
		return nil, err
	}
	t.Found, t.Training, t.Runs = found, averageIn(scores, parts...), len(m.known)
	t.HeldOut, t.Gain = averageIn(heldOut, parts...), Paired(heldOut, present)
	t.Adopted = t.Gain.Rises() && len(found) > 0
	return t, nil
}

// measured caches scores, so that folds share runs.
type measured struct {
	score Score
	known map[string][]float64
}

func (m *measured) of(ctx context.Context, s Setting) ([]float64, error) {
	key := s.String()
	if scores, ok := m.known[key]; ok {
		return scores, nil
	}
	scores, err := m.score(ctx, s)
	if err == nil {
		m.known[key] = scores
	}
	return scores, err
}

// climb improves one parameter after the other, on some parts of the queries, until nothing gains. It returns the best
// setting and its scores on all queries.
func (m *measured) climb(ctx context.Context, parameters []Parameter, on [][]int) (Setting, []float64, error) {
	best := Setting{}
	scores, err := m.of(ctx, best)
	if err != nil {
		return nil, nil, err
	}
	for range passes {
		before := best.String()
		for _, p := range parameters {
			most := averageIn(scores, on...) + leastGain
			for _, s := range best.neighbours(p) {
				other, err := m.of(ctx, s)
				if err != nil {
					return nil, nil, err
				}
				if x := averageIn(other, on...); x > most {
					best, scores, most = s, other, x
				}
			}
		}
		if best.String() == before {
			break
		}
	}
	return best, scores, nil
}

// Folds divides queries into five parts at random, with a fixed seed.
func Folds(queries int) ([][]int, error) {
	if queries < folds {
		return nil, fmt.Errorf("tuning needs at least %d queries, here are %d", folds, queries)
	}
	parts := make([][]int, folds)
	for i, q := range rand.New(rand.NewPCG(3, 4)).Perm(queries) {
		parts[i%folds] = append(parts[i%folds], q)
	}
	return parts, nil
}

// averageIn averages the values in parts, with equal weights for all values.
func averageIn(values []float64, parts ...[]int) float64 {
	var sum float64
	at := slices.Concat(parts...)
	for _, i := range at {
		sum += values[i]
	}
	return sum / float64(max(1, len(at)))
}

// Setting holds the values that differ from the present settings, by name; an empty one means the present settings.
type Setting map[string]float64

// Parameter is a number that may be tuned.
type Parameter struct {
	Name string
	// Values are tried besides the present one.
	Values []float64
}

// String lists the values by name, and so is the same for equal settings.
func (s Setting) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, s[name]))
	}
	return strings.Join(parts, " ")
}

// neighbours returns the settings that differ from s in one parameter.
func (s Setting) neighbours(p Parameter) []Setting {
	var out []Setting
	now, changed := s[p.Name]
	if changed {
		present := maps.Clone(s)
		delete(present, p.Name)
		out = append(out, present)
	}
	for _, v := range p.Values {
		if !changed || now != v {
			other := maps.Clone(s)
			other[p.Name] = v
			out = append(out, other)
		}
	}
	return out
}
