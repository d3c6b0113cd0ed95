package translation

import (
	"strings"
	"unicode/utf8"
)

// ends maps the kana after the stem of an inflected word to the kana of its dictionary form.
var ends = map[rune]string{
	'い': "う", 'き': "く", 'し': "す", 'ち': "つ", 'に': "ぬ", 'び': "ぶ", 'み': "む", 'り': "る", 'ぎ': "ぐ",
	'わ': "う", 'か': "く", 'さ': "す", 'た': "つ", 'な': "ぬ", 'ば': "ぶ", 'ま': "む", 'ら': "る", 'が': "ぐ",
	'え': "う", 'け': "く", 'せ': "す", 'て': "つ", 'ね': "ぬ", 'べ': "ぶ", 'め': "む", 'れ': "る", 'げ': "ぐ",
	'お': "う", 'こ': "く", 'そ': "す", 'と': "つ", 'の': "ぬ", 'ぼ': "ぶ", 'も': "む", 'ろ': "る", 'ご': "ぐ",
	'っ': "つるう", 'ん': "むぶぬ", 'く': "い",
}

// bases returns the forms under which a dictionary may list the beginning of an inflected word. more reports whether
// hiragana follow it.
func bases(word string, more bool) (out []string) {
	last, size := utf8.DecodeLastRuneInString(word)
	if stem := word[:len(word)-size]; stem != "" {
		for _, r := range ends[last] {
			out = append(out, stem+string(r))
		}
	}
	if more && last != 'る' && !isKatakana(last) {
		out = append(out, word+"る")
	}
	if more && isHan(last) {
		out = append(out, word+"い")
	}
	return out
}

// inflected are the kana that may replace the last kana of a word.
var inflected = map[rune]string{
	'う': "ういわっえ", 'く': "くきかいけ", 'ぐ': "ぐぎがいげ", 'す': "すしさせ", 'つ': "つちたって", 'ぬ': "ぬになん",
	'ぶ': "ぶびばんべ", 'む': "むみまんめ", 'る': "るりらっれ", 'い': "いくか",
}

// forms returns the inflected forms of a dictionary word, each up to the point where other kana may follow.
func forms(word string) []string {
	last, size := utf8.DecodeLastRuneInString(word)
	stem := word[:len(word)-size]
	before, _ := utf8.DecodeLastRuneInString(stem)
	switch {
	case inflected[last] == "" || strings.IndexFunc(stem, isHan) < 0:
		return []string{word}
	case last == 'る' && isHiragana(before): // 食べる, 始まる
		return []string{word, stem}
	}
	var out []string
	for _, r := range inflected[last] {
		out = append(out, stem+string(r))
	}
	return out
}
