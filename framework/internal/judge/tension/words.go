package tension

import (
	"math"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// word is the hash of a content word of a text: the stem of an English word, two adjacent Han or katakana characters, a
// single Han character, or two hiragana, which weigh less.
type word struct {
	id     uint32
	weight float32
}

// Weights of words by script.
const (
	kanaWeight = 0.25
	loneWeight = 0.6
)

// stemLength is the number of letters of an English word that count: confirm, confirmation and confirmed are equal.
const stemLength = 6

// words calls yield for each word with content of a text, in order.
func words(s string, yield func(word)) { scan(s, true, yield) }

// scan is like words, but skips English words without content only if choosing is set, since that takes time.
func scan(s string, choosing bool, yield func(word)) {
	var previous rune // of the run of CJK, 0 at its start
	var class, count int
	lone := func() {
		if count == 1 && class == han {
			yield(word{hash(previous, 0), loneWeight})
		}
	}
	var piece [32]byte
	n, digits := 0, false
	flush := func() {
		if n > 0 {
			if w, ok := latin(piece[:n], digits, choosing); ok {
				yield(w)
			}
			n, digits = 0, false
		}
	}
	for _, r := range s {
		if r = folded(r); r < 0x80 {
			if count > 0 {
				lone()
				count = 0
			}
			switch {
			case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '\'' && n > 0:
				if n < len(piece) {
					piece[n] = byte(r)
					n++
				}
				digits = digits || r <= '9' && r >= '0'
			case (r == '.' || r == ',') && digits: // 1,200 is one number
			default:
				flush()
			}
			continue
		}
		flush()
		c := classOf(r)
		if c != class || c == none {
			lone()
			count = 0
		}
		class = c
		if c == none {
			continue
		}
		if count > 0 {
			weight := float32(1)
			if c == hiragana {
				weight = kanaWeight
			}
			yield(word{hash(previous, r), weight})
		}
		previous, count = r, count+1
	}
	lone()
	flush()
}

const (
	none = iota
	han
	katakana
	hiragana
)

func classOf(r rune) int {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r == '々':
		return han
	case r >= 0x30A1 && r <= 0x30FA, r == 'ー':
		return katakana
	case r >= 0x3041 && r <= 0x3096:
		return hiragana
	case unicode.IsLetter(r):
		return han
	}
	return none
}

// folded returns a character folded in case and width.
func folded(r rune) rune {
	if r >= 0xFF01 && r <= 0xFF5E {
		r -= 0xFEE0
	}
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r == '’':
		return '\''
	case r < 0x80 || r >= 0x3000:
		return r
	}
	return unicode.ToLower(r)
}

// latin reads a word of letters and digits. ok is false if it has no content.
func latin(piece []byte, digits, choosing bool) (w word, ok bool) {
	for len(piece) > 0 && piece[len(piece)-1] == '\'' {
		piece = piece[:len(piece)-1]
	}
	if digits {
		return word{hashBytes(piece), 1}, true
	}
	if len(piece) < 2 || choosing && (text.EnglishStop(string(piece)) || cueLexicon().grammar[string(piece)]) {
		return w, false
	}
	return word{hashBytes(coarseStem(piece)), 1}, true
}

// coarseStem shortens an English word more than [text.Stem]: it removes endings of number and tense, and then
// everything after the sixth letter.
func coarseStem(w []byte) []byte {
	for _, ending := range [...]string{"ing", "ed", "es", "s", "ly"} {
		if k := len(w) - len(ending); k >= 3 && string(w[k:]) == ending && (ending != "s" || w[k-1] != 's') {
			w = w[:k]
			break
		}
	}
	if k := len(w) - 1; k >= 3 && (w[k] == 'e' || w[k] == 'y' || w[k] == w[k-1]) {
		w = w[:k]
	}
	return w[:min(len(w), stemLength)]
}

func hash(a, b rune) uint32 {
	h := (uint32(a)*0x9E3779B1 ^ uint32(b)) * 0x85EBCA6B
	return h ^ h>>15
}

func hashBytes(s []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range s {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// idf returns the weight of a word that df of n sentences have, in (0, 1].
func idf(df, n int) float64 {
	return math.Log(float64(n+1)/(float64(df)+0.5)) / math.Log(2*float64(n+1))
}
