package text

import "strings"

const (
	longVowel = "ー"
	kanaSize  = 3 // bytes of every katakana
	// A long vowel at the end of a word is dropped if at least this many characters precede it.
	minStem = 3
)

// isKatakana reports whether s starts with a katakana or the prolonged sound mark.
func isKatakana[T string | []byte](s T) bool {
	return len(s) >= kanaSize && s[0] == 0xE3 &&
		(s[1] == 0x82 && s[2] >= 0xA1 || s[1] == 0x83 && s[2] <= 0xBE && s[2] != 0xBB)
}

// katakana folds the spelling of the katakana run around the cue at i: ヴァ becomes バ, ウェ becomes ウエ, イヤ becomes イア, and
// long vowels at the end are dropped.
func (p *pass) katakana(i int) {
	start, end := i, i
	for start >= kanaSize && isKatakana(p.s[start-kanaSize:]) {
		start -= kanaSize
	}
	for isKatakana(p.s[end:]) {
		end += kanaSize
	}
	p.done = end
	kept, count := end, 0 // start of the long vowels at the end, and the number of characters before it
	for kept > start && string(p.s[kept-kanaSize:kept]) == longVowel {
		kept -= kanaSize
	}
	for at := start; at < kept; at += kanaSize {
		count++
		if string(p.s[at:at+kanaSize]) != "ヴ" {
			if at > start {
				p.spelling(at)
			}
			continue
		}
		form, size := "ブ", kanaSize
		if at+2*kanaSize <= kept {
			if f := voiced[string(p.s[at+kanaSize:at+2*kanaSize])]; f != "" {
				form, size = f, 2*kanaSize
			}
		}
		p.replace(at, at+size, form)
		at += size - kanaSize
		count += len(form)/kanaSize - 1
	}
	if kept < end && count >= minStem {
		p.replace(kept, end, "")
	}
}

// spelling folds a vowel at i, after another katakana, that has two spellings in loanwords.
func (p *pass) spelling(i int) {
	kana := p.s[i : i+kanaSize]
	form := full[string(kana)]
	if form != "" && strings.Contains(before[string(kana)], string(p.s[i-kanaSize:i])) {
		p.replace(i, i+kanaSize, form)
	}
}

// full maps the vowels to fold to their forms. before lists the katakana after which each is folded.
var (
	full   = map[string]string{"ァ": "ア", "ィ": "イ", "ェ": "エ", "ォ": "オ", "ヤ": "ア"}
	before = map[string]string{"ァ": "クグ", "ィ": "ウクフ", "ェ": "ウクフイ", "ォ": "ウク", "ヤ": "イギ"}
)

// voiced maps the small vowel after ヴ to the form of both.
var voiced = map[string]string{"ァ": "バ", "ィ": "ビ", "ェ": "ベ", "ォ": "ボ", "ュ": "ビュ"}
