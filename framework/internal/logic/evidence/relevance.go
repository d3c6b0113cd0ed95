package evidence

import (
	"cmp"
	"math"
	"slices"
)

// leastRelevance is the relevance below which a unit is no match.
const leastRelevance = .02

// curve turns the scores of a ranking into relevance: a logistic regression on judged
// questions, by the weights of [parts].
type curve [6]float64

// Fitted to judged questions, see docs/logic.md.
var (
	codeCurve = curve{-9.2, 1.9, 6.6, 3.3, 2.6, 2.2}
	specCurve = curve{-7.8, 2.7, 3.8, 1.9, 4.1, 0}
)

// files returns the best unit of each file of a ranking that scores at all.
func files(hits []hit) (firsts []hit) {
	seen := map[string]bool{}
	for _, h := range hits {
		if h.score > 0 && !seen[h.Path] {
			seen[h.Path], firsts = true, append(firsts, h)
		}
	}
	return firsts
}

// parts returns what a curve weighs of the best unit of the file at i: one, how far it stands
// before all others, or how far behind the best, its score, saturated, how much of the
// question the best unit says, and how surely specifications mean the file.
func parts(firsts []hit, i int) curve {
	h, top, before := firsts[i], firsts[0], 0.0
	switch {
	case len(firsts) == 1:
		before = 1
	case i == 0:
		before = 1 - firsts[1].score/top.score
	}
	return curve{1, before, h.score / top.score, h.score / (h.score + .5), max(top.coverage, min(1, top.score)), h.path}
}

// relevance returns what a curve makes of parts.
func (c curve) relevance(parts curve) float64 {
	var z float64
	for i, p := range parts {
		z += c[i] * p
	}
	return 1 / (1 + math.Exp(-z))
}

// fadePower makes a unit much less relevant than the best one of its file that scores a little
// less.
const fadePower = 3

// items returns the units of a ranking that match, the most relevant first, with their
// relevance in thousandths. The best unit of a file is as relevant as the file.
func (c curve) items(hits []hit) []item {
	type best struct{ score, relevance float64 }
	firsts, of, all := files(hits), map[string]best{}, []item{}
	for i, h := range firsts {
		of[h.Path] = best{h.score, c.relevance(parts(firsts, i))}
	}
	for _, h := range hits {
		f := of[h.Path]
		relevance := math.Round(1000*f.relevance*math.Pow(max(0, h.score)/f.score, fadePower)) / 1000
		if relevance >= leastRelevance {
			all = append(all, item{hit: h, relevance: relevance})
		}
	}
	slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(b.relevance, a.relevance) })
	return all
}
