package corpus

import (
	"unicode"
	"unicode/utf8"
)

// Forward returns the byte n code points after at, at most the end of text.
func Forward(text []byte, at, n int) int {
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// Backward returns the byte n code points before at, at least 0.
func Backward(text []byte, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(text[:at])
		at -= size
	}
	return at
}

// longestSequence is how far, in code points, a cut is moved for the sake of a
// combining sequence. A longer one is cut, so that reading always goes on.
const longestSequence = 32

// LastBreak returns the last place in (low, at] where text may be cut without
// parting a combining sequence or a CR LF; at itself where there is none near.
func LastBreak(text []byte, low, at int) int {
	for cut, n := at, 0; cut > low && n < longestSequence; n++ {
		if breaks(text, cut) {
			return cut
		}
		cut = Backward(text, cut, 1)
	}
	return at
}

// FirstBreak returns the first such place in [at, high).
func FirstBreak(text []byte, at, high int) int {
	for cut, n := at, 0; cut < high && n < longestSequence; n++ {
		if breaks(text, cut) {
			return cut
		}
		cut = Forward(text, cut, 1)
	}
	return at
}

const (
	joiner      = '\u200d'
	voicedMark  = '\uff9e' // halfwidth dakuten, and the handakuten after it
	firstMedial = '\u1160' // Hangul vowels and finals of a syllable in parts
	lastFinal   = '\u11ff'
	firstTone   = '\U0001f3fb' // skin tones
	lastTone    = '\U0001f3ff'
)

func breaks(text []byte, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	before, _ := utf8.DecodeLastRune(text[:at])
	after, _ := utf8.DecodeRune(text[at:])
	return !(before == '\r' && after == '\n' || before == joiner || extends(after))
}

// extends reports whether r belongs to the character before it.
func extends(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r == joiner, r == voicedMark, r == voicedMark+1, r >= firstMedial && r <= lastFinal,
		r >= firstTone && r <= lastTone:
		return true
	}
	return unicode.Is(unicode.M, r)
}

// longestWord is how far, in code points, a cut is moved so as not to part a word, or a clause of a script
// without spaces. A longer one is cut.
const longestWord = 60

// FirstWord returns the first place from at on, before high, where a text may begin; at itself where there is
// none near.
func FirstWord(text []byte, at, high int) int {
	for cut, n := at, 0; cut < high && n < longestWord; n++ {
		if !parts(text, cut) {
			at = cut
			break
		}
		cut = Forward(text, cut, 1)
	}
	return FirstBreak(text, at, high)
}

// LastWord returns the last such place up to at, behind low, where a text may end.
func LastWord(text []byte, low, at int) int {
	for cut, n := at, 0; cut > low && n < longestWord; n++ {
		if !parts(text, cut) {
			at = cut
			break
		}
		cut = Backward(text, cut, 1)
	}
	return LastBreak(text, low, at)
}

// parts reports whether a cut would part a word, a clause of a script without spaces, or a sign from
// what it ends.
func parts(text []byte, cut int) bool {
	before, _ := utf8.DecodeLastRune(text[:cut])
	after, _ := utf8.DecodeRune(text[cut:])
	if cut == 0 || cut == len(text) || before == '\n' {
		return false
	}
	return inWord(before) && inWord(after) || unicode.In(after, unicode.Pe, unicode.Pf, unicode.Po)
}

// inWord reports whether a character joins those beside it into a word.
func inWord(r rune) bool {
	switch r {
	case '_', '-', '.', '\'', '’':
		return true
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}
