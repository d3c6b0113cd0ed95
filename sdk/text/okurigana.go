package text

import (
	"strings"
	"unicode/utf8"
)

// Kana that may be okurigana between two kanji of one word. The last kana must end the stem of a verb, and a kana
// before it must not be a particle.
var (
	stemEnds     = kanaOf("いきぎしじちりみびえけげせぜてれめべねっ")
	particles    = kanaOf("はがをにのもでへ")
	followsNouns = kanaOf("のをがはにへとでもやか")
)

// stemsInTe are verbs in て that start compounds; after other kanji て joins clauses.
const stemsInTe = "立建捨育当宛充組仕"

// kanaSet is a set of hiragana.
type kanaSet [2]uint64

func kanaOf(s string) (k kanaSet) {
	for _, r := range s {
		k[(r-'ぁ')/64] |= 1 << ((r - 'ぁ') % 64)
	}
	return k
}

func (k *kanaSet) has(r rune) bool {
	n := uint32(r - 'ぁ')
	return n < 128 && k[n/64]>>(n%64)&1 != 0
}

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
		if links(s, i, kanji, first) {
			return size
		}
		return 0
	case !stemEnds.has(second) || second == 'て': // 連れて宿泊, 改めて確認: joins clauses
		return 0
	}
	if next, _ := decode(s, i+size+more); !isKanji(next) || hasPrefix(s[i:], conjugated) {
		return 0
	}
	return size + more
}

// maybeOkurigana reports whether s[i:] may be kana after a kanji, and not a particle. It is fast, and checks first
// bytes only.
func maybeOkurigana(s string, i int) bool {
	return i >= kanaSize && i+kanaSize <= len(s) && s[i] == kanaByte &&
		(s[i-kanaSize] != kanaByte || s[i-kanaSize:i] == "々") &&
		!particles.has(0x3000|rune(s[i+1]&0x3F)<<6|rune(s[i+2]&0x3F))
}

// kanaByte is the first byte of every kana. The only kanji with it is 々.
const kanaByte = 0xE3

// endOfNoun returns the length of the kana at s[i:], which maybeOkurigana accepts, if they may be okurigana at the end
// of a noun of several characters, as in 払戻し and 払い戻し, else 0. joined is where the text continues after okurigana
// between two kanji, or 0.
func endOfNoun(s string, i, joined int) int {
	last, size := utf8.DecodeLastRuneInString(s[:i])
	before, _ := utf8.DecodeLastRuneInString(s[:i-size])
	if !isKanji(last) || !isKanji(before) && (joined == 0 || i-size != joined) {
		return 0
	}
	first, size := decode(s, i)
	second, more := decode(s, i+size)
	third, _ := decode(s, i+size+more)
	switch {
	case stemEnds.has(first) && followsNoun(second):
		return size
	case scriptOf(first) == Hiragana && stemEnds.has(second) && followsNoun(third):
		return size + more
	}
	return 0
}

// followsNoun reports whether r may follow a noun. After okurigana of a verb, as in 支払われない, other kana of the verb
// follow.
func followsNoun(r rune) bool {
	return scriptOf(r) != Hiragana && !isKanji(r) || followsNouns.has(r)
}

// links reports whether the single kana at i, between kanji, is okurigana of a compound. The し of a verb made from a
// noun of several kanji is not okurigana.
func links(s string, i int, before, kana rune) bool {
	switch kana {
	case 'て':
		return strings.ContainsRune(stemsInTe, before)
	case 'し':
		earlier, _ := utf8.DecodeLastRuneInString(s[:i-utf8.RuneLen(before)])
		return !isKanji(earlier)
	}
	return stemEnds.has(kana)
}

func isKanji(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF || r == '々' }

// Skeleton returns the normalised text without optional okurigana in and after words of several kanji: 払戻 for 払い戻し,
// 払戻し and 払戻.
func Skeleton(norm string) string {
	var b strings.Builder
	from := 0
	for i := kanaSize; i < len(norm); {
		next := strings.IndexByte(norm[i:], kanaByte)
		if next < 0 {
			break
		}
		i += next
		n := 0
		if maybeOkurigana(norm, i) {
			if n = okurigana(norm, i); n == 0 {
				n = endOfNoun(norm, i, from)
			}
		}
		if n > 0 {
			if from == 0 {
				b.Grow(len(norm))
			}
			b.WriteString(norm[from:i])
			from = i + n
		}
		i += max(n, kanaSize)
		for i < len(norm) && norm[i] == kanaByte && !maybeOkurigana(norm, i) { // kana after kana
			i += kanaSize
		}
	}
	if from == 0 {
		return norm
	}
	b.WriteString(norm[from:])
	return b.String()
}
