package corpus

import (
	"unicode"
	"unicode/utf8"
)

// Forward returns the offset n code points after at, at most the end of text.
func Forward(text []byte, at, n int) int {
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// Backward returns the offset n code points before at, at least 0.
func Backward(text []byte, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRune(text[:at])
		at -= size
	}
	return at
}

// longestSequence is how far, in code points, a cut moves to avoid dividing a combining sequence. A longer one is
// divided, so that reading always continues.
const longestSequence = 32

// LastBreak returns the last offset in (low, at] where text may be cut without dividing a combining sequence or a CR
// LF, or at if there is none near.
func LastBreak(text []byte, low, at int) int {
	for cut, n := at, 0; cut > low && n < longestSequence; n++ {
		if breaks(text, cut) {
			return cut
		}
		cut = Backward(text, cut, 1)
	}
	return at
}

// FirstBreak returns the first such offset in [at, high).
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
	voicedMark  = '\uff9e' // halfwidth dakuten; the handakuten follows it
	firstMedial = '\u1160' // medial vowels and final consonants of decomposed Hangul
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

// longestWord is how far, in code points, a cut moves to avoid dividing a word, or a clause in a script without spaces.
// A longer one is divided.
const longestWord = 60

// FirstWord returns the first offset from at on, before high, where a text may begin, or at if there is none near.
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

// LastWord returns the last offset up to at, after low, where a text may end.
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

// parts reports whether a cut would divide a word or a clause in a script without spaces, or separate closing
// punctuation from what it closes.
func parts(text []byte, cut int) bool {
	before, _ := utf8.DecodeLastRune(text[:cut])
	after, _ := utf8.DecodeRune(text[cut:])
	if cut == 0 || cut == len(text) || before == '\n' {
		return false
	}
	return inWord(before) && inWord(after) || unicode.In(after, unicode.Pe, unicode.Pf, unicode.Po)
}

// inWord reports whether a character joins its neighbours into a word.
func inWord(r rune) bool {
	switch r {
	case '_', '-', '.', '\'', '’':
		return true
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}
