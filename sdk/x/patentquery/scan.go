package patentquery

import (
	"math/bits"
	"strings"
)

// Texts are searched for words eight bytes at a time, one byte per lane of a 64-bit word. A lane that matches has its
// highest bit set (Lamport, CACM 1975).
const (
	lanes   = 0x0101010101010101
	highest = 0x80 * lanes
	rest    = 0x7f * lanes
)

// eight returns the eight bytes of s from i on, the first in the lowest lane.
func eight(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// between returns a mask with the highest bit set in each lane of v whose byte is in [from, to].
// Both must be below 0x80.
func between(v uint64, from, to byte) uint64 {
	low := v & rest
	return (low + uint64(0x80-from)*lanes) &^ (low + uint64(0x7f-to)*lanes) &^ v & highest
}

// lane returns the index of the first matching lane of a mask.
func lane(v uint64) int { return bits.TrailingZeros64(v) / 8 }

// lead is a possible start of a word: a first letter, and a second one, unless second is 0 or the word has only one
// letter.
type lead struct{ first, second byte }

// at reports whether a word may start with the lead at the start of s, which is not empty.
func (l lead) at(s string) bool {
	return s[0] == l.first && (l.second == 0 || len(s) == 1 || s[1] == l.second || !small(s[1]))
}

// next returns the first offset in s, from at on, at which a word may start with the lead, or len(s).
func (l lead) next(s string, at int) int {
	first, before, inside := uint64(l.first)*lanes, uint64(0), uint64(0)
	if at > 0 {
		before = uint64(s[at-1])
	}
	if small(l.first) {
		inside = highest // a small letter after another one does not start a word
	}
	for ; at+8 <= len(s); at += 8 {
		here := eight(s, at)
		// Subtracting 1 from a zero lane borrows from the next lane, so that too many lanes may match, but
		// never too few.
		x := here ^ first
		found := (x - lanes) &^ x & highest &^ (between(here<<8|before, 'a', 'z') & inside)
		for ; found != 0; found &= found - 1 {
			if i := at + lane(found); l.at(s[i:]) {
				return i
			}
		}
		before = here >> 56
	}
	for ; at < len(s); at++ {
		if l.at(s[at:]) && !(at > 0 && small(s[at]) && small(s[at-1])) {
			return at
		}
	}
	return len(s)
}

// nextStart returns the first offset in s, from at on, at which a word may start with one of leads, or len(s).
func nextStart(s string, at int, leads []lead) int {
	first := len(s)
	for _, l := range leads {
		first = min(first, l.next(s[:min(len(s), first+1)], at))
	}
	return first
}

func small(b byte) bool { return b >= 'a' && b <= 'z' }

// NextCamel returns the range of the next piece between white space that may contain camelCase: a capital letter
// after a small letter, or after a capital or a digit and before a small letter. It returns -1 if there is none.
func NextCamel(s string, at int) (from, to int) {
	before := uint64(0)
	for i := at; i < len(s); i += 8 {
		for i+24 < len(s) && eight(s, i)&eight(s, i+8)&eight(s, i+16)&(0x20*lanes) == 0x20*lanes {
			i += 24 // capitals have this bit clear; small letters, digits and blanks have it set
			before = uint64(s[i-1])
		}
		here, n := uint64(0), min(8, len(s)-i)
		if n == 8 {
			here = eight(s, i)
		} else {
			for k := range n {
				here |= uint64(s[i+k]) << (8 * k)
			}
		}
		capital := between(here, 'A', 'Z')
		if capital != 0 {
			last := here<<8 | before
			capital &= between(last, 'A', 'Z') | between(last, 'a', 'z') | between(last, '0', '9')
		}
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
