package fusion

// frontierDepths are the k of the frontier (contract, Fusion).
var frontierDepths = [...]int{10, 20, 30, 40, 50, 80, 100}

// FrontierPoint is what the best k promise by π alone; figures that are undefined are nil,
// and Reasons says why, by the figure's name.
type FrontierPoint struct {
	K int    `json:"k"`
	P Figure `json:"P"` // mean π of the best k, or of all where there are fewer
	R Figure `json:"R"` // their share of all π
	F Figure `json:"F"` // harmonic mean of both

	Reasons Reasons `json:"reasons,omitempty"`
}

// Frontier is the trade of precision for recall that a ranking offers.
func Frontier(ranked []Placed) []FrontierPoint {
	sums := make([]float64, len(ranked)+1)
	for i, d := range ranked {
		sums[i+1] = sums[i] + d.Pi
	}
	out := make([]FrontierPoint, len(frontierDepths))
	for i, k := range frontierDepths {
		out[i] = frontierPoint(k, sums)
	}
	return out
}

func frontierPoint(k int, sums []float64) FrontierPoint {
	point, held, all := FrontierPoint{K: k}, min(k, len(sums)-1), sums[len(sums)-1]
	point.P = point.Reasons.say("P")(ratio(sums[held], float64(held), "nothing was ranked"))
	point.R = point.Reasons.say("R")(ratio(sums[held], all, "π is 0 for every publication"))
	point.F = point.Reasons.say("F")(harmonic(point.P, point.R, "P", "R"))
	return point
}

// ratio is part / whole; undefined, for a reason, where the whole is 0.
func ratio(part, whole float64, reason string) (Figure, string) {
	if whole == 0 {
		return nil, reason
	}
	return figure(part / whole), ""
}
