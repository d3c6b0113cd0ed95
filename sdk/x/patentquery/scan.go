package patentquery

import (
	"math/bits"
	"strings"
)

// Texts are searched for words eight bytes at a time, each in a lane of a 64-bit word; a lane that answers yes has its
// highest bit set (Lamport, CACM 1975).
const (
	lanes   = 0x0101010101010101
	highest = 0x80 * lanes
	rest    = 0x7f * lanes
)

// eight are the bytes of s from i on, the first lowest.
func eight(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// equal tells the lanes that are b.
func equal(v uint64, b byte) uint64 {
	v ^= uint64(b) * lanes
	return ^(v&rest + rest | v | rest)
}

// between tells the lanes from one byte below 0x80 to another.
func between(v uint64, from, to byte) uint64 {
	low := v & rest
	return (low + uint64(0x80-from)*lanes) &^ (low + uint64(0x7f-to)*lanes) &^ v & highest
}

// lane is the number of the first lane that answers yes.
func lane(v uint64) int { return bits.TrailingZeros64(v) / 8 }

// nextStart is the first byte at or after another that is one of firsts and, if that is a letter, follows none; len(s)
// where there is none.
func nextStart(s string, at int, firsts string) int {
	before := byte(' ')
	if at > 0 {
		before = s[at-1]
	}
	for ; at+8 <= len(s); at += 8 {
		here := eight(s, at)
		found := uint64(0)
		for i := range len(firsts) {
			found |= equal(here, firsts[i])
		}
		if found &^= between(here, 'a', 'z') & between(here<<8|uint64(before), 'a', 'z'); found != 0 {
			return at + lane(found)
		}
		before = s[at+7]
	}
	for ; at < len(s); at++ {
		for i := range len(firsts) {
			if s[at] == firsts[i] && !(small(s[at]) && small(before)) {
				return at
			}
		}
		before = s[at]
	}
	return len(s)
}

func small(b byte) bool { return b >= 'a' && b <= 'z' }

// NextCamel finds the next piece between white space in which a word in camelCase may start a part: at a capital
// letter behind a small one, or before one and behind a capital or a digit. -1 where there is none.
func NextCamel(s string, at int) (from, to int) {
	before := uint64(0)
	for i := at; i < len(s); i += 8 {
		here, n := uint64(0), min(8, len(s)-i)
		if n == 8 {
			here = eight(s, i)
		} else {
			for k := range n {
				here |= uint64(s[i+k]) << (8 * k)
			}
		}
		behind := here<<8 | before
		capital := between(behind, 'A', 'Z') | between(behind, 'a', 'z') | between(behind, '0', '9')
		capital &= between(here, 'A', 'Z')
		for ; capital != 0; capital &= capital - 1 {
			if k := i + lane(capital); small(s[k-1]) || k+1 < len(s) && small(s[k+1]) {
				if to = strings.IndexFunc(s[k:], isSpace); to < 0 {
					to = len(s) - k
				}
				return strings.LastIndexFunc(s[:k], isSpace) + 1, k + to
			}
		}
		before = here >> 56
	}
	return -1, -1
}

func isSpace(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' }
