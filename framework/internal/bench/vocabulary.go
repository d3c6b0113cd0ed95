package bench

import (
	"cmp"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// wordForm matches the longest runs of letters of one script. Hiragana, digits and
// punctuation stay as they are in every copy.
var wordForm = regexp.MustCompile(`\p{Latin}+|[\p{Katakana}ー]+|\p{Han}+`)

// commonShare is the share of all words from which on one is grammar, or what the
// corpus is about, and stays in every copy.
const commonShare = 1e-3

// Of sixteen rarer words in a copy, so many become new ones and so many another word of
// about the same frequency. The others stay, so that lists of postings grow with the
// copies and so does the vocabulary.
const (
	newOf16     = 2
	swappedOf16 = 3
)

// reach is how far apart in rank words of about the same frequency are.
const reach = 16

// vocabulary holds the words of a corpus that may change in a copy.
type vocabulary struct {
	words map[*unicode.RangeTable][]string // by script, by falling frequency
	rank  map[string]int
}

func newVocabulary(files []File) *vocabulary {
	counts, all := map[string]int{}, 0
	for _, f := range files {
		for _, word := range wordForm.FindAll(f.Text, -1) {
			counts[string(word)]++
			all++
		}
	}
	v := &vocabulary{words: map[*unicode.RangeTable][]string{}, rank: map[string]int{}}
	for _, w := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	}) {
		if utf8.RuneCountInString(w) < 2 || float64(counts[w]) > commonShare*float64(all) {
			continue
		}
		s := scriptOf(w)
		v.rank[w] = len(v.words[s])
		v.words[s] = append(v.words[s], w)
	}
	return v
}

// scriptOf returns the script of a word.
func scriptOf(word string) *unicode.RangeTable {
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case unicode.Is(unicode.Han, first):
		return unicode.Han
	case unicode.Is(unicode.Latin, first):
		return unicode.Latin
	}
	return unicode.Katakana
}

// corpusCopy varies the texts of one copy: a word becomes the same everywhere in it.
type corpusCopy struct {
	*vocabulary
	number uint64
	became map[string][]byte
}

func (v *vocabulary) copy(number int) *corpusCopy {
	return &corpusCopy{vocabulary: v, number: uint64(number), became: map[string][]byte{}}
}

func (c *corpusCopy) vary(text []byte) []byte {
	return wordForm.ReplaceAllFunc(text, func(word []byte) []byte {
		rank, varies := c.rank[string(word)]
		if !varies {
			return word
		}
		to, known := c.became[string(word)]
		if !known {
			to = c.replacement(string(word), rank)
			c.became[string(word)] = to
		}
		return to
	})
}

// replacement returns what a word becomes, always the same for the same copy.
func (c *corpusCopy) replacement(word string, rank int) []byte {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(word)) // it cannot fail
	random := rand.New(rand.NewPCG(c.number, hash.Sum64()))
	words := c.words[scriptOf(word)]
	switch roll := random.IntN(16); {
	case roll < newOf16:
		return newWord(word, words, random)
	case roll < newOf16+swappedOf16:
		near := rank + random.IntN(2*reach+1) - reach
		return []byte(words[min(max(near, 0), len(words)-1)])
	}
	return []byte(word)
}

// newWord replaces the first and half of the other letters by letters of other words.
func newWord(word string, words []string, random *rand.Rand) []byte {
	out := []rune(word)
	for i, r := range out {
		if i > 0 && random.IntN(2) == 0 {
			continue
		}
		letters := []rune(words[random.IntN(len(words))])
		out[i] = unicode.ToLower(letters[random.IntN(len(letters))])
		if unicode.IsUpper(r) {
			out[i] = unicode.ToUpper(out[i])
		}
	}
	return []byte(string(out))
}
