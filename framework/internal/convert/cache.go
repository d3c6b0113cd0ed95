package convert

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk"
)

// Limits on what is kept. What was not read for the longest time is removed first.
const (
	maxBytes   = 2 << 30
	maxAge     = 180 * 24 * time.Hour
	touchAfter = 24 * time.Hour // after which a reading is recorded
	sweepEvery = 256 << 20      // bytes written
)

// kept is the result of converting a document.
type kept struct {
	text     []byte
	Places   corpus.Places `json:"places,omitempty"`
	Problems []sdk.Problem `json:"problems,omitempty"`
	Encoding string        `json:"encoding,omitempty"`
	// Failed is why it could not be converted.
	Failed string `json:"failed,omitempty"`
	// After, Build and Tried are set if the converter failed, rather than refused the document. After is the time in
	// nanoseconds since 1970 until which the document may have been modified for the failure to stand, Build the
	// converter's build, and Tried the limit in seconds that a command set, 0 for none.
	After int64  `json:"after,omitempty"`
	Build string `json:"build,omitempty"`
	Tried int64  `json:"tried,omitempty"`
	// Sum is the hash of the text.
	Sum string `json:"sum"`

	passing bool // it says nothing about the document, and is not stored
}

// key identifies a document and how it is converted.
type key string

// rendering changes when [corpus.Render] writes another text, or when stored data gets another meaning.
const rendering = 4

func keyOf(c *sdk.ConverterDescription, sum [32]byte) key {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %x", rendering, c.Name, c.Version, sum)
	return key(hex.EncodeToString(h.Sum(nil)))
}

// cache is a folder of texts. A file consists of a line with the hash of the next, a line of JSON, and the text.
// Several processes may share it: files are written aside and renamed, and a damaged one counts as missing.
type cache struct {
	dir string

	mu      sync.Mutex
	written int64 // since the last sweep; 0 before the first
}

const (
	extension = ".text"
	tempName  = ".new-"
)

// get returns the stored result for a document.
func (c *cache) get(k key) (*kept, bool) {
	data, err := c.read(k, -1)
	if err != nil {
		return nil, false
	}
	out, rest, ok := decode(data)
	if !ok || out.Sum != sumOf(rest) || !utf8.Valid(rest) {
		return nil, false
	}
	out.text = rest
	return out, true
}

// headBytes is how much of a file is read for everything except its text.
const headBytes = 64 << 10

// head returns the stored result for a document without its text.
func (c *cache) head(k key) (*kept, bool) {
	data, err := c.read(k, headBytes)
	if err != nil {
		return nil, false
	}
	out, _, ok := decode(data)
	if !ok && len(data) == headBytes { // it has very many places
		return c.get(k)
	}
	return out, ok
}

// read returns the first n bytes of a file, or all of it for -1, and records that it is in use.
func (c *cache) read(k key, n int64) ([]byte, error) {
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := string(k) + extension
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && time.Since(info.ModTime()) > touchAfter {
		now := time.Now()
		_ = root.Chtimes(name, now, now) // otherwise it is only removed earlier
	}
	if n >= 0 {
		return io.ReadAll(io.LimitReader(f, n))
	}
	return io.ReadAll(f)
}

// decode decodes a file except its text.
func decode(data []byte) (out *kept, text []byte, ok bool) {
	sum, rest, found := bytes.Cut(data, []byte("\n"))
	head, text, ended := bytes.Cut(rest, []byte("\n"))
	if !found || !ended || string(sum) != sumOf(head) || json.Unmarshal(head, &out) != nil || out == nil {
		return nil, nil, false
	}
	inOrder := slices.IsSortedFunc(out.Places, func(a, b corpus.Placed) int { return cmp.Compare(a.Line, b.Line) })
	return out, text, inOrder
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// put stores the result for a document.
func (c *cache) put(k key, what *kept) error {
	what.Sum = sumOf(what.text)
	head, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(c.dir, tempName)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.MultiReader(strings.NewReader(sumOf(head)+"\n"), bytes.NewReader(head),
		strings.NewReader("\n"), bytes.NewReader(what.text)))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, string(k)+extension))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error says more
		return err
	}
	c.wrote(int64(len(what.text)))
	return nil
}

// wrote removes what is too old or too much, at the first write and after many bytes.
func (c *cache) wrote(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := c.written == 0
	if c.written += n + 1; first || c.written > sweepEvery {
		c.written = 1
		sweep(c.dir, time.Now(), maxBytes)
	}
}

// sweep removes files that were not used for long, and the oldest ones if all are more than most bytes.
func sweep(dir string, now time.Time, most int64) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	entries, _ := fs.ReadDir(root.FS(), ".")
	var files []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() &&
			(strings.HasSuffix(e.Name(), extension) || strings.HasPrefix(e.Name(), tempName)) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, f := range files {
		age, limit := now.Sub(f.ModTime()), maxAge
		if strings.HasPrefix(f.Name(), tempName) { // of a process that was killed
			limit = touchAfter
		}
		if most -= f.Size(); most < 0 || age > limit {
			_ = root.Remove(f.Name()) // otherwise it is removed next time
		}
	}
}
