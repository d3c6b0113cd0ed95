package static

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const wordPiece = `{"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,
"lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]",
"continuing_subword_prefix":"##","max_input_chars_per_word":100,
"vocab":{"[UNK]":0,"cafe":1,"un":2,"##aff":3,"##able":4,"!":5,"東":6,"##京":7,"京":8,"aff":9}}}`

const unigramJSON = `{"normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},
{"type":"Replace","pattern":{"String":"!"},"content":" ! "},{"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "},
{"type":"Strip","strip_left":false,"strip_right":true}]},
"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁",-3],["▁保証",-2],["保証",-2.5],["期間",-2],["保",-4],["証期",-2.2],["▁war",-3],["ranty",-3],["▁warranty",-5],["!",-3],["▁!",-2]]}}`

// tokensOf returns the tokens of a text according to a tokenizer.json.
func tokensOf(t testing.TB, file, text string) []int32 {
	t.Helper()
	tok, err := parseTokenizer([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	out := []int32{}
	tok.tokenize(text, func(token int32) { out = append(out, token) })
	return out
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []int32
	}{
		{wordPiece, "Café unaffable!", []int32{1, 2, 3, 4, 5}},
		{wordPiece, "東京", []int32{6, 8}}, // each character is a word
		{wordPiece, "unknown un\u0000aff\t\u200b", []int32{2, 3}},
		{wordPiece, "unaffected", []int32{}}, // an unknown rest makes the word unknown
		{wordPiece, "", []int32{}},
		{unigramJSON, "保証期間", []int32{2, 4}}, // rather than ▁ + 保 + 証期 + an unknown
		{unigramJSON, "warranty", []int32{9}},
		{unigramJSON, "ｗａｒｒａｎｔｙ!  保証 ", []int32{9, 11, 2}},
		{unigramJSON, "犬保証", []int32{1, 3}},
	} {
		if diff := cmp.Diff(c.want, tokensOf(t, c.file, c.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestPreTokenizers(t *testing.T) {
	for step, want := range map[string][]string{
		`{"type":"Whitespace"}`:                                                                 {"ab", "-", "c1", "..", "d"},
		`{"type":"WhitespaceSplit"}`:                                                            {"ab-c1..", "d"},
		`{"type":"Punctuation","behavior":"Isolated"}`:                                          {"ab", "-", "c1", ".", ".", " d"},
		`{"type":"Digits","individual_digits":true}`:                                            {"ab-c", "1", ".. d"},
		`{"type":"Metaspace","add_prefix_space":false}`:                                         {"ab-c1..", "▁d"},
		`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace"}]}`: {"▁ab-c1..", "▁d"},
		`{"type":"Metaspace","prepend_scheme":"first","split":false}`:                           {"▁ab-c1..▁d"},
	} {
		file := `{"pre_tokenizer":` + step + `,"model":{"type":"WordPiece","vocab":{"x":0}}}`
		tok, err := parseTokenizer([]byte(file))
		if err != nil {
			t.Error(step, err)
			continue
		}
		words := []string{"ab-c1.. d"}
		for _, split := range tok.(*huggingFace).split {
			words = split(words)
		}
		if diff := cmp.Diff(want, words); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
}

// TestTheBestSplitIsFound compares with all possible splits.
// TestTextsGrowLittle has steps that each double the text.
func TestTextsGrowLittle(t *testing.T) {
	const model = `"model": {"type": "Unigram", "vocab": [["a", -1], ["▁", -1]]}}`
	for name, form := range map[string]string{
		"normalizer":    `{"normalizer": {"type": "Sequence", "normalizers": [%s]}, ` + model,
		"pre-tokenizer": `{"pre_tokenizer": {"type": "Sequence", "pretokenizers": [%s]}, ` + model,
	} {
		const double = `{"type": "Replace", "pattern": {"String": "a"}, "content": "aa", "replacement": "  "}`
		step := strings.ReplaceAll(double, "Replace", map[string]string{"normalizer": "Replace", "pre-tokenizer": "Metaspace"}[name])
		tok, err := parseTokenizer(fmt.Appendf(nil, form, strings.Repeat(step+",", 19)+step))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		tok.tokenize("a a", func(int32) { n++ })
		if n != 0 {
			t.Errorf("%s: %d tokens", name, n)
		}
	}
}

func TestTheBestSplitIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := newUnigram(0)
		for _, p := range rapid.SliceOfNDistinct(rapid.StringMatching(`[abé]{1,3}`), 1, 12, rapid.ID).Draw(t, "pieces") {
			u.add(p, float32(-rapid.IntRange(1, 9).Draw(t, "score")))
		}
		s := rapid.StringMatching(`[abé]{0,7}`).Draw(t, "text")
		var all func(string) float32
		all = func(rest string) float32 {
			if rest == "" {
				return 0
			}
			best := float32(math.Inf(-1))
			for n := 1; n <= len(rest); n++ {
				if n < len(rest) && !utf8.RuneStart(rest[n]) {
					continue
				}
				if token, ok := u.pieces[rest[:n]]; ok && token != none {
					best = max(best, u.scores[token]+all(rest[n:]))
				}
				if len([]rune(rest[:n])) == 1 {
					best = max(best, u.unknown+all(rest[n:]))
				}
			}
			return best
		}
		got, known := float32(0), 0
		u.split(s, func(token int32) { got += u.scores[token]; known += len([]rune(pieceOf(u, token))) })
		got += u.unknown * float32(len([]rune(s))-known)
		if want := all(s); math.Abs(float64(got-want)) > 1e-4 {
			t.Fatalf("%q is split with %v, the best is %v", s, got, want)
		}
	})
}

func pieceOf(u *unigram, token int32) string {
	for p, x := range u.pieces {
		if x == token {
			return p
		}
	}
	return ""
}

// TestPrecompiled walks a double array that maps ａ to a and b to "".
func TestPrecompiled(t *testing.T) {
	keys := map[string]string{"ａ": "a", "b": "", "bc": "d"}
	f, err := precompiled(charsmap(keys))
	if err != nil {
		t.Fatal(err)
	}
	if got := f("ａxbcbｂ\xff"); got != "axd"+"ｂ\xff" {
		t.Errorf("got %q", got)
	}
}

// folder writes a folder with a model of tokens and returns its path.
func folder(t testing.TB, tokenizer string, tensors map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, tokenizerFile, []byte(tokenizer))
	write(t, dir, tensorFile, safetensors(t, tensors))
	return dir
}

func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// safetensors encodes matrices, as rows, and lists.
func safetensors(t testing.TB, tensors map[string]any) []byte {
	t.Helper()
	header, body := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	for name, value := range tensors {
		from, kind, shape := len(body), "F32", []int{}
		switch v := value.(type) {
		case [][]float32:
			shape = []int{len(v), len(v[0])}
			for _, row := range v {
				for _, x := range row {
					body = binary.LittleEndian.AppendUint32(body, math.Float32bits(x))
				}
			}
		case []float64:
			kind, shape = "F64", []int{len(v)}
			for _, x := range v {
				body = binary.LittleEndian.AppendUint64(body, math.Float64bits(x))
			}
		case []int64:
			kind, shape = "I64", []int{len(v)}
			for _, x := range v {
				body = binary.LittleEndian.AppendUint64(body, uint64(x))
			}
		}
		header[name] = map[string]any{"dtype": kind, "shape": shape, "data_offsets": []int{from, len(body)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, body)
}

// rowsOf returns n vectors, each with a 1 at its own index.
func rowsOf(n int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, n)
		out[i][i] = 1
	}
	return out
}

func embedOne(t testing.TB, m *Model, text string) []float32 {
	t.Helper()
	v, err := m.Embed(t.Context(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func TestModelSumsItsTokens(t *testing.T) {
	plain, err := Load(folder(t, wordPiece, map[string]any{"embeddings": rowsOf(10)}))
	if err != nil {
		t.Fatal(err)
	}
	near := cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 })
	if diff := cmp.Diff([]float32{0, 2, 0, 0, 0, 1, 0, 0, 0, 0}, embedOne(t, plain, "cafe café! whatever"), near); diff != "" {
		t.Error(diff)
	}
	// Tokens share rows and have weights, like a vocabulary quantised by model2vec.
	small, err := Load(folder(t, wordPiece, map[string]any{
		"embedding.weight": rowsOf(3), "mapping": []int64{0, 1, 2, 2, 2, 2, 2, 2, 2, 2},
		"weights": []float64{1, 3, 1, 0.5, 1, 1, 1, 1, 1, 1},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float32{0, 3, 1.5}, embedOne(t, small, "cafe unaff"), near); diff != "" {
		t.Error(diff)
	}
	if plain.ID() == small.ID() {
		t.Errorf("two models are both %s", plain.ID())
	}
	if v := embedOne(t, plain, "犬"); vector.Normalise(v) {
		t.Errorf("a text of unknown words has the vector %v", v)
	}
}

func TestWordVectors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "w.vec", []byte("5 2\nthe 1 0\nTokyo 0 1 \nwarranty 0.5 -0.5\n保証 1 1\n期間 -1 1\n"))
	m, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := func(parts ...int) (sum [2]float32) {
		for _, p := range parts {
			v := m.vectors.At(p)
			sum[0] += v[0] * m.weight[p]
			sum[1] += v[1] * m.weight[p]
		}
		return sum
	}
	for text, parts := range map[string][]int{
		"The WARRANTY-Tokyo": {0, 2, 1}, "保証期間は": {3, 4}, "ｗａｒｒａｎｔｙ": {2}, "tokyo": nil,
	} {
		got, want := embedOne(t, m, text), want(parts...)
		if math.Abs(float64(got[0]-want[0]))+math.Abs(float64(got[1]-want[1])) > 1e-5 {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	if !slices.IsSorted(m.weight) {
		t.Errorf("frequent words weigh more than rare ones: %v", m.weight)
	}
}

// TestRefused checks the errors for invalid folders.
func TestRefused(t *testing.T) {
	tensor := func(header string, body int) []byte {
		return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), make([]byte, body))
	}
	sound := safetensors(t, map[string]any{"embeddings": rowsOf(10)})
	for _, c := range []struct {
		what  string
		files map[string][]byte
		want  string
	}{
		{"nothing", nil, "neither model.safetensors nor word vectors"},
		{"two", map[string][]byte{"a.vec": {}, "b.vec": {}}, "a.vec and b.vec"},
		{"no tokenizer", map[string][]byte{tensorFile: sound}, "tokenizer.json"},
		{"empty", map[string][]byte{tensorFile: {}}, "no safetensors"},
		{"a huge header", map[string][]byte{tensorFile: tensor("{}", 0)[:8:8]}, "header would have 2 bytes"},
		{"no tensors", map[string][]byte{tensorFile: tensor("{}", 0)}, "no tensor embeddings"},
		{"a tensor beyond the file",
			map[string][]byte{tensorFile: tensor(`{"embeddings":{"dtype":"F32","shape":[9,9],"data_offsets":[0,324]}}`, 9)}, "does not fill"},
		{"a shape that overflows",
			map[string][]byte{tensorFile: tensor(`{"embeddings":{"dtype":"F32","shape":[2147483647,2147483647,4],"data_offsets":[0,0]}}`, 0)}, "shape"},
		{"a transformer", map[string][]byte{tensorFile: tensor(`{"encoder.layer":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]}}`, 4)}, "no static model"},
		{"another type", map[string][]byte{tensorFile: tensor(`{"embeddings":{"dtype":"Q4","shape":[1,1],"data_offsets":[0,4]}}`, 4)}, "Q4"},
		{"not a number", map[string][]byte{tensorFile: safetensors(t, map[string]any{"embeddings": [][]float32{{float32(math.NaN())}}})}, "not finite"},
		{"a mapping that leads out", map[string][]byte{tensorFile: safetensors(t,
			map[string]any{"embeddings": rowsOf(2), "mapping": []int64{0, 2}})}, "row 2 of 2"},
		{"BPE", map[string][]byte{tensorFile: sound, tokenizerFile: []byte(`{"model":{"type":"BPE"}}`)}, `"BPE"; WordPiece and Unigram`},
		{"ByteLevel", map[string][]byte{tensorFile: sound, tokenizerFile: []byte(`{"pre_tokenizer":{"type":"ByteLevel"},"model":{}}`)}, `"ByteLevel" cannot be read`},
		{"no vocabulary", map[string][]byte{tensorFile: sound, tokenizerFile: []byte(`{"model":{"type":"Unigram"}}`)}, "0 tokens"},
		{"a bad pattern", map[string][]byte{tensorFile: sound, tokenizerFile: []byte(
			`{"normalizer":{"type":"Replace","pattern":{"Regex":"(?<!x"}},"model":{}}`)}, "pattern"},
		{"uneven words", map[string][]byte{"w.vec": []byte("a 1 2\nb 1\n")}, "word 2 has 1 numbers, the first 2"},
		{"no numbers", map[string][]byte{"w.vec": []byte("a 1 x\n")}, `"x" for a number`},
		{"no words", map[string][]byte{"w.vec": []byte("0 100\n")}, "there are none"},
	} {
		dir := t.TempDir()
		for name, data := range c.files {
			write(t, dir, name, data)
		}
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

func TestLinksOutOfTheFolderAreNotFollowed(t *testing.T) {
	dir, other := t.TempDir(), folder(t, wordPiece, map[string]any{"embeddings": rowsOf(10)})
	for _, name := range []string{tensorFile, tokenizerFile} {
		if err := os.Symlink(filepath.Join(other, name), filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "escapes") {
		t.Error(err)
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.33325195, 1: 5.9604645e-08, 0x7bff: 65504} {
		if got := half(bits); got != want {
			t.Errorf("%04x is %v, want %v", bits, got, want)
		}
	}
}

func FuzzTensors(f *testing.F) {
	f.Add(safetensors(f, map[string]any{"embeddings": rowsOf(3), "weights": []float64{1, 2, 3}}))
	for _, header := range []string{`{"weights":{"dtype":"F8","shape":[1],"data_offsets":[0,0]}}`, `{"weights":{"shape":[-1]}}`} {
		f.Add(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := tensors(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for _, tensor := range found {
			if set, err := tensor.matrix(); err == nil && set.Len()*set.Dim() > len(data) {
				t.Fatalf("%d bytes gave %d vectors of %d", len(data), set.Len(), set.Dim())
			}
			_, _ = tensor.list()
		}
	})
}

func FuzzTokenizer(f *testing.F) {
	f.Add(wordPiece, "Café 東京 unaffable")
	f.Add(unigramJSON, "保証期間 ! x")
	f.Add(fmt.Sprintf(`{"normalizer":{"type":"Precompiled","precompiled_charsmap":%q},"model":{"type":"WordPiece","vocab":{"a":0}}}`,
		charsmap(map[string]string{"ａ": "a"})), "ａ")
	f.Fuzz(func(t *testing.T, file, text string) {
		tok, err := parseTokenizer([]byte(file))
		if err != nil {
			return
		}
		m := Model{tokens: tok, vectors: vector.NewSet(2, 3)}
		m.embed(text)
	})
}

func FuzzWords(f *testing.F) {
	f.Add([]byte("2 2\na 1 2\nb 3 4\n"), "a b")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		m, err := readWords(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, x := range m.embed(norm.NFKC.String(text)) {
			if x-x != 0 {
				t.Fatalf("the vector of %q is not finite", text)
			}
		}
	})
}
