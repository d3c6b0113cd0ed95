package search

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// contentWords cuts a normalised query into its content words: runs of kanji,
// of katakana and of Latin letters and digits. Hiragana is grammar, except
// where it joins two kanji of one word (払い戻し), or where nothing else is there.
func contentWords(norm string) []string {
	t := text.Normalize(norm)
	var out, kana []string
	var runs []text.Run
	for r := range text.Runs(&t) {
		runs = append(runs, r)
	}
	word := func(r text.Run) string { return t.Norm[r.Start:r.End] }
	for i := 0; i < len(runs); i++ {
		r := runs[i]
		switch r.Class {
		case text.Hiragana:
			if len([]rune(word(r))) >= 3 {
				kana = append(kana, word(r))
			}
		case text.Han:
			end := i
			for end+2 < len(runs) && joins(word(runs[end]), word(runs[end+1])) && runs[end+2].Class == text.Han &&
				runs[end].End == runs[end+1].Start && runs[end+1].End == runs[end+2].Start {
				end += 2
			}
			out = append(out, t.Norm[r.Start:runs[end].End])
			i = end
		default:
			if !text.EnglishStop(word(r)) {
				out = append(out, word(r))
			}
		}
	}
	if len(out) == 0 {
		return kana
	}
	return out
}

// okurigana are endings that link two kanji into one word.
const okurigana = "いきしちみりぎびえけせれげべめ"

// joins reports whether a single kanji and the hiragana after it go on in the
// next kanji as one word.
func joins(han, kana string) bool {
	return len([]rune(han)) == 1 && len([]rune(kana)) == 1 && strings.Contains(okurigana, kana)
}
