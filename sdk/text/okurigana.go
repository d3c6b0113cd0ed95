package text

import (
	"strings"
	"unicode/utf8"
)

// The kana that may be okurigana between two kanji of one word: the last kana ends the stem of a verb, and a kana
// before it is not a particle.
const (
	stemEnds  = "いきぎしじちりみびえけげせぜてれめべねっ"
	particles = "はがをにのもでへ"
	// Verbs in て that start compounds; after other kanji て joins clauses.
	stemsInTe = "立建捨育当宛充組仕"
)

// conjugated lists endings of verbs and adjectives that look like okurigana but do not join words.
var conjugated = []string{"され", "させ", "でき", "あり", "おり", "より", "なり", "しい", "ない", "だけ", "って", "して", "いて", "けて"}

// okurigana returns the length of the kana at s[i:] if they join the kanji before and after them into one word,
// as in 払い戻し and 打ち合わせ, else 0.
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
	case second == 'て': // 連れて宿泊, 改めて確認: joins clauses
		return 0
	}
	if next, _ := decode(s, i+size+more); !isKanji(next) || hasPrefix(s[i:], conjugated) {
		return 0
	}
	return size + more
}

// maybeOkurigana reports whether s[i:] may be kana after a kanji. It checks first bytes only.
func maybeOkurigana(s string, i int) bool {
	return i >= kanaSize && i < len(s) && s[i] == kanaByte && (s[i-kanaSize] != kanaByte || s[i-kanaSize:i] == "々")
}

// kanaByte is the first byte of every kana. The only kanji with it is 々.
const kanaByte = 0xE3

// endOfNoun returns the length of the kana at s[i:] if they may be okurigana at the end of a noun of several
// characters, as in 払戻し and 打合せ, else 0.
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

// followsNoun reports whether r may follow a noun. After okurigana of a verb, as in 支払われない, further
// kana of the verb follow.
func followsNoun(r rune) bool {
	return scriptOf(r) != Hiragana && !isKanji(r) || strings.ContainsRune("のをがはにへとでもやか", r)
}

func endsStem(r rune) bool { return strings.ContainsRune(stemEnds, r) }

// links returns 1 if the single kana at i, between kanji, is okurigana of a compound, else 0. The し of a verb
// made from a noun of several kanji is not okurigana.
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

// Skeleton returns the normalised text without optional okurigana in and after words of several kanji: 払戻 for 払い戻し,
// 払戻し and 払戻.
func Skeleton(norm string) string {
	return without(endOfNoun, without(okurigana, norm))
}

// without returns s without the kana after kanji whose length cut returns.
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
		for i += max(n, kanaSize); i < len(s) && s[i] == kanaByte && !maybeOkurigana(s, i); { // kana after kana
			i += kanaSize
		}
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}
