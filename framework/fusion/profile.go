package fusion

import "github.com/sagasu-search/sagasu/framework/patent"

// profile is a target profile ready for blending: weights by symbol.
type profile struct {
	primary, secondary []float64 // nil when no code is weighed
	c1, c2             float64
	total              float64 // W, the sum of all weights
}

// profile resolves a profile's codes. A code that no publication has counts in
// the total alone.
func (c *Catalog) profile(p Params) profile {
	out := profile{c1: value(p.Weights, DefaultCode, "code"), c2: value(p.Weights, DefaultCodeSecondary, "code_secondary")}
	if p.Profile.Empty() {
		return out
	}
	size := len(c.texts) << kindBits
	out.primary, out.secondary = make([]float64, size), make([]float64, size)
	for _, code := range sortedKeys(p.Profile.FI) {
		weight := p.Profile.FI[code]
		norm, full := patent.NormFI(code)
		out.total += weight
		c.weigh(out.primary, kindFI, norm, weight)
		if full != norm {
			c.weigh(out.secondary, kindFI, full, weight)
		}
	}
	for _, exact := range []struct {
		kind    kind
		weights map[string]float64
	}{{kindFT, p.Profile.FT}, {kindIPC, p.Profile.IPC}, {kindCPC, p.Profile.CPC}} {
		for _, code := range sortedKeys(exact.weights) {
			out.total += exact.weights[code]
			c.weigh(out.primary, exact.kind, code, exact.weights[code])
		}
	}
	return out
}

// weigh adds to the weight of a code that some publication has.
func (c *Catalog) weigh(weights []float64, k kind, code string, weight float64) {
	if n, ok := c.numbers[code]; ok {
		weights[n<<kindBits|k] += weight
	}
}

// pi is π_code = (c1·P(d) + c2·S(d)) / W; 0 without a profile.
func (p profile) pi(c *Catalog, row uint32) float64 {
	if p.total == 0 {
		return 0
	}
	return (p.c1*sum(p.primary, c.codes.of(row)) + p.c2*sum(p.secondary, c.finer.of(row))) / p.total
}

func sum(weights []float64, symbols []symbol) (total float64) {
	for _, s := range symbols {
		total += weights[s]
	}
	return total
}

// holds tells that a publication has a code of the profile.
func (p profile) holds(c *Catalog, row uint32) bool {
	return p.total > 0 && sum(p.primary, c.codes.of(row)) > 0
}
