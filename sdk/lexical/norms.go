package lexical

import (
	"slices"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// lengths is how many field lengths have a precomputed norm; longer fields
// count as this long.
const lengths = 1 << 12

// norms are the factors of a term's frequency by the length of the field:
// weight / (1 − b + b·len/avglen). They stay until something differs.
type norms struct {
	params Params
	means  []float64
	tables []*[lengths]float32 // per field and length
}

func (n *norms) set(snap *snapshot.Snapshot, p Params) {
	means := make([]float64, len(snap.Fields()))
	for f := range means {
		means[f] = max(snap.AvgLen(f), 1)
	}
	if slices.Equal(means, n.means) && slices.Equal(p.B, n.params.B) && slices.Equal(p.Weight, n.params.Weight) {
		return
	}
	n.params = Params{B: slices.Clone(p.B), Weight: slices.Clone(p.Weight)}
	n.means, n.tables = means, make([]*[lengths]float32, len(means))
	for f, mean := range means {
		table := new([lengths]float32)
		for l := range table {
			table[l] = float32(p.Weight[f] / (1 - p.B[f] + p.B[f]*float64(l)/mean))
		}
		n.tables[f] = table
	}
}
