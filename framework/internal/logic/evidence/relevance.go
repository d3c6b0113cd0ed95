package evidence

import (
	"math"
	"slices"
)

// leastRelevance is the relevance below which a unit is no match.
const leastRelevance = .05

// curve turns the scores of a ranking into relevance: a logistic regression on judged
// questions, by the weights of [parts].
type curve [7]float64

// Fitted to judged questions, see docs/logic.md.
var (
	codeCurve = curve{-7.3, 6.3, 1.7, .6, 2.7, 1.3, 1.1}
	specCurve = curve{-9.5, 2.7, 0, 1.7, 0, 3.5, 8.1}
)

const (
	leadPower = 6 // makes a lead of what is all but the best score
	crowd     = 3 // the place whose score says how far the best one stands apart
)

// parts returns what a curve weighs of the hit at i: nothing, its score, saturated, its score
// beside the best one, how nearly it is the best, how much of the question the best one
// says, how far a best one stands apart, and how much of the question it holds itself, or how
// surely specifications mean its file.
func parts(hits []hit, i int) [7]float64 {
	h, top := hits[i], hits[0]
	share, apart := h.score/top.score, 1.0
	if len(hits) > crowd {
		apart -= hits[crowd].score / top.score
	}
	lead := math.Pow(share, leadPower)
	return [7]float64{1, h.score / (h.score + .5), share, lead, max(top.coverage, min(1, top.score)), lead * apart,
		max(h.coverage, h.path)}
}

// relevance returns what a curve makes of parts.
func (c curve) relevance(parts [7]float64) float64 {
	var z float64
	for i, p := range parts {
		z += c[i] * p
	}
	return 1 / (1 + math.Exp(-z))
}

// items returns the units of a ranking that match, with their relevance in thousandths. Each
// is at least as relevant as those behind it, so that the order stays.
func (c curve) items(hits []hit) []item {
	var all []item
	least := 0.0
	for i, h := range slices.Backward(hits) {
		if h.score <= 0 {
			continue
		}
		least = max(least, math.Round(1000*c.relevance(parts(hits, i)))/1000)
		if least >= leastRelevance {
			all = append(all, item{hit: h, relevance: least})
		}
	}
	slices.Reverse(all)
	return all
}
