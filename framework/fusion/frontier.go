package fusion

// frontierDepths are the k of the frontier (contract, Fusion).
var frontierDepths = [...]int{10, 20, 30, 40, 50, 80, 100}

// FrontierPoint is what the best k promise by π alone; figures that are
// undefined are nil.
type FrontierPoint struct {
	K int    `json:"k"`
	P Figure `json:"P"` // mean π of the best k, or of all where there are fewer
	R Figure `json:"R"` // their share of all π
	F Figure `json:"F"` // harmonic mean of both
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
	if held > 0 {
		point.P = figure(sums[held] / float64(held))
	}
	if all > 0 {
		point.R = figure(sums[held] / all)
	}
	point.F, _ = harmonic(point.P, point.R, "P", "R")
	return point
}
