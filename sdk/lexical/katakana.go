package lexical

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

const (
	leastMorae = 3  // minimum number of morae that a word shares with a word of the text
	oneWord    = 7  // maximum number of morae of a single word; a longer one is a compound
	mostMorae  = 24 // maximum number of morae of a word that is searched
	oneTypo    = 5  // minimum number of characters of a word that may have a typo
	twoTypos   = 8  // minimum number of characters for two typos
)

// isKatakanaWord reports whether a normalised query is one katakana word of a usual length.
func isKatakanaWord(norm string) bool {
	n := 0
	for r := range text.Runs(&text.Text{Norm: norm}) {
		if r.Class != text.Katakana || r.Start != 0 || r.End != len(norm) {
			return false
		}
		n = len(moraeOf(norm))
	}
	return n >= leastMorae && n <= mostMorae
}

// sharesWord reports whether a section has a katakana word, a word with the same start, or a word that is its start or
// end, as ボタン is of リセットボタン.
func sharesWord(snap *snapshot.Snapshot, word string) bool {
	ends := moraeOf(word)
	n := len(ends)
	if somewhere(snap, word, contains) || sharesStart(snap, word, ends) {
		return true
	}
	for i := leastMorae; i < n; i++ {
		if somewhere(snap, word[:ends[i-1]], isWholeWord) || somewhere(snap, word[ends[n-i-1]:], isWholeWord) {
			return true
		}
	}
	return sharesTypo(snap, word)
}

// sharesTypo reports whether a section has a katakana word with a typo, or with two in a long one.
func sharesTypo(snap *snapshot.Snapshot, word string) bool {
	letters, most := []rune(word), 1
	switch n := len(letters); {
	case n < oneTypo:
		return false
	case n >= twoTypos:
		most = 2
	}
	similar := func(norm, _ string) bool {
		for r := range text.Runs(&text.Text{Norm: norm}) {
			if r.Class == text.Katakana && fewestEdits([]rune(norm[r.Start:r.End]), letters) <= most {
				return true
			}
		}
		return false
	}
	for i := 0; i+leastKatakana <= len(letters); i++ {
		if somewhere(snap, string(letters[i:i+leastKatakana]), similar) {
			return true
		}
	}
	return false
}

// fewestEdits returns the minimum number of edits that turn a part of a text into a word.
func fewestEdits(text, word []rune) int {
	row := make([]int, len(word)+1)
	for i := range row {
		row[i] = i
	}
	fewest := len(word)
	for _, r := range text {
		diagonal := row[0]
		for i, w := range word {
			changed := diagonal
			if r != w {
				changed++
			}
			diagonal, row[i+1] = row[i+1], min(row[i]+1, row[i+1]+1, changed)
		}
		fewest = min(fewest, row[len(word)])
	}
	return fewest
}

// sharesStart reports whether a word of a section starts like a katakana word, prolonged or not. Only a long start may
// be inside a compound.
func sharesStart(snap *snapshot.Snapshot, word string, ends []int) bool {
	n, shared := len(ends), leastMorae
	if n <= oneWord {
		shared = max(shared, n/2+1)
	}
	if shared < n && strings.HasSuffix(word[:ends[shared-1]], "ー") {
		shared++ // ストーブ is not like ストーリー
	}
	start := unprolonged(word[:ends[shared-1]])
	return somewhere(snap, word[:ends[leastMorae-1]], func(norm, first string) bool {
		return places(norm, first, func(before, after string) bool {
			inCompound := endsInKatakana(before)
			after = after[:min(len(after), 2*len(word))]
			return (!inCompound || shared > leastMorae) && strings.HasPrefix(unprolonged(first+after), start)
		})
	})
}

func unprolonged(s string) string { return strings.ReplaceAll(s, "ー", "") }

// moraeOf returns the offsets at which the morae of a katakana word end. A small kana belongs to the one before it.
func moraeOf(word string) (ends []int) {
	for i, r := range word {
		if end := i + utf8.RuneLen(r); len(ends) > 0 && strings.ContainsRune("ァィゥェォャュョヮ", r) {
			ends[len(ends)-1] = end
		} else {
			ends = append(ends, end)
		}
	}
	return ends
}

// isWholeWord reports whether s is a katakana word of a normalised text.
func isWholeWord(norm, s string) bool {
	return places(norm, s, func(before, after string) bool {
		r, _ := utf8.DecodeRuneInString(after)
		return !endsInKatakana(before) && !isKatakana(r)
	})
}

// places reports whether s occurs in norm between texts that pass.
func places(norm, s string, pass func(before, after string) bool) bool {
	for from := 0; ; {
		at := strings.Index(norm[from:], s)
		if at < 0 {
			return false
		}
		at += from
		if pass(norm[:at], norm[at+len(s):]) {
			return true
		}
		_, size := utf8.DecodeRuneInString(norm[at:])
		from = at + size
	}
}

func endsInKatakana(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return isKatakana(r)
}

func isKatakana(r rune) bool { return r >= 'ァ' && r <= 'ヺ' || r == 'ー' }
