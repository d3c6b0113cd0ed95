package tension

import (
	"context"
	"iter"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/sdk"
)

// Kind says how two sentences differ.
type Kind string

const (
	Number     Kind = "number"
	Polarity   Kind = "polarity"
	Exception  Kind = "exception"
	Date       Kind = "date"
	Procedure  Kind = "procedure"
	Scope      Kind = "scope"
	Definition Kind = "definition"
)

// Tension is a pair of sentences of different sections that a reader should compare.
type Tension struct {
	A, B        Side // A is of the better evidence
	Kind        Kind
	Probability float64 // that the two sections contradict each other on what the query asks, in [0, 1]
	Conflict    bool    // Probability is high enough to assert it
}

// Side is a sentence of an evidence.
type Side struct {
	Evidence int // its index
	Line     int // in the file, where the sentence starts
	Text     string
}

// Limits on what is compared and returned.
const (
	MostEvidences = 50 // later ones are not read
	MostTensions  = 3
)

// Find returns the tensions among evidences, best first: at most one for each pair of sections, at most MostTensions in
// all, and none below the threshold of the weights. answers is the log of how likely each unit of the first evidences
// is the answer, up to a constant ([answer.Judgement]). Find fails only when ctx ends.
func Find(ctx context.Context, q sdk.Query, evidences []section.Section, answers [][]float64) ([]Tension, error) {
	w := fitted()
	g, err := compare(ctx, q, evidences, answers)
	if err != nil {
		return nil, err
	}
	return w.show(g, w.rank(g)), nil
}

// show returns tensions for the matches that are probable enough.
func (w *Weights) show(g *candidates, ranked []match) (out []Tension) {
	for _, m := range best(ranked) {
		if m.probability < w.Shown {
			break
		}
		p := w.choose(g, &m)
		out = append(out, Tension{A: p.a.side(), B: p.b.side(), Kind: p.kind(), Probability: m.probability,
			Conflict: m.probability >= w.Asserted && w.nameable(g, &m)})
	}
	return out
}

// best returns the first MostTensions matches. The last of them has no section of the others: one section that differs
// from three others seldom contradicts any of them.
func best(ranked []match) (out []match) {
	for _, m := range ranked {
		if len(out) == MostTensions {
			break
		}
		shares := func(o match) bool { return o.a == m.a || o.a == m.b || o.b == m.a || o.b == m.b }
		if len(out) < MostTensions-1 || !slices.ContainsFunc(out, shares) {
			out = append(out, m)
		}
	}
	return out
}

// candidates are the pairs of sentences of one query.
type candidates struct {
	*reading
	pairs  []pair
	values []vector // of the pairs' features
	size   float64  // log of the number of sections
}

// compare reads the evidences and measures all pairs of sentences from different sections.
func compare(ctx context.Context, q sdk.Query, evidences []section.Section, answers [][]float64) (*candidates, error) {
	evidences = evidences[:min(len(evidences), MostEvidences)]
	r, err := understand(ctx, q, evidences, answers)
	if err != nil {
		return nil, err
	}
	g := &candidates{reading: r, size: logSize(len(evidences))}
	in := make(map[string]uint64, len(r.sentences)) // the evidences that have a sentence, as a bit set
	for i := range r.sentences {
		in[r.sentences[i].source] |= 1 << r.sentences[i].evidence
	}
	most := len(r.sentences) * (len(r.sentences) - 1) / 2
	g.pairs, g.values = make([]pair, 0, most), make([]vector, 0, most)
	for j := range r.sentences {
		for i := range j {
			a, b := &r.sentences[i], &r.sentences[j]
			if a.evidence > b.evidence {
				a, b = b, a
			}
			both := uint64(1)<<a.evidence | 1<<b.evidence
			agree := in[a.source]&in[b.source]&both == both // each section says both
			if a.evidence != b.evidence && !agree {
				p := r.pair(a, b)
				g.pairs, g.values = append(g.pairs, p), append(g.values, p.measure())
			}
		}
	}
	return g, ctx.Err()
}

func (s *read) side() Side { return Side{s.evidence, s.line, s.source} }

// match is the result for the pairs of two sections.
type match struct {
	a, b        int // evidences, ascending
	probability float64
}

// of yields the pairs of a match with their indices.
func (g *candidates) of(m *match) iter.Seq2[int, *pair] {
	return func(yield func(int, *pair) bool) {
		for i := range g.pairs {
			if p := &g.pairs[i]; p.a.evidence == m.a && p.b.evidence == m.b && !yield(i, p) {
				return
			}
		}
	}
}
