package dict

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Index is the first byte at which term stands in norm as a word (see
// [Stands]), or -1; both are normalised.
func Index(norm, term string) int { return indexFrom(norm, term, 0) }

// indexFrom looks from a byte on.
func indexFrom(norm, term string, from int) int {
	for from <= len(norm) && term != "" {
		i := strings.Index(norm[from:], term)
		if i < 0 {
			break
		}
		at := from + i
		if Stands(norm, at, at+len(term)) {
			return at
		}
		_, size := utf8.DecodeRuneInString(norm[at:])
		from = at + size
	}
	return -1
}

// Stands reports whether norm[start:end], whole characters, is a word there.
// Where it starts and ends, a word of an alphabet or of katakana must not go on
// (not ログ in プログラム, not cat in category), nor may a single kanji have kanji
// beside it (not 例 in 例外). Longer runs of kanji are found within others, as
// compounds are written in one piece.
func Stands(norm string, start, end int) bool {
	single := utf8.RuneCountInString(norm[start:end]) == 1
	return edge(norm, start, single) && edge(norm, end, single)
}

// edge reports whether a term may start or end at a byte.
func edge(s string, at int, single bool) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	switch {
	case alphabetic(before) && alphabetic(after), katakana(before) && katakana(after):
		return false
	case single:
		return !unicode.Is(unicode.Han, before) || !unicode.Is(unicode.Han, after)
	}
	return true
}

func alphabetic(r rune) bool { return significant(r) && !text.IsCJK(r) }

func katakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
