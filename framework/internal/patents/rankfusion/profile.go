package rankfusion

import (
	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// weighed is a code of a target profile: the rows that have it, and its weight.
type weighed struct {
	rows   []uint32
	weight float64
}

// profile resolves the codes of a target profile: by norm and in full, and the sum
// W of all weights. A code that no publication has counts in the sum alone.
func (c *Catalog) profile(p Profile) (primary, secondary []weighed, total float64) {
	for _, code := range sortedKeys(p.FI) {
		norm, full := patentcode.NormFI(code)
		total += p.FI[code]
		primary = append(primary, weighed{c.having[symbolOf(kindFI, norm)], p.FI[code]})
		if full != norm {
			secondary = append(secondary, weighed{c.having[symbolOf(kindFI, full)], p.FI[code]})
		}
	}
	for _, exact := range []struct {
		kind    kind
		weights map[string]float64
		norm    func(string) string
	}{
		{kindFT, p.FT, patentcode.NormFTerm}, {kindIPC, p.IPC, patentcode.NormIPC},
		{kindCPC, p.CPC, patentcode.NormIPC},
	} {
		for _, code := range sortedKeys(exact.weights) {
			total += exact.weights[code]
			rows, had := c.having[symbolOf(exact.kind, code)]
			if !had {
				rows = c.having[symbolOf(exact.kind, exact.norm(code))]
			}
			primary = append(primary, weighed{rows, exact.weights[code]})
		}
	}
	return primary, secondary, total
}

// favourCodes sets π_code = (c1·P(d) + c2·S(d)) / W; it stays 0 without a profile.
// It goes from codes to publications, since most have none of the codes.
func (c *Catalog) favourCodes(docs []Placed, at []uint32, p Params) {
	primary, secondary, total := c.profile(p.Profile)
	if total == 0 {
		return
	}
	c1, c2 := value(p.Weights, codeWeight, "code"), value(p.Weights, secondaryWeight, "code_secondary")
	add := func(codes []weighed, factor float64) {
		for _, code := range codes {
			share := factor * code.weight / total
			for _, row := range code.rows {
				if at[row] > 0 {
					docs[at[row]-1].PiCode += share
				}
			}
		}
	}
	add(primary, c1)
	add(secondary, c2)
}

// Matches counts the publications of lanes that have a code of the profile,
// whatever its weight.
func (c *Catalog) Matches(lanes []Lane, p Profile) int {
	_, at := c.distinct(lanes)
	n := 0
	primary, _, _ := c.profile(p)
	for _, code := range primary {
		for _, row := range code.rows {
			if at[row] > 0 {
				at[row] = 0 // counted
				n++
			}
		}
	}
	return n
}
