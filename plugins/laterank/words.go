package laterank

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// words calls visit with the words of a normalised text and their positions: runs of kanji, katakana and hangul,
// numbers, and Latin words. A Latin word with joints is visited as a whole and in parts. Hiragana is grammar.
func words(norm string, visit func(at int, word string)) {
	t := text.Text{Norm: norm}
	for r := range text.Runs(&t) {
		if r.Class == text.Hiragana {
			continue
		}
		word := norm[r.Start:r.End]
		visit(r.Start, word)
		if r.Class == text.Latin && strings.IndexFunc(word, joint) >= 0 {
			for part := range strings.FieldsFuncSeq(word, joint) {
				visit(r.Start, part)
			}
		}
	}
}

// joint reports whether a character joins parts of a Latin word.
func joint(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ':' }

// pair is two adjacent characters.
type pair [2]rune

// letters are the distinct pairs of a word. A single character is paired with 0.
type letters struct {
	pairs []pair
	mask  uint64 // a bit for each pair; several may share one
}

// spell appends the pairs of a word to buf.
func spell(buf []pair, word string) letters {
	l := letters{pairs: buf}
	last := rune(0)
	for i, r := range word {
		if i > 0 {
			l.add(pair{last, r})
		}
		last = r
	}
	if len(l.pairs) == 0 {
		l.add(pair{last, 0})
	}
	return l
}

func (l *letters) add(p pair) {
	bit := uint64(1) << ((uint32(p[0])*31 + uint32(p[1])) % 64)
	if l.mask&bit != 0 && slices.Contains(l.pairs, p) {
		return
	}
	l.pairs, l.mask = append(l.pairs, p), l.mask|bit
}

// dice returns the Dice coefficient of two words (Ecology 1945): twice the number of shared pairs divided by the number
// of all pairs, in [0, 1]. It returns 0 if the coefficient is below least.
func dice(a, b *letters, least float64) float64 {
	have := float64(len(a.pairs) + len(b.pairs))
	most := bits.OnesCount64(a.mask&b.mask) + len(a.pairs) - bits.OnesCount64(a.mask)
	if 2*float64(most)/have < least {
		return 0 // the usual case, without comparing pairs
	}
	shared := 0
	for _, p := range a.pairs {
		if slices.Contains(b.pairs, p) {
			shared++
		}
	}
	if d := 2 * float64(shared) / have; d >= least {
		return d
	}
	return 0
}

// sieve is a set of pairs of adjacent characters, identified by their last bytes. A word without any pair of the query
// is similar to none of its words, and most words have none.
type sieve [16]uint64

// add adds the pairs of a query word. It also adds the first pair of its stem, which for a few words is another one.
func (v *sieve) add(w *word) {
	for _, p := range w.letters.pairs {
		v.set(final(p[0]), final(p[1]))
	}
	if len(w.stem) > 1 {
		v.set(w.stem[0], w.stem[1])
	}
}

// passes reports whether a word may be similar to a word of the query.
func (v *sieve) passes(w string) bool {
	last, n := byte(0), 0
	for i := range len(w) {
		if i+1 < len(w) && !utf8.RuneStart(w[i+1]) {
			continue // inside a character
		}
		if n > 0 && v.has(last, w[i]) {
			return true
		}
		last, n = w[i], n+1
	}
	return n == 1 && v.has(last, 0) // spell pairs a single character with 0
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

// final returns the last byte of a character in UTF-8.
func final(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r)
	}
	return byte(r)&0x3F | 0x80
}
