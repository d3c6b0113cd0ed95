package rankfusion

import (
	"cmp"
	"math"
	"slices"
)

// order puts publications in order: score descending, best single rank, id.
func (c *Catalog) order(docs []Placed) {
	keys := make([]scored, len(docs))
	for i := range docs {
		keys[i] = scored{^math.Float64bits(docs[i].Score), uint32(i)}
	}
	arrange(docs, radix(keys))
	for start, end := 0, 0; start < len(docs); start = end {
		for end = start + 1; end < len(docs) && docs[end].Score == docs[start].Score; end++ {
		}
		if end-start > 1 {
			slices.SortFunc(docs[start:end], func(a, b Placed) int {
				return cmp.Or(cmp.Compare(a.Best, b.Best), cmp.Compare(c.ids[a.Row], c.ids[b.Row]))
			})
		}
	}
}

// arrange moves docs to where keys want them, cycle by cycle in their own memory:
// a second list would cost as much as the sorting.
func arrange(docs []Placed, keys []scored) {
	for start := range keys {
		if keys[start].at == uint32(start) {
			continue
		}
		held, to := docs[start], uint32(start)
		for from := keys[to].at; from != uint32(start); from = keys[to].at {
			docs[to], keys[to].at, to = docs[from], to, from
		}
		docs[to], keys[to].at = held, to
	}
}

// scored is a sort key and where its owner stands. The bits of floats that are
// ≥ 0 order as the floats do; inverted they order downwards.
type scored struct {
	key uint64
	at  uint32
}

const (
	digitBits = 11
	digits    = (64 + digitBits - 1) / digitBits
)

// radix sorts by key, a digit at a time from the lowest. Comparing took three
// times as long as all the rest of a fusion.
func radix(keys []scored) []scored {
	var counts [digits][1 << digitBits]uint32
	for _, k := range keys {
		for d := range counts {
			counts[d][digit(k.key, d)]++
		}
	}
	spare := make([]scored, len(keys))
	for d := range counts {
		if len(keys) > 0 && counts[d][digit(keys[0].key, d)] == uint32(len(keys)) {
			continue // all the same
		}
		next := uint32(0)
		for i, n := range counts[d] {
			counts[d][i], next = next, next+n
		}
		for _, k := range keys {
			to := &counts[d][digit(k.key, d)]
			spare[*to] = k
			*to++
		}
		keys, spare = spare, keys
	}
	return keys
}

func digit(key uint64, d int) uint64 { return key >> (d * digitBits) & (1<<digitBits - 1) }
