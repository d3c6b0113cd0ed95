package search

import "math"

// likelyFrom is the minimum probability of a likely section.
const likelyFrom = 0.3

// likelihood returns the probability that a section is about the query, by logistic regression
// (docs/reference/likely.md). share is its score divided by the best score, coverage its coverage, widest the
// greatest coverage of any section, rank its rank from 1, and matched the number of matched sections.
func likelihood(share, coverage, widest float64, rank, matched int) float64 {
	z := 2.4016 + 3.3827*share + 3.9943*coverage -
		0.5970*math.Log(float64(rank)) - 0.6375*math.Log(float64(max(1, matched)))
	if widest > 0 {
		z -= 1.7185 * coverage / widest
	}
	return 1 / (1 + math.Exp(-z))
}

// likelihoods returns the probability of each section of an order.
func likelihoods(ranked []scored, matched int) []float64 {
	out, best, widest := make([]float64, len(ranked)), 0.0, 0.0
	for _, s := range ranked {
		best, widest = max(best, s.Score), max(widest, s.coverage)
	}
	for i, s := range ranked {
		share := 0.0
		if best > 0 {
			share = s.Score / best
		}
		out[i] = likelihood(share, s.coverage, widest, i+1, matched)
	}
	return out
}

func (c *Candidate) likely() bool { return c.Likelihood >= likelyFrom }

func (t *Trace) countLikely() int {
	n := t.LikelyCut
	for i := range t.Candidates {
		if t.Candidates[i].likely() {
			n++
		}
	}
	return n
}
