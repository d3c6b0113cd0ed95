package judge

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// affixes are kanji that bend a word without a meaning that a text must repeat:
// 館内, 乾燥機, 未開封.
const affixes = "数率名頃的化性者式等内外中前後間時用書金機器製品料費券類型版側上下先元側所場人員部別付済未不非無再新旧各全毎当同両主副総最一二三何第約"

// compoundGap is how many bytes of hiragana a text may put between the parts of a
// compound: 来客用の駐車場.
const compoundGap = 3 * kanjiBytes

// mostLetters is how many letters of a word are looked for in parts: no word has as many.
const mostLetters = 64

// covers reports whether a text holds a Japanese word: whole, with hiragana between
// its parts, or the greater part of it piece by piece. A compound of katakana is
// also named by its head alone.
func (w *whole) covers(word string) bool {
	if strings.Contains(w.norm, word) {
		return true
	}
	letters := slices.DeleteFunc([]rune(word), func(c rune) bool { return scriptOf(c) == hiragana })
	letters = letters[:min(len(letters), mostLetters)]
	if len(letters) == 0 {
		return false
	}
	if scriptOf(letters[0]) == katakana {
		return w.holdsHead(letters)
	}
	telling, held, first := 0, 0, 0
	for i := 0; i < len(letters); {
		n := w.longest(letters[i:])
		if i == 0 {
			first = n
		}
		for _, c := range letters[i : i+max(1, n)] {
			if n > 1 || !strings.ContainsRune(affixes, c) {
				telling++
			}
		}
		if n > 1 {
			held += n
		}
		i += max(1, n)
	}
	if telling == 1 && held == 0 {
		return strings.HasSuffix(word, "内") || // here, wherever that is: 館内
			slices.ContainsFunc(letters, func(c rune) bool { return !strings.ContainsRune(affixes, c) && strings.ContainsRune(w.norm, c) })
	}
	// What a compound ends in says of which kind a thing is; where a text has only
	// that, it speaks of another one.
	return held*2 > telling || held*2 == telling && first > 0
}

// longest is how many letters from the first on a text holds together, 0 for less than
// two. A common word need not be there.
func (w *whole) longest(letters []rune) int {
	most := w.together(letters)
	for n := min(len(letters), longestCommon()); n > most; n-- {
		if commonWords[string(letters[:n])] {
			most = n
		}
	}
	if most < 2 {
		return 0
	}
	return most
}

// longestCommon is how many letters the longest of commonWords has.
var longestCommon = sync.OnceValue(func() int {
	most := 0
	for word := range commonWords {
		most = max(most, utf8.RuneCountInString(word))
	}
	return most
})

// together is how many of the letters, from the first on, a text has one after the other
// with no more than hiragana between them.
func (w *whole) together(letters []rune) int {
	most := 0
	for i := range occurrences(w.norm, string(letters[:1])) {
		if most = max(most, inOrder(w.norm[i:], letters)); most == len(letters) {
			break
		}
	}
	return most
}

// inOrder is how many of the letters s begins with, hiragana between them aside.
func inOrder(s string, letters []rune) int {
	for n, c := range letters {
		gap := 0
		for {
			r, size := utf8.DecodeRuneInString(s)
			s = s[size:]
			if r == c {
				break
			}
			if gap += size; size == 0 || gap > compoundGap || scriptOf(r) != hiragana {
				return n
			}
		}
	}
	return len(letters)
}

// Letters that the head of a katakana compound has at least.
const shortestHead = 3

// holdsHead reports whether a text has the end of a katakana compound as a word of
// its own, or half of it as its beginning.
func (w *whole) holdsHead(letters []rune) bool {
	for n := len(letters) - 1; n >= shortestHead; n-- {
		head, start := string(letters[len(letters)-n:]), string(letters[:n])
		if w.alone(head) || 2*n >= len(letters) && strings.Contains(w.norm, start) {
			return true
		}
	}
	return false
}

// alone reports whether a text has a run of katakana as a whole word.
func (w *whole) alone(word string) bool {
	for from := 0; ; {
		i := strings.Index(w.norm[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(w.norm[:start])
		after, _ := utf8.DecodeRuneInString(w.norm[end:])
		if scriptOf(before) != katakana && scriptOf(after) != katakana {
			return true
		}
		from = end
	}
}
