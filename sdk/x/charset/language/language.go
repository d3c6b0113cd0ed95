package language

import (
	"math"
	"unicode"
)

// class is the class of a character: one of these, or a letter of a language's alphabet.
type class = uint8

const (
	space class = iota
	digit
	punctuation // of ASCII
	sign        // not a letter, non-ASCII
	foreign     // a letter of another alphabet
	latin       // if the alphabet is not Latin
	han
	hiragana
	katakana
	halfKana // katakana of half width
	hangul
	control
	firstLetter
)

// hardSpace is the no-break space, and hardSpaceBits its extra cost.
const (
	hardSpace     = '\u00a0'
	hardSpaceBits = 8
)

// foreignBits is the extra cost of an ASCII letter in a language with another alphabet.
const foreignBits = 0.1

// unit is a cost in whole bits.
type unit = uint8

// A Model is a statistical model of the texts in a language.
type Model struct {
	// Code is the name of the language.
	Code string
	// letters maps lower-case letters to their classes.
	letters map[rune]class
	// after holds the cost of each class after another, one row per preceding class.
	after []unit
	width int
	// capital are the costs of a small letter and a capital at the beginning of a word, after a small letter, and
	// after a capital.
	capital [3][2]unit
	// within are the costs of characters in classes of many.
	within map[rune]unit
}

// rare is the default cost of a character, by class.
var rare = [firstLetter]unit{digit: 4, punctuation: 7, sign: 14, foreign: 7,
	latin: 7, han: 18, hiragana: 10, katakana: 10, halfKana: 10,
	hangul: 18, control: 40}

// Cost is the cost of a text in bits.
type Cost struct {
	// ASCII is the cost of the ASCII characters that follow an ASCII character, Other the cost of all others.
	ASCII, Other float64
}

// Sum returns the total cost.
func (c Cost) Sum() float64 { return c.ASCII + c.Other }

// Cost returns the cost of a text in bits. It stops early if the cost exceeds most. In languages with non-ASCII
// alphabets, ASCII letters are rated as English, so that these languages compare equally.
func (m *Model) Cost(english *Model, text []rune, most float64) Cost {
	s, e, bits := newState(), newState(), [2]int{}
	limit := int(min(most, math.MaxInt32))
	foreign, letters := m.letters['a'] == 0, 0
	for _, r := range text {
		before, inEnglish := s, e
		kind := s.step(m, r)
		if foreign {
			e.step(english, r)
		}
		if foreign && kind == 0 {
			bits[0] += english.cost(inEnglish, e, r)
			if e.letter != none {
				letters++
			}
		} else {
			bits[kind] += m.cost(before, s, r)
		}
		if bits[0]+bits[1] > limit {
			break
		}
	}
	return Cost{ASCII: float64(bits[0]) + foreignBits*float64(letters), Other: float64(bits[1])}
}

// state is the state of the model, on which the cost of the next character depends.
type state struct {
	class   class
	letter  letterCase
	isASCII bool
}

// letterCase is the case of a letter.
type letterCase uint8

const (
	none letterCase = iota
	small
	large
)

func newState() state { return state{class: space, isASCII: true} }

// step advances by a character. It returns 0 for an ASCII character after an ASCII character, else 1.
func (s *state) step(m *Model, r rune) int {
	ascii := r < unicode.MaxASCII
	kind := 1
	if ascii && s.isASCII {
		kind = 0
	}
	c, l := m.classify(r)
	*s = state{class: c, letter: l, isASCII: ascii}
	return kind
}

// cost returns the cost of a character that led from one state to another.
func (m *Model) cost(before, now state, r rune) int {
	units := int(m.after[int(before.class)*m.width+int(now.class)])
	if now.letter != none {
		units += int(m.capital[before.letter][now.letter-small])
	}
	if r == hardSpace {
		units += hardSpaceBits
	} else if now.class < firstLetter && now.class != space {
		if u, ok := m.within[fold(r)]; ok {
			units += int(u)
		} else {
			units += int(rare[now.class])
		}
	}
	return units
}

// classify returns the class of a character and its case.
func (m *Model) classify(r rune) (class, letterCase) {
	switch {
	case r == ' ' || r == '\n' || r == '\r' || r == '\t' || r == hardSpace:
		return space, none
	case r >= '0' && r <= '9':
		return digit, none
	case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
		if c, ok := m.letters[r|0x20]; ok {
			return c, caseOf(r)
		}
		return latin, caseOf(r)
	case r < 0x20 || r >= 0x7f && r < 0xa0 || r == unicode.ReplacementChar:
		return control, none
	case r < unicode.MaxASCII:
		return punctuation, none
	}
	if c, ok := m.letters[fold(r)]; ok {
		return c, caseOf(r)
	}
	switch {
	case r >= 0x4e00 && r <= 0x9fff || r >= 0x3400 && r <= 0x4dbf || r >= 0xf900 && r <= 0xfaff || r >= 0x20000:
		return han, none
	case r >= 0x3041 && r <= 0x309f:
		return hiragana, none
	case r >= 0x30a1 && r <= 0x30ff:
		return katakana, none
	case r >= 0xff66 && r <= 0xff9f:
		return halfKana, none
	case r >= 0xac00 && r <= 0xd7a3:
		return hangul, none
	case r >= 0xe000 && r < 0xf900:
		return control, none
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return foreign, caseOf(r)
	}
	return sign, none
}

func caseOf(r rune) letterCase {
	switch {
	case unicode.IsUpper(r):
		return large
	case unicode.IsLower(r):
		return small
	}
	return none
}

// fold unifies letters that have two forms in a language, since older encodings have only one of them.
func fold(r rune) rune {
	switch r = unicode.ToLower(r); r {
	case 'ș':
		return 'ş'
	case 'ț':
		return 'ţ'
	case 'ی':
		return 'ي'
	case 'ک':
		return 'ك'
	}
	return r
}
