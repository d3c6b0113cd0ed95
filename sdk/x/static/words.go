package static

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// mostWords is the maximum number of word vectors that are read. Files begin with the most frequent words, and later
// ones are rare.
const mostWords = 400_000

// mostLine is the maximum number of bytes in a line: a word and its vector.
const mostLine = 1 << 20

func loadWords(root *os.Root, name string) (*Model, error) {
	f, size, err := regular(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := readWords(f)
	if err != nil {
		return nil, fmt.Errorf("word vectors %s: %w", name, err)
	}
	m.id, err = identity(f, size, crc32.New(castagnoli))
	return m, err
}

// readWords reads lines with a word and its numbers, separated by spaces. It skips a first line with the numbers of
// words and dimensions.
func readWords(r io.Reader) (*Model, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, mostLine)
	w := words{newUnigram(0)}
	var set *vector.Set
	var v []float32
	for first := true; len(w.scores) < mostWords && in.Scan(); first = false {
		word, numbers, _ := strings.Cut(strings.TrimRight(in.Text(), " \r"), " ")
		word = strings.Clone(word) // without the rest of the line
		dim := strings.Count(numbers, " ") + 1
		if first && dim == 1 {
			continue
		}
		if set == nil && dim <= mostDimensions {
			set, v = vector.NewSet(dim, 0), make([]float32, dim)
		}
		if dim != len(v) {
			return nil, fmt.Errorf("word %d has %d numbers, the first %d", len(w.scores)+1, dim, len(v))
		}
		for i := range v {
			var number string
			number, numbers, _ = strings.Cut(numbers, " ")
			x, err := strconv.ParseFloat(number, 32)
			if err != nil || !(math.Abs(x) < 1e9) {
				return nil, fmt.Errorf("word %d has %.40q for a number", len(w.scores)+1, number)
			}
			v[i] = float32(x)
		}
		set.Append(v)
		score := float32(-math.Log(float64(len(w.scores) + 10)))
		if text.HasCJK(word) {
			w.add(word, score)
		} else {
			w.name(word, score)
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if set == nil {
		return nil, errors.New("there are none")
	}
	return &Model{tokens: w, vectors: set, weight: rarity(set.Len())}, nil
}

// rarity returns the weights of words by their rank: a/(a+p) of smooth inverse frequency (Arora, Liang and Ma 2017),
// with the probability p from Zipf's law.
func rarity(words int) []float32 {
	const a = 1e-4
	all := math.Log(float64(words)) + 0.5772
	out := make([]float32, words)
	for i := range out {
		out[i] = float32(a / (a + 1/(float64(i+1)*all)))
	}
	return out
}

// words finds the words of a text as written or, failing that, in lower case. Runs of Chinese and Japanese, which have
// no spaces, are split into the most probable words.
type words struct{ *unigram }

func (w words) tokenize(s string, emit func(token int32)) {
	for run := range strings.FieldsFuncSeq(norm.NFKC.String(s), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N)
	}) {
		if text.HasCJK(run) {
			w.split(strings.ToLower(run), emit)
			continue
		}
		for _, form := range []string{run, strings.ToLower(run)} {
			if token, known := w.pieces[form]; known && token != none {
				emit(token)
				break
			}
		}
	}
}
