package loanword

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Sound is the approximate sound of a word, precise enough to distinguish a Japanese loanword from others. Key has the
// classes of its consonants, after a V if it starts with a vowel, and Vowels has its vowels. リード and "lead" are both
// "rd" with the vowel i.
type Sound struct{ Key, Vowels string }

// Alike returns the similarity of the vowels of two words with the same key, in [0, 1]: the share that does not change
// between them. A long key is enough by itself.
func (s Sound) Alike(other Sound) float64 {
	if len(s.Key) >= 4 {
		return 1
	}
	return s.Near(other)
}

// Near is like Alike, but ignores the length of the key.
func (s Sound) Near(other Sound) float64 {
	longest := max(len(s.Vowels), len(other.Vowels))
	if longest == 0 {
		return 1
	}
	return 1 - float64(edits(s.Vowels, other.Vowels))/float64(longest)
}

// edits returns the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

// kana maps katakana to their sounds: a class of consonants, if any, and a vowel.
var kana = kanaTable(`ア a イ i ウ u エ e オ o カ ka キ ki ク ku ケ ke コ ko ガ ga ギ gi グ gu ゲ ge ゴ go
	サ sa シ si ス su セ se ソ so ザ sa ジ si ズ su ゼ se ゾ so タ ta チ ti ツ tu テ te ト to ダ da ヂ si ヅ su デ de ド do
	ナ na ニ ni ヌ nu ネ ne ノ no ハ ha ヒ hi フ fu ヘ he ホ ho バ ba ビ bi ブ bu ベ be ボ bo パ pa ピ pi プ pu ペ pe ポ po
	マ ma ミ mi ム mu メ me モ mo ヤ a ユ u ヨ o ラ ra リ ri ル ru レ re ロ ro ワ wa ヲ o ン n ヴ bu`)

func kanaTable(list string) map[rune]string {
	all, words := map[rune]string{}, strings.Fields(list)
	for i := 0; i < len(words); i += 2 {
		all[[]rune(words[i])[0]] = words[i+1]
	}
	return all
}

// small maps a small kana to the vowel with which it replaces the preceding one.
var small = map[rune]byte{'ァ': 'a', 'ィ': 'i', 'ゥ': 'u', 'ェ': 'e', 'ォ': 'o', 'ャ': 'a', 'ュ': 'u', 'ョ': 'o'}

// OfKana returns the sound of katakana. The key is "" if the word contains anything else.
func OfKana(word string) Sound {
	var letters []byte
	spoken := false // whether the last vowel is spoken, so far
	for _, r := range word {
		switch said, vowel := kana[r], small[r]; {
		case said != "":
			letters = append(letters, said...)
		case vowel != 0 && len(letters) > 0 && voiced(letters[len(letters)-1]):
			if r := letters; r[len(r)-1] == 'u' && (len(r) == 1 || voiced(r[len(r)-2])) {
				r[len(r)-1], letters = 'w', append(r, 0)
			}
			letters[len(letters)-1] = vowel
		case r != 'ー' && r != 'ッ':
			return Sound{}
		}
		// The search form drops the ー of タクシー; a loanword that ends in シ had one.
		spoken = r == 'ー' || r == 'シ' || r == 'ィ'
	}
	return soundOf(letters, func(letters []byte, i int) bool {
		return silentKana(letters, i) && !(spoken && i+1 == len(letters))
	})
}

// silentKana reports whether a vowel between consonants or at the end only helps to pronounce a consonant: u, o after t
// and d, and at the end i after t, s and k.
func silentKana(letters []byte, i int) bool {
	if i == 0 || voiced(letters[i-1]) || i+1 < len(letters) && voiced(letters[i+1]) {
		return false
	}
	return letters[i] == 'u' || letters[i] == 'o' && (letters[i-1] == 't' || letters[i-1] == 'd') ||
		letters[i] == 'i' && i+1 == len(letters) && (letters[i-1] == 't' || letters[i-1] == 's' || letters[i-1] == 'k')
}

func voiced(c byte) bool { return strings.IndexByte("aiueo", c) >= 0 }

// soundOf combines letters of the classes bdfghkmnprstw and vowels into a sound.
func soundOf(letters []byte, silent func([]byte, int) bool) Sound {
	var key, vowels strings.Builder
	if len(letters) > 0 && voiced(letters[0]) {
		key.WriteByte('V')
	}
	for i, c := range letters {
		switch {
		case !voiced(c) && c == 'm' && i+1 < len(letters) && (letters[i+1] == 'p' || letters[i+1] == 'b'):
			key.WriteByte('n')
		case !voiced(c):
			key.WriteByte(c)
		case !silent(letters, i):
			vowels.WriteByte(c)
		}
	}
	return Sound{key.String(), vowels.String()}
}

// spelt replaces English spellings by sounds, longer ones before their parts.
var spelt = strings.NewReplacer(
	"ation", "eson", "tion", "son", "sion", "son", "ture", "ta", "tch", "t", "dge", "s", "sch", "sk",
	"ough", "o", "igh", "ai", "cc", "k", "ck", "k", "ch", "t", "sh", "s", "ph", "f", "th", "s", "wh", "h", "wr", "r",
	"kn", "n", "gh", "g", "qu", "k", "ce", "se", "ci", "si", "cy", "si", "ge", "se", "gy", "si",
	"bb", "b", "dd", "d", "ff", "f", "gg", "g", "ll", "l", "mm", "m", "nn", "n", "pp", "p", "ss", "s",
	"tt", "t", "zz", "s",
	"ee", "i", "ea", "i", "oo", "u", "ou", "au", "ow", "au", "aw", "o", "ai", "e", "ay", "e", "oa", "o", "ew", "u",
	"ey", "i", "ie", "i", "c", "k", "j", "s", "q", "k", "v", "b", "x", "ks", "z", "s", "y", "i",
)

var (
	// ended matches the end of a word with a silent e.
	ended = lazyregexp.New(`[ai]?[bdfgklmnprst]e$`)
	// unspoken matches an r after a vowel and before a consonant or the end.
	unspoken = lazyregexp.New(`[aeiou]r([^aeiour]|$)`)
	liquid   = strings.NewReplacer("rr", "r", "l", "r")
)

// OfEnglish returns the sound of a lower-case word.
func OfEnglish(word string) Sound {
	said := ended().ReplaceAllStringFunc(spelt.Replace(word), func(end string) string {
		end = end[:len(end)-1]
		switch end[0] {
		case 'a':
			return "e" + end[1:]
		case 'i':
			return "a" + end
		}
		return end
	})
	said = unspoken().ReplaceAllStringFunc(said, func(m string) string {
		if m[0] == 'o' {
			return "o" + m[2:]
		}
		return "a" + m[2:]
	})
	return soundOf([]byte(liquid.Replace(said)), func([]byte, int) bool { return false })
}
