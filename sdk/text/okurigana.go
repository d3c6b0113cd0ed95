package text

import (
	"strings"
	"unicode/utf8"
)

// What okurigana between two kanji of one word may be: the last kana ends the stem of a verb, and one before it is
// no particle.
const (
	stemEnds  = "いきぎしじちりみびえけげせぜてれめべねっ"
	particles = "はがをにのもでへ"
	// Verbs in て that start compounds; behind other kanji it joins clauses.
	stemsInTe = "立建捨育当宛充組仕"
)

// conjugated are endings of verbs and adjectives that join no words, though they look like okurigana.
var conjugated = []string{"され", "させ", "でき", "あり", "おり", "より", "なり", "しい", "だけ", "って", "して", "いて", "けて"}

// okurigana returns the length of the kana at s[i:] that link the kanji before them with the one behind them into
// one word, as in 払い戻し and 打ち合わせ, else 0.
func okurigana(s string, i int) int {
	if !maybeOkurigana(s, i) {
		return 0
	}
	kanji, _ := utf8.DecodeLastRuneInString(s[:i])
	first, size := decode(s, i)
	if !isKanji(kanji) || scriptOf(first) != Hiragana {
		return 0
	}
	second, more := decode(s, i+size)
	switch {
	case isKanji(second):
		return links(s, i, kanji, first) * size
	case scriptOf(second) != Hiragana || !endsStem(second) || strings.ContainsRune(particles, first):
		return 0
	}
	if next, _ := decode(s, i+size+more); !isKanji(next) || hasPrefix(s[i:], conjugated) {
		return 0
	}
	return size + more
}

// maybeOkurigana rules out by first bytes most of what is no kana behind a kanji.
func maybeOkurigana(s string, i int) bool {
	return i >= kanaSize && i < len(s) && s[i] == kanaByte && (s[i-kanaSize] != kanaByte || s[i-kanaSize:i] == "々")
}

// kanaByte is the first byte of kana, and of no kanji but 々.
const kanaByte = 0xE3

// endOfNoun returns the length of the kana at s[i:] that may be okurigana at the end of a noun of several characters,
// as in 払戻し and 打合せ, else 0.
func endOfNoun(s string, i int) int {
	last, size := utf8.DecodeLastRuneInString(s[:i])
	before, _ := utf8.DecodeLastRuneInString(s[:i-size])
	if !isKanji(last) || !isKanji(before) {
		return 0
	}
	first, size := decode(s, i)
	second, more := decode(s, i+size)
	third, _ := decode(s, i+size+more)
	switch {
	case endsStem(first) && followsNoun(second):
		return size
	case scriptOf(first) != Hiragana || strings.ContainsRune(particles, first):
		return 0
	case endsStem(second) && followsNoun(third):
		return size + more
	}
	return 0
}

// followsNoun reports whether r may follow a noun: the kana of 支払われない go on as a verb's.
func followsNoun(r rune) bool {
	return scriptOf(r) != Hiragana && !isKanji(r) || strings.ContainsRune("のをがはにへとでもやか", r)
}

func endsStem(r rune) bool { return strings.ContainsRune(stemEnds, r) }

// links is 1 if one kana at i, which stands between kanji, is okurigana of a compound: the し of a verb made of
// a noun of several kanji is none.
func links(s string, i int, before, kana rune) int {
	switch kana {
	case 'て':
		if !strings.ContainsRune(stemsInTe, before) {
			return 0
		}
	case 'し':
		if earlier, _ := utf8.DecodeLastRuneInString(s[:i-utf8.RuneLen(before)]); isKanji(earlier) {
			return 0
		}
	}
	if endsStem(kana) {
		return 1
	}
	return 0
}

func isKanji(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF || r == '々' }

// Skeleton returns the normalised text without okurigana in and behind words of several kanji, which writers keep or
// leave out: 払戻 for 払い戻し and 払戻し, and for itself.
func Skeleton(norm string) string {
	return without(endOfNoun, without(okurigana, norm))
}

// without is s without the kana behind kanji of which cut returns the length.
func without(cut func(s string, i int) int, s string) string {
	var b strings.Builder
	from := 0
	for i := kanaSize; i < len(s); {
		next := strings.IndexByte(s[i:], kanaByte)
		if next < 0 {
			break
		}
		i += next
		n := 0
		if maybeOkurigana(s, i) {
			n = cut(s, i)
		}
		if n > 0 {
			if from == 0 {
				b.Grow(len(s))
			}
			b.WriteString(s[from:i])
			from = i + n
		}
		for i += max(n, kanaSize); i < len(s) && s[i] == kanaByte && !maybeOkurigana(s, i); { // kana behind kana
			i += kanaSize
		}
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}
