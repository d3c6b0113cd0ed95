package bench

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// script is a class of letters that form words together.
type script int

const (
	other script = iota // hiragana, digits, punctuation: left as it is
	latin
	katakana
	han
	scripts
)

func scriptOf(r rune) script {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return latin
		}
		return other
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Katakana, r) || r == 'ー':
		return katakana
	case unicode.Is(unicode.Latin, r):
		return latin
	}
	return other
}

// runs calls yield for each longest run of letters of one script.
func runs(text string, yield func(run string, of script)) {
	start, current := 0, other
	for i, r := range text {
		if s := scriptOf(r); s != current {
			if i > start {
				yield(text[start:i], current)
			}
			start, current = i, s
		}
	}
	if start < len(text) {
		yield(text[start:], current)
	}
}

// commonShare is the share of all words from which on one is grammar, or what the
// corpus is about, and stays in every copy.
const commonShare = 1e-3

// Of sixteen rarer words in a copy, so many are new ones and so many are another
// word of about the same frequency. The others stay, so that lists of postings
// grow with the copies and so does the vocabulary.
const (
	newOf16     = 2
	swappedOf16 = 3
)

// vocabulary holds the words of a corpus.
type vocabulary struct {
	words   [scripts][]string // by falling frequency
	rank    map[string]int
	common  map[string]bool
	letters [scripts][]rune
}

func newVocabulary(files []File) *vocabulary {
	counts, all := map[string]int{}, 0
	for _, f := range files {
		runs(string(f.Text), func(word string, of script) {
			if of != other {
				counts[word]++
				all++
			}
		})
	}
	v := &vocabulary{rank: make(map[string]int, len(counts)), common: map[string]bool{}}
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	seen := map[rune]bool{}
	for _, w := range words {
		first, _ := utf8.DecodeRuneInString(w)
		s := scriptOf(first)
		v.rank[w] = len(v.words[s])
		v.words[s] = append(v.words[s], w)
		v.common[w] = float64(counts[w]) > commonShare*float64(all)
		for _, r := range strings.ToLower(w) {
			if !seen[r] {
				seen[r] = true
				v.letters[s] = append(v.letters[s], r)
			}
		}
	}
	return v
}

// variation varies the texts of one copy: what a word became it is everywhere in it.
type variation struct {
	*vocabulary
	number int
	became map[string]string
}

func (v *vocabulary) variation(number int) *variation {
	return &variation{vocabulary: v, number: number, became: map[string]string{}}
}

func (c *variation) vary(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	runs(text, func(run string, of script) {
		if of != other {
			run = c.word(run, of)
		}
		b.WriteString(run)
	})
	return b.String()
}

func (c *variation) word(w string, of script) string {
	if _, known := c.rank[w]; !known || c.common[w] || utf8.RuneCountInString(w) < 2 {
		return w
	}
	to, known := c.became[w]
	if !known {
		to = c.replacement(w, of)
		c.became[w] = to
	}
	return to
}

// replacement returns what a word becomes, always the same for the same copy.
func (c *variation) replacement(w string, of script) string {
	h := digest(c.number, w)
	switch roll := h % 16; {
	case roll < newOf16:
		return c.newWord(w, of, h/16)
	case roll < newOf16+swappedOf16:
		return c.neighbour(w, of, h/16)
	}
	return w
}

// neighbour is a word of the same script and about the same frequency; a common
// one would become more common than it is.
func (c *variation) neighbour(w string, of script, h uint64) string {
	const reach = 16
	words := c.words[of]
	at := c.rank[w] + int(h%(2*reach+1)) - reach
	if to := words[min(max(at, 0), len(words)-1)]; !c.common[to] {
		return to
	}
	return w
}

// newWord returns a new word: half of its letters are others of the corpus.
func (c *variation) newWord(w string, of script, h uint64) string {
	letters, out := c.letters[of], []rune(w)
	for i, r := range out {
		h = h*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
		if h>>63 == 0 && i > 0 {
			continue
		}
		to := letters[(h>>16)%uint64(len(letters))]
		if unicode.IsUpper(r) {
			to = unicode.ToUpper(to)
		}
		out[i] = to
	}
	return string(out)
}

// digest hashes a word for a copy: FNV-1a, so that a corpus grows the same
// everywhere.
func digest(number int, w string) uint64 {
	h := uint64(14695981039346656037)
	mix := func(b byte) { h = (h ^ uint64(b)) * 1099511628211 }
	mix(byte(number))
	mix(byte(number >> 8))
	for i := range len(w) {
		mix(w[i])
	}
	return h ^ h>>29
}
