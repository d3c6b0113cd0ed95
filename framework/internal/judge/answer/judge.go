package answer

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// LeastStands is the minimum probability, for a ready answer, that one of the first five sections is relevant.
const LeastStands = 0.88

// Thresholds, chosen on what the weights were fitted on (docs/reference/answered.md).
const (
	leastRight   = 0.62 // minimum probability of an answer that is reported
	leastMissing = 0.5  // minimum probability of a term as a gap
	leastFacet   = 0.28 // minimum probability of a facet as a gap
)

// Judgement is the result of judging the best sections.
type Judgement struct {
	// Answer is the sentence that answers, or nil if none is likely to.
	Answer *Answer
	// Best is the best sentence, whether or not it is likely to answer, or nil if there is none.
	Best *Answer
	// Supports are sentences of other sections that cover the same part of the query as the answer, in
	// the same form.
	Supports []Place
	// Gaps lists what the query asks for and no section has.
	Gaps []Gap
	// Missing are the terms of the query that no found section has in any form, whether or not they are gaps.
	Missing []string
	// DidYouMean are spellings of the corpus for words that it lacks.
	DidYouMean []string
	// Stands is the probability that one of the first five sections is relevant.
	Stands float64
	// Relevance is the probability of each of the first sections, in their order, that it is relevant.
	Relevance []float64
	// Units is the log of how likely each unit of these sections ([passage.Units]) is the answer, up to a constant;
	// -Inf for a unit that cannot answer.
	Units [][]float64
}

// Answer is a sentence, a row, an item or a setting that gives what the query asks for.
type Answer struct {
	Evidence    int    // by number
	Line        int    // of the file
	Text        string // at most 200 characters
	Kind        string // the facet that it gives, or ""
	Probability float64
}

// Place is a sentence of a section.
type Place struct{ Evidence, Line int }

// Judge reads the best sections and judges whether they answer the query. It fails when ctx ends.
func Judge(ctx context.Context, in *Input) (out *Judgement, err error) {
	r, err := read(ctx, in)
	if err != nil {
		return nil, err
	}
	return r.judge(weights()), ctx.Err()
}

// Likely reads the best sections and returns for each the probability that its sentences answer, relative to the
// likeliest section. It fails when ctx ends.
func Likely(ctx context.Context, in *Input) (out []float64, err error) {
	r, err := read(ctx, in)
	if err != nil {
		return nil, err
	}
	return r.likely(&weights().Sentence), ctx.Err()
}

// likely returns the summed probability of the units of each section, relative to the greatest sum.
func (r *reading) likely(m *model) []float64 {
	out := make([]float64, len(r.sections))
	c := r.choose(m)
	if c.unit < 0 {
		return out
	}
	for i, z := range c.z {
		out[r.units[i].section] += math.Exp(z - c.z[c.unit])
	}
	most := slices.Max(out)
	for i := range out {
		out[i] /= most
	}
	return out
}

func (r *reading) judge(m *fitted) *Judgement {
	out := new(Judgement)
	c := r.choose(&m.Sentence)
	x := r.verdictOf(&c)
	out.Stands = m.Stands.probability(x)
	p := m.Right.probability(x)
	l := r.absent(m, &c, p)
	for n := range r.sections {
		out.Relevance = append(out.Relevance, m.Relevance.probability(r.relevanceOf(n, &c, x, l.most)))
		out.Units = append(out.Units, c.z[r.sections[n].from:r.sections[n].to])
	}
	if c.unit >= 0 {
		u := &r.units[c.unit]
		out.Best = &Answer{Evidence: u.section, Line: u.line, Text: r.excerpt(c.unit), Kind: r.kind(u), Probability: p}
		if p >= leastRight {
			out.Answer, out.Supports = out.Best, r.supports(u, out.Best.Kind)
		}
	}
	r.gaps(&l, out)
	return out
}

// kind returns the name of the facet that a unit gives.
func (r *reading) kind(u *unit) string { return first(r.facets, u.gives) }

// KindOf returns the name of a facet that a query asks for and a text gives, or "".
func KindOf(query, said string) string {
	facets := asked(text.Fold(query))
	return first(facets, giving(facets, text.Fold(said)))
}

// giving returns the facets that a folded text gives, by number.
func giving(facets []*facet, norm string) (out set) {
	for n, f := range facets {
		if f.given(norm) {
			out |= 1 << n
		}
	}
	return out
}

// first returns the name of the first facet of a set, or "" if the set is empty.
func first(facets []*facet, of set) string {
	if of == 0 {
		return ""
	}
	return facets[bits.TrailingZeros64(uint64(of))].name
}

// supports finds the first sentence of each other section that covers the same part of the query as a unit and
// gives the same facet.
func (r *reading) supports(u *unit, kind string) (out []Place) {
	wanted := u.own & r.content
	for n := range r.sections {
		s := &r.sections[n]
		for i := s.from; n != u.section && wanted != 0 && i < s.to; i++ {
			if x := &r.units[i]; x.own&wanted == wanted && !x.mute && r.kind(x) == kind {
				out = append(out, Place{n, x.line})
				break
			}
		}
	}
	return out
}
