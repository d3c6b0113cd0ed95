package laterank

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// words calls visit with the words of a normalised text and where they start:
// runs of kanji, katakana and hangul, numbers, and Latin words, whole and,
// where signs join several, in their parts. Hiragana is grammar.
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

// joint reports whether a sign joins parts of a Latin word.
func joint(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ':' }

// pair is two neighbouring characters.
type pair [2]rune

// letters are the distinct pairs of a word; one character pairs with nothing.
type letters struct {
	pairs []pair
	mask  uint64 // a bit per pair; several may share one
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

// dice is the Dice coefficient of two words (Ecology 1945), twice the pairs
// they share over those they have, in [0, 1]; 0 when it is below least.
func dice(a, b *letters, least float64) float64 {
	have := float64(len(a.pairs) + len(b.pairs))
	most := bits.OnesCount64(a.mask&b.mask) + len(a.pairs) - bits.OnesCount64(a.mask)
	if 2*float64(most)/have < least {
		return 0 // nearly always, and without comparing pairs
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
