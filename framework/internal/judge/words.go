package judge

import (
	"strings"
	"unicode/utf8"
)

// word is a content word of a sentence.
type word struct {
	id         int32 // of its stem, the same in every text of one judgement
	start, end int   // in the sentence's normalised text
	light      bool  // says too little to tell two subjects apart
	grammar    bool  // light, and no part of a subject at all
	plain      bool  // tells no subject apart, see plainWords
}

// words appends the content words of a normalised text: English words that are
// no stop words, runs of katakana, and compounds of kanji cut into pairs, since
// most kanji words are pairs (受付期間 is 受付 and 期間, 手数料 is 手数 and 料).
func (x *lexicon) words(out []word, norm string) []word {
	for i := 0; i < len(norm); {
		c := norm[i]
		if c < utf8.RuneSelf {
			if !isAlnum(c) {
				i++
				continue
			}
			end := latinEnd(norm, i)
			if e := x.entry(norm[i:end]); !e.stop && end-i < 64 {
				out = append(out, word{e.id, i, end, e.light, e.grammar, e.plain})
			}
			i = end
			continue
		}
		r, size := utf8.DecodeRuneInString(norm[i:])
		switch class := scriptOf(r); class {
		case han:
			end := runEnd(norm, i, class)
			if whole := verbalNoun(norm, i, end); whole > 0 {
				out = x.append(out, norm, i, whole)
				i = whole
				continue
			}
			out = x.kanji(out, norm, i, end)
			i = end
		case katakana:
			end := runEnd(norm, i, class)
			if end-i > size {
				out = x.append(out, norm, i, end)
			}
			i = end
		default:
			i += size
		}
	}
	return out
}

func (x *lexicon) append(out []word, norm string, start, end int) []word {
	e := x.entry(norm[start:end])
	return append(out, word{e.id, start, end, e.light, e.grammar, e.plain})
}

// kanjiBytes is the length of nearly every kanji in UTF-8.
const kanjiBytes = 3

// kanji cuts a run of kanji. A prefix that turns the word round (未開封) stays with
// it; a lone kanji with an inflection behind it is light.
func (x *lexicon) kanji(out []word, norm string, start, end int) []word {
	n := (end - start) / kanjiBytes
	if n == 1 {
		e := x.entry(norm[start:end])
		return append(out, word{e.id, start, end, e.light || !noun(norm[end:]), e.grammar, e.plain || !noun(norm[end:])})
	}
	i := start
	switch first := norm[start : start+kanjiBytes]; {
	case n > 2 && strings.Contains("全各本当同約計毎", first), n%2 == 1 && first == "後":
		i = start + kanjiBytes
	case n%2 == 1 && strings.Contains("未不非無再旧新前翌", first):
		i = start + 3*kanjiBytes
		out = x.append(out, norm, start, i)
	}
	for ; i < end; i += 2 * kanjiBytes {
		out = x.append(out, norm, i, min(i+2*kanjiBytes, end))
	}
	return out
}

// noun reports whether a lone kanji before rest is a word and no stem of a verb.
func noun(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || scriptOf(r) != hiragana || strings.ContainsRune("はがをにのでともへや", r)
}

type script uint8

const (
	other script = iota
	han
	hiragana
	katakana
)

func scriptOf(r rune) script {
	switch {
	case r >= 0x4E00 && r <= 0x9FFF, r == '々', r == '〆':
		return han
	case r >= 0x3041 && r <= 0x309F:
		return hiragana
	case r >= 0x30A1 && r <= 0x30FF && r != '・':
		return katakana
	}
	return other
}

func runEnd(s string, i int, class script) int {
	for i < len(s) {
		r, size := utf8.DecodeRuneInString(s[i:])
		if scriptOf(r) != class {
			break
		}
		i += size
	}
	return i
}

// latinEnd is where the ASCII word at i ends; marks inside a code or a number belong to it.
func latinEnd(s string, i int) int {
	for i < len(s) && (isAlnum(s[i]) || i > 0 && i+1 < len(s) && strings.IndexByte("-_'.,", s[i]) >= 0 && isAlnum(s[i+1]) && isAlnum(s[i-1])) {
		i++
	}
	return i
}

func isAlnum(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// verbalNoun is the end of a noun of two verbs such as 申し込み, written with the
// syllable between its kanji, if senses knows it; else 0.
func verbalNoun(norm string, i, end int) int {
	if end-i != kanjiBytes || len(norm) < end+2*kanjiBytes {
		return 0
	}
	whole := end + 2*kanjiBytes
	if _, ok := sensed()[norm[i:whole]]; ok {
		return whole
	}
	return 0
}
