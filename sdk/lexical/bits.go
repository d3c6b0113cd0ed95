package lexical

import (
	"iter"
	"math/bits"
)

// setWords is the number of 64-bit words of a set.
const setWords = window / 64

// set is a set of sections of a window, one bit each.
type set [setWords]uint64

func (s *set) add(i uint32)      { s[i>>6&(setWords-1)] |= 1 << (i & 63) }
func (s *set) drop(i uint32)     { s[i>>6&(setWords-1)] &^= 1 << (i & 63) }
func (s *set) has(i uint32) bool { return s[i>>6&(setWords-1)]>>(i&63)&1 == 1 }

func (s *set) and(t *set) {
	for i := range s {
		s[i] &= t[i]
	}
}

func (s *set) or(t *set) {
	for i := range s {
		s[i] |= t[i]
	}
}

func (s *set) andNot(t *set) {
	for i := range s {
		s[i] &^= t[i]
	}
}

func (s *set) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s *set) len() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// fill sets s to the first n sections.
func (s *set) fill(n uint32) {
	clear(s[:])
	for i := range n / 64 {
		s[i] = ^uint64(0)
	}
	if n%64 != 0 {
		s[n/64] = 1<<(n%64) - 1
	}
}

// all yields the sections in order.
func (s *set) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}
