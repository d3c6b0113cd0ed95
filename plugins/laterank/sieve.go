package laterank

import "unicode/utf8"

// sieve is a set of neighbouring characters, each told by its last byte. A word that
// has no pair of the query is like none of its words, and most have none.
type sieve [16]uint64

// add adds the pairs of a query word. Its stem begins as the word does, but for a
// handful of words.
func (v *sieve) add(w *word) {
	for _, p := range w.letters.pairs {
		v.set(final(p[0]), final(p[1]))
	}
	if len(w.stem) > 1 {
		v.set(w.stem[0], w.stem[1])
	}
}

// passes reports whether a word may be like a word of the query.
func (v *sieve) passes(w string) bool {
	last, n := byte(0), 0
	for i := range len(w) {
		if i+1 < len(w) && !utf8.RuneStart(w[i+1]) {
			continue // more of the character follows
		}
		if n > 0 && v.has(last, w[i]) {
			return true
		}
		last, n = w[i], n+1
	}
	return n == 1 && v.has(last, 0) // as it is spelled
}

func (v *sieve) set(a, b byte) {
	h := hash(a, b)
	v[h/64] |= 1 << (h % 64)
}

func (v *sieve) has(a, b byte) bool {
	h := hash(a, b)
	return v[h/64]&(1<<(h%64)) != 0
}

func hash(a, b byte) uint { return (uint(a)*37 + uint(b)*5) % (64 * uint(len(sieve{}))) }

// final is the last byte of a character in UTF-8.
func final(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r)
	}
	return byte(r)&0x3F | 0x80
}
