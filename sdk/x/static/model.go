package static

import (
	"context"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path"

	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Model computes a text's vector as the weighted mean of the vectors of its tokens. It implements [embed.Provider] and
// is safe for concurrent use.
//
// [embed.Provider]: https://pkg.go.dev/github.com/sagasu-search/sagasu/sdk/embed#Provider
type Model struct {
	id      string
	tokens  tokenizer
	vectors *vector.Set
	row     []int32   // row in vectors of each token; nil means the token's number
	weight  []float32 // of each token; nil means 1
}

// tokenizer calls emit with the numbers of the tokens in a text. It leaves out unknown tokens.
type tokenizer interface {
	tokenize(text string, emit func(token int32))
}

// Load reads the model in a folder: model.safetensors with tokenizer.json, or a single file that ends in .vec. It does
// not follow links out of the folder.
func Load(dir string) (*Model, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("model folder: %w", err)
	}
	defer root.Close()
	names, err := fs.Glob(root.FS(), "*.vec")
	if err != nil {
		return nil, err
	}
	_, err = root.Stat(tensorFile)
	switch {
	case err == nil:
		return loadTensors(root)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("model folder: %w", err)
	case len(names) == 1:
		return loadWords(root, names[0])
	case len(names) > 1:
		return nil, fmt.Errorf("the model folder holds %d files of word vectors, %s and %s among them: leave one",
			len(names), names[0], names[1])
	}
	return nil, errors.New("the model folder holds neither model.safetensors nor word vectors that end in .vec")
}

const (
	tensorFile    = "model.safetensors"
	tokenizerFile = "tokenizer.json"
)

// vectorTensors are the names of the vectors in static models of model2vec and of sentence-transformers.
var vectorTensors = []string{"embeddings", "embedding.weight"}

func loadTensors(root *os.Root) (*Model, error) {
	f, size, err := regular(root, tensorFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, err := tensors(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tensorFile, err)
	}
	m := &Model{}
	for _, name := range vectorTensors {
		if t := found[name]; t != nil && m.vectors == nil {
			if m.vectors, err = t.matrix(); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", tensorFile, name, err)
			}
		}
	}
	if m.vectors == nil {
		return nil, fmt.Errorf("%s holds no tensor %s or %s: it is no static model",
			tensorFile, vectorTensors[0], vectorTensors[1])
	}
	if t := found["weights"]; t != nil {
		if m.weight, err = t.list(); err != nil {
			return nil, fmt.Errorf("%s: weights: %w", tensorFile, err)
		}
	}
	if t := found["mapping"]; t != nil {
		rows, err := t.list()
		if err != nil {
			return nil, fmt.Errorf("%s: mapping: %w", tensorFile, err)
		}
		for _, row := range rows {
			if row < 0 || int(row) >= m.vectors.Len() {
				return nil, fmt.Errorf("%s: mapping names row %v of %d", tensorFile, row, m.vectors.Len())
			}
			m.row = append(m.row, int32(row))
		}
	}
	text, err := content(root, tokenizerFile, mostTokenizer)
	if err != nil {
		return nil, err
	}
	if m.tokens, err = parseTokenizer(text); err != nil {
		return nil, fmt.Errorf("%s: %w", tokenizerFile, err)
	}
	sum := crc32.New(castagnoli)
	sum.Write(text)
	m.id, err = identity(f, size, sum)
	return m, err
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// identity returns an identifier of a model's content.
func identity(f io.ReaderAt, size int64, sum hash.Hash32) (string, error) {
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, size)); err != nil {
		return "", fmt.Errorf("model: %w", err)
	}
	return fmt.Sprintf("static 1 %d %08x", size, sum.Sum32()), nil
}

// regular opens a file if it is a regular file: opening a pipe would wait.
func regular(root *os.Root, name string) (*os.File, int64, error) {
	info, err := root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", name)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("model folder: %w", err)
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("model folder: %w", err)
	}
	return f, info.Size(), nil
}

// content reads a file of at most most bytes.
func content(root *os.Root, name string, most int64) ([]byte, error) {
	f, size, err := regular(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > most {
		return nil, fmt.Errorf("%s has %d MB, more than %d", path.Base(name), size>>20, most>>20)
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// ID implements embed.Provider. It changes with the content of the folder.
func (m *Model) ID() string { return m.id }

// Embed implements embed.Provider. A text without a known token gets the zero vector.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = m.embed(text)
	}
	return out, nil
}

func (m *Model) embed(text string) []float32 {
	sum := make([]float32, m.vectors.Dim())
	m.tokens.tokenize(text, func(token int32) {
		weight := float32(1)
		if m.weight != nil {
			if int(token) >= len(m.weight) {
				return
			}
			weight = m.weight[token]
		}
		if m.row != nil {
			if int(token) >= len(m.row) {
				return
			}
			token = m.row[token]
		}
		if int(token) < m.vectors.Len() {
			m.vectors.AddTo(sum, int(token), weight)
		}
	})
	for i, x := range sum { // weights may be of any size
		if !(math.Abs(float64(x)) < 1e15) {
			sum[i] = 0
		}
	}
	return sum
}
