package dict

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// BilingualSuffix is the suffix of the names of translation files.
const BilingualSuffix = ".bi.txt"

// MaxBilingualBytes is the maximum size of a translation file.
const MaxBilingualBytes = 64 << 20

// Translations maps a word to its translations, best first: a Japanese word in normalised form to
// English phrases, and the stems of an English phrase, joined by spaces, to Japanese words.
type Translations map[string][]string

// Pairs returns the translations in entries that mix both languages.
func Pairs(entries []Entry) Translations {
	out := Translations{}
	var z text.Tokenizer
	add := func(key, value string) {
		if key != "" && !strings.Contains(value, valueEnd) && !slices.Contains(out[key], value) {
			out[key] = append(out[key], value)
		}
	}
	for _, e := range entries {
		from := e.From
		if len(from) == 0 {
			from = e.To
		}
		for _, a := range from {
			for _, b := range e.To {
				switch japanese := text.HasCJK(a); {
				case japanese == text.HasCJK(b):
				case japanese:
					add(a, b)
				default:
					add(englishKey(&z, a), b)
				}
			}
		}
	}
	return out
}

// Separators in a line of a translation file.
const (
	keyEnd   = "\t"
	valueEnd = "; "
)

// Write writes translations as a file for [OpenBilingual], after a comment: "key TAB value; value" on each line, in the
// byte order of the keys.
func (t Translations) Write(w io.Writer, comment string) error {
	out := bufio.NewWriter(w)
	for line := range strings.Lines(comment) {
		fmt.Fprintln(out, "#", strings.TrimSpace(line))
	}
	for _, key := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintln(out, key+keyEnd+strings.Join(t[key], valueEnd))
	}
	return out.Flush()
}

// Bilingual looks up words in a translation file. It keeps one key for every [blockBytes] of the file in memory, and
// reads one block per lookup. It is safe for concurrent use.
type Bilingual struct {
	file   io.ReaderAt
	size   int64
	blocks []block
}

// block is a piece of the file, up to the next one.
type block struct {
	key   string // of its first line
	start int64
}

// blockBytes is the approximate length of a block.
const blockBytes = 4 << 10

// OpenBilingual opens a file of size bytes that [Translations.Write] wrote, and reads all of it once. Invalid lines are
// ignored; [CheckBilingual] reports them.
func OpenBilingual(file io.ReaderAt, size int64) (*Bilingual, error) {
	if size > MaxBilingualBytes {
		return nil, fmt.Errorf("a file of translations has at most %d bytes, this one %d", MaxBilingualBytes, size)
	}
	b := &Bilingual{file: file, size: size}
	buffer := make([]byte, blockBytes)
	for at := int64(0); at < size; at += blockBytes {
		n, err := file.ReadAt(buffer, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if key, start, ok := firstLine(buffer[:n], at == 0); ok {
			b.blocks = append(b.blocks, block{key, at + int64(start)})
		}
	}
	return b, nil
}

// firstLine returns the key of the first line that starts in a piece of a file, and where it starts.
func firstLine(piece []byte, first bool) (key string, start int, ok bool) {
	for {
		if !first {
			end := bytes.IndexByte(piece[start:], '\n')
			if end < 0 {
				return "", 0, false
			}
			start += end + 1
		}
		first = false
		if line := piece[start:]; len(line) > 0 && line[0] != '#' {
			k, _, ok := bytes.Cut(line, []byte(keyEnd))
			return string(k), start, ok
		}
	}
}

// Find returns the translations of a key, best first. longer reports whether longer keys begin with it. If the file can
// no longer be read, Find returns nothing.
func (b *Bilingual) Find(key string) (values []string, longer bool) {
	after := sort.Search(len(b.blocks), func(i int) bool { return b.blocks[i].key > key })
	longer = after < len(b.blocks) && strings.HasPrefix(b.blocks[after].key, key)
	if after == 0 {
		return nil, longer
	}
	start, end := b.blocks[after-1].start, b.size
	if after < len(b.blocks) {
		end = b.blocks[after].start
	}
	lines := make([]byte, end-start)
	if n, _ := b.file.ReadAt(lines, start); n < len(lines) {
		return nil, false
	}
	for line := range bytes.Lines(lines) {
		head, rest, _ := bytes.Cut(line, []byte(keyEnd))
		switch {
		case string(head) == key:
			values = strings.Split(strings.TrimRight(string(rest), "\r\n"), valueEnd)
		case string(head) > key:
			return values, longer || bytes.HasPrefix(head, []byte(key))
		}
	}
	return values, longer
}

// CheckBilingual reads a translation file and counts its keys. The error is [Errors] with the first mistake.
func CheckBilingual(name string, r io.Reader) (keys int, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	last := ""
	n := 1
	for ; in.Scan(); n++ {
		line := in.Text()
		if keys == 0 && strings.HasPrefix(line, "#") {
			continue
		}
		key, values, ok := strings.Cut(line, keyEnd)
		switch {
		case !ok || key == "" || values == "" || !utf8.ValidString(line):
			return keys, Errors{{name, n, "not a word, a tab and its translations"}}
		case key <= last:
			reason := fmt.Sprintf("%q does not come behind %q: lines are in the order of their bytes", key, last)
			return keys, Errors{{name, n, reason}}
		}
		keys, last = keys+1, key
	}
	if in.Err() != nil {
		return keys, Errors{{name, n, "cannot be read: " + in.Err().Error()}}
	}
	return keys, nil
}

// CheckBilingualFile is like [CheckBilingual] for a file in a folder. The result has the file's name relative to the
// folder.
func CheckBilingualFile(folder, file string) (File, error) {
	name, err := filepath.Rel(folder, file)
	if err != nil {
		return File{}, err
	}
	f, err := os.Open(file)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	name = filepath.ToSlash(name)
	keys, err := CheckBilingual(name, f)
	return File{Name: name, Entries: keys}, err
}

// EnglishStems returns the stems of a phrase's words, without stop words.
func EnglishStems(z *text.Tokenizer, phrase string) (out []string) {
	t := text.Normalize(phrase)
	for tok := range z.Tokens(&t) {
		if tok.Class == text.Word && !text.EnglishStop(t.Norm[tok.Start:tok.End]) {
			out = append(out, tok.Term)
		}
	}
	return out
}

// englishKey returns the key of a phrase in a [Bilingual].
func englishKey(z *text.Tokenizer, phrase string) string {
	return strings.Join(EnglishStems(z, phrase), " ")
}
