package lexical

// coverage sums the shares of a set of slots, a byte of the mask at a time.
type coverage [8][256]float32

func newCoverage(share []float64) coverage {
	var c coverage
	for slot, part := range share {
		for set := range 256 {
			if set&(1<<(slot%8)) != 0 {
				c[slot/8][set] += float32(part)
			}
		}
	}
	return c
}

func (c *coverage) of(slots uint64) float32 {
	var sum float32
	for i := 0; slots != 0; i++ {
		sum += c[i][slots&0xff]
		slots >>= 8
	}
	return sum
}
