package rankfusion

import (
	"iter"
	"math/bits"
)

// rowSet is a set of rows that grows.
type rowSet []uint64

func (s rowSet) has(row uint32) bool { return s.bit(row) != 0 }

// bit returns 1 for a member.
func (s rowSet) bit(row uint32) uint64 {
	if int(row>>6) >= len(s) {
		return 0
	}
	return s[row>>6] >> (row & 63) & 1
}

func (s *rowSet) add(row uint32) {
	if need := int(row>>6) + 1 - len(*s); need > 0 {
		*s = append(*s, make([]uint64, need)...)
	}
	(*s)[row>>6] |= 1 << (row & 63)
}

// all yields the members in ascending order.
func (s rowSet) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, word := range s {
			for ; word != 0; word &= word - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// places numbers the rows of a set from 0 in ascending order.
type places struct {
	rowSet
	before []uint32 // members before each word
	count  int
}

// places numbers the rows of lanes.
func (c *Catalog) places(lanes []Lane) places {
	p := places{rowSet: make(rowSet, len(c.ids)/64+1)}
	for _, l := range lanes {
		for _, row := range l.Rows {
			p.add(row)
		}
	}
	p.before = make([]uint32, len(p.rowSet))
	for i, word := range p.rowSet {
		p.before[i] = uint32(p.count)
		p.count += bits.OnesCount64(word)
	}
	return p
}

// of returns the number of a member.
func (p *places) of(row uint32) uint32 {
	return p.before[row>>6] + uint32(bits.OnesCount64(p.rowSet[row>>6]&(1<<(row&63)-1)))
}
