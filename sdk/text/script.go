package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the tokenizer's class of a character.
type kind uint8

const (
	kindOther kind = iota
	kindLetter
	kindDigit
	kindMark
	kindCJK
)

func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		b := byte(r)
		switch {
		case isLower(b) || isUpper(b):
			return kindLetter
		case isDigit(b):
			return kindDigit
		}
		return kindOther
	case IsCJK(r):
		return kindCJK
	case r == '、' || r == '。': // most other characters of Japanese
		return kindOther
	case unicode.IsLetter(r):
		return kindLetter
	case unicode.IsDigit(r):
		return kindDigit
	case isMark(r):
		return kindMark
	}
	return kindOther
}

// IsCJK reports whether r is a character of a script that is written without
// spaces and searched by single characters and pairs: Han with 々〆〇,
// hiragana, katakana with ー and ヶ, Hangul and Bopomofo.
func IsCJK(r rune) bool { return scriptOf(r) != 0 }

// HasCJK reports whether s has a character that satisfies [IsCJK]. A query with such a character
// counts as Japanese as a whole: Latin words in it are names.
func HasCJK(s string) bool { return strings.ContainsFunc(s, IsCJK) }

// IsHiragana reports whether s is not empty and all hiragana, which in Japanese is mostly grammar.
func IsHiragana(s string) bool {
	for _, r := range s {
		if r < 'ぁ' || r > 'ゟ' {
			return false
		}
	}
	return s != ""
}

// scriptOf returns the class of a CJK character, 0 for any other. The prolonged sound mark counts as Katakana.
func scriptOf(r rune) RunClass {
	switch {
	case r < 0x1100:
		return 0
	case r >= 0x4E00 && r <= 0x9FFF:
		return Han
	case r >= 0x3041 && r <= 0x3096 || r >= 0x309D && r <= 0x309F:
		return Hiragana
	case r >= 0x30A1 && r <= 0x30FF && r != '・' || r >= 0x31F0 && r <= 0x31FF:
		return Katakana
	case r >= 0x3005 && r <= 0x3007 || r >= 0x3021 && r <= 0x3029 || r >= 0x3105 && r <= 0x312F,
		r >= 0x3400 && r <= 0x4DBF, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
		return Han
	case r >= 0xAC00 && r <= 0xD7A3 || r <= 0x11FF || r >= 0x3131 && r <= 0x318E:
		return Hangul
	}
	return 0
}
