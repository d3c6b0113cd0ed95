package fusion

// Shares says how much of the scores of the best 50 each lane brought, in the
// order of lanes and summing to 1; nil when all scores are 0. A score is a
// multiple of RRF, which is a sum over lanes, so it parts without a rest.
func (c *Catalog) Shares(lanes []Lane, ranked []Placed, p Params) []float64 {
	raised := make([]float64, len(c.ids)) // score / RRF of the best
	for _, d := range top(ranked) {
		raised[d.Row] = 1 + p.Beta*d.Pi
	}
	shares, total := make([]float64, len(lanes)), 0.0
	for i, l := range lanes {
		w := p.weight(l)
		for rank, row := range l.Rows {
			if raised[row] > 0 {
				shares[i] += w / (p.K + float64(rank+1)) * raised[row]
			}
		}
		total += shares[i]
	}
	if total == 0 {
		return nil
	}
	for i := range shares {
		shares[i] /= total
	}
	return shares
}
