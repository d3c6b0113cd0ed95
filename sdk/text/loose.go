package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSeparator reports whether the loose form drops r. It drops spaces, hyphens, middle dots,
// slashes, underscores, tildes, brackets, quotes and punctuation, but keeps symbols with a meaning,
// such as + # % & $ @ * = < >.
func IsSeparator(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r <= ' ' || strings.IndexByte("!\"'(),-./:;?[\\]_`{|}~", byte(r)) >= 0
	case r >= 0x3041 && r <= 0x30FA, r >= 0x3400 && r <= 0x9FFF:
		return false
	}
	return unicode.IsPunct(r) || unicode.IsSpace(r)
}

// Loose returns the normalised text without separators.
func Loose(norm string) string {
	var b strings.Builder
	b.Grow(len(norm))
	for rest := norm; rest != ""; {
		n := strings.IndexFunc(rest, IsSeparator)
		if n < 0 {
			if len(rest) == len(norm) {
				return norm
			}
			n = len(rest)
		}
		b.WriteString(rest[:n])
		rest = strings.TrimLeftFunc(rest[n:], IsSeparator)
	}
	return b.String()
}

// IndexLoose finds needle, which is in loose form, in the normalised text norm, ignoring separators
// in norm. It returns the byte range of the first occurrence in norm, from needle's first character
// to its last, or -1, -1. An empty needle is not found. norm may lack a long vowel of needle where
// Normalize drops it: サーバークライアント finds サーバ・クライアント. norm may have okurigana between kanji that
// needle lacks: 払戻 finds 払い戻し.
func IndexLoose(norm, needle string) (start, end int) {
	_, size := utf8.DecodeRuneInString(needle)
	first := needle[:size]
	for from := 0; size > 0; {
		i := strings.Index(norm[from:], first)
		if i < 0 {
			break
		}
		start, from = from+i, from+i+size
		if end := looseMatch(norm, from, needle[size:]); end >= 0 {
			return start, end
		}
	}
	return -1, -1
}

// looseMatch returns the end of needle in norm if norm has it at offset at, ignoring separators, or -1.
func looseMatch(norm string, at int, needle string) int {
	for needle != "" {
		r, size := utf8.DecodeRuneInString(norm[at:])
		switch {
		case size == 0:
			return -1
		case strings.HasPrefix(needle, norm[at:at+size]):
			needle = needle[size:]
		case !IsSeparator(r):
			n := okurigana(norm, at)
			if n == 0 || !strings.HasPrefix(needle, norm[at+n:at+n+kanaSize]) {
				return -1
			}
			size = n
		case strings.HasPrefix(needle, longVowel) && lacksLongVowel(norm, at):
			needle, size = needle[len(longVowel):], 0
		}
		at += size
	}
	return at
}

// lacksLongVowel reports whether Normalize may have dropped a long vowel before
// the separator at i.
func lacksLongVowel(norm string, i int) bool {
	start := i - minStem*kanaSize
	if start < 0 || strings.HasPrefix(strings.TrimLeftFunc(norm[i:], IsSeparator), longVowel) {
		return false
	}
	for ; start < i; start += kanaSize {
		if !isKatakana(norm[start:]) {
			return false
		}
	}
	return true
}
