package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// extends returns the length of the first character of s if it belongs to the character before it
// (a combining mark, or a character that is dropped), else 0.
func extends(s string) int {
	if s == "" {
		return 0
	}
	switch b := s[0]; {
	case b < utf8.RuneSelf:
		if asciiForm[b] == 0 && !asciiSpace(b) {
			return 1
		}
		return 0
	case b >= 0xE4 && b <= 0xE9:
		return 0
	case b == 0xE3 && len(s) > 2 && !(s[1] == 0x82 && s[2] >= 0x99 && s[2] <= 0x9C) && s[1] != 0x80 && s[1] != 0x85:
		return 0
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 || !joinsBackward(r, s) {
		return 0
	}
	return size
}

// joinsBackward reports whether r, the first character of s, belongs to the character before it.
func joinsBackward(r rune, s string) bool {
	switch {
	case r >= 0xC0 && r < 0x300, r >= 0x3001 && r < 0x302A, r >= 0xFF01 && r < 0xFF9E:
		return false
	case r == 0x309B || r == 0x309C:
		return true
	}
	return dropped(r) || isMark(r) || !norm.NFKC.PropertiesString(s).BoundaryBefore()
}

// isMark reports whether r is a combining mark.
func isMark(r rune) bool { return r >= 0x300 && unicode.Is(unicode.M, r) }

// dropped reports whether the search form omits r: control, zero-width and other invisible
// characters.
func dropped(r rune) bool {
	switch {
	case r < 0xA0:
		return r < utf8.RuneSelf && asciiForm[r] == 0 && !asciiSpace(byte(r)) || r >= utf8.RuneSelf && r != 0x85
	case r < 0x300:
		return r == 0xAD
	case r >= 0x2010 && r < 0x2028, r >= 0x3000 && r < 0x3164, r >= 0x3400 && r < 0xFE00:
		return false
	}
	return unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// spacingMark replaces a spacing voicing mark by the combining one, and spacing accents used as
// quotes or tildes by quotes or tildes. Otherwise NFKC would turn them into a space with a mark.
func spacingMark(r rune) rune {
	switch r {
	case '\u309B':
		return '\u3099'
	case '\u309C':
		return '\u309A'
	case '\u00B4', '\u02DC':
		return classOf(r)
	}
	return r
}
