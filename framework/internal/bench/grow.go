package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// Grow writes a corpus of about the given number of sections into dir, which must not exist: the files as they are,
// then copies of all manuals under other names with some of their words replaced. Where not all are needed, it takes
// files at even distances. The same files give the same corpus. dir appears only when it is complete. It returns the
// number of sections.
func Grow(
	ctx context.Context, files []File, sections int, dir string, progress eval.Progress,
) (written int, err error) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s exists; name a new folder", dir)
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp) // does nothing after the rename
	if err := os.Chmod(temp, 0o755); err != nil {
		return 0, err
	}
	have := 0
	counts := make([]int, len(files))
	for i, f := range files {
		counts[i] = len(corpus.Cut(f.Path, f.Text))
		have += counts[i]
	}
	if have == 0 {
		return 0, errors.New("there is nothing to grow: the manuals hold no section")
	}
	words := newVocabulary(files)
	for number := 0; written < sections && number*have < sections; number++ {
		c := words.copy(number)
		want := min(sections-number*have, have)
		passed, taken := 0, 0
		for i, f := range files {
			passed += counts[i]
			if taken >= want*passed/have {
				continue
			}
			taken += counts[i]
			manual, text := f.Manual, f.Text
			if number > 0 {
				manual, text = fmt.Sprintf("%s-%03d", f.Manual, number+1), c.vary(f.Text)
			}
			path := filepath.Join(temp, manual, filepath.FromSlash(f.Path))
			if err := errors.Join(ctx.Err(), writeFile(path, text)); err != nil {
				return 0, err
			}
			written += counts[i]
			progress.Show("growing", min(written, sections), sections)
		}
	}
	return written, os.Rename(temp, dir)
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// wordForm matches the longest runs of letters of one script. Hiragana, digits and punctuation stay the same in every
// copy.
var wordForm = regexp.MustCompile(`\p{Latin}+|[\p{Katakana}ー]+|\p{Han}+`)

// commonShare is the share of all words from which on a word stays the same in every copy, because it is grammar or
// what the corpus is about.
const commonShare = 1e-3

// Number of sixteen rarer words in a copy that become new words, and that become another word of about the same
// frequency. The others stay, so that both postings and the vocabulary grow with the copies.
const (
	newOf16     = 2
	swappedOf16 = 3
)

// reach is the maximum difference in rank between words of about the same frequency.
const reach = 16

// vocabulary holds the words of a corpus that may change in a copy.
type vocabulary struct {
	words map[*unicode.RangeTable][]string // by script, in order of decreasing frequency
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

// corpusCopy varies the texts of one copy, in which a word becomes the same everywhere.
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

// replacement returns what a word becomes, which depends only on the word and the copy.
func (c *corpusCopy) replacement(word string, rank int) []byte {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(word)) // cannot fail
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

// newWord replaces the first letter, and half of the others, with letters of other words.
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
