package evidence

import "math"

// leastRelevance is the relevance below which a unit is no match.
const leastRelevance = .1

// curve turns the scores of a ranking into relevance: a logistic regression on judged
// questions. It rises with the score, so that the order stays.
type curve struct {
	start float64
	score float64 // of the score itself, saturated
	share float64 // of the score beside the best one
	lead  float64 // of standing at the top, or as good as there
	sure  float64 // of how much of the question the best one tells
}

// Fitted on one half of the questions, see docs/logic.md.
var (
	codeCurve = curve{start: -5.8, score: 4.1, share: 1.9, lead: .8, sure: 3.1}
	specCurve = curve{start: -7.3, score: 1.7, share: 1.7, lead: 1.8, sure: 5.2}
)

// leadPower makes a lead of what is all but the best score.
const leadPower = 6

// items are the units of a ranking that match, with their relevance in thousandths.
func (c curve) items(hits []hit) []item {
	var all []item
	for _, h := range hits {
		top := hits[0]
		share := h.score / top.score
		z := c.start + c.score*h.score/(h.score+.5) + c.share*share + c.lead*math.Pow(share, leadPower) +
			c.sure*max(top.coverage, min(1, top.score))
		relevance := math.Round(1000/(1+math.Exp(-z))) / 1000
		if h.score <= 0 || relevance < leastRelevance {
			break
		}
		all = append(all, item{hit: h, relevance: relevance})
	}
	return all
}
