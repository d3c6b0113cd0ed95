package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/sdk"
)

// Cache is a [Provider] that stores vectors and asks another provider only for the missing ones. It
// has one file per provider, keyed by a hash of the text; the text itself is not stored. Several
// processes may share it. It is safe for concurrent use.
type Cache struct {
	provider Provider
	root     *os.Root
	name     string
	lock     *flock.Flock // held while appending, against other processes

	mu   sync.Mutex    // held while reading and appending
	dim  int           // 0 while the file is empty
	at   map[key]int64 // offset of the record of a text
	seen int64         // number of bytes of the file that at covers
}

// NewCache returns a cache in dir, which must exist, of the vectors of a provider.
func NewCache(dir string, p Provider) (*Cache, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cache of embeddings: %w", err)
	}
	sum := sha256.Sum256([]byte(p.ID()))
	name := "embeddings-" + hex.EncodeToString(sum[:8])
	return &Cache{
		provider: p, root: root, name: name,
		lock: flock.New(filepath.Join(dir, name+".lock")), at: map[key]int64{},
	}, nil
}

// Close closes the directory, not the provider.
func (c *Cache) Close() error { return c.root.Close() }

// ID implements [Provider].
func (c *Cache) ID() string { return c.provider.ID() }

// Embed implements [Provider]. Errors are the provider's: a damaged or unreadable cache only means
// that the provider is asked, and a failure to store vectors is logged. Callers do not wait for
// each other, so that concurrent calls with the same new text each ask the provider.
func (c *Cache) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	keys, out := keysOf(texts), make([][]float32, len(texts))
	missing := c.read(keys, out)
	if len(missing) == 0 {
		return out, nil
	}
	asked := make([]string, len(missing))
	for i, at := range missing {
		asked[i] = texts[at]
	}
	vectors, err := c.provider.Embed(ctx, asked)
	if err != nil {
		return nil, err
	}
	var records bytes.Buffer
	for i, at := range missing {
		out[at] = vectors[i]
		records.Write(record(keys[at], vectors[i]))
	}
	if err := c.append(ctx, records.Bytes(), len(vectors[0])); err != nil {
		sdk.Logger(ctx).Warn("embeddings are not kept and will be asked for again", "error", err)
	}
	for _, v := range out {
		if len(v) != len(vectors[0]) { // the service has changed its model: keep only the new vectors
			return nil, fmt.Errorf("vectors of %d numbers and kept ones of %d: %w", len(vectors[0]), len(v), ErrAnswer)
		}
	}
	return out, nil
}

// read fills out with the vectors in the file and returns the indexes of the missing ones.
func (c *Cache) read(keys []key, out [][]float32) (missing []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, err := c.root.Open(c.name)
	if err == nil {
		defer f.Close()
		err = c.scan(f)
	}
	for i, k := range keys {
		at, ok := c.at[k]
		if ok && err == nil {
			out[i] = readRecord(f, at, k, c.dim)
		}
		if out[i] == nil {
			missing = append(missing, i)
		}
	}
	return missing
}

// A cache file begins with a magic number and the dimension. Records of one size follow: the key,
// the vector, and a CRC-32C of both. All numbers are little-endian.
const (
	cacheMagic  = "sagasuE\x01"
	cacheHeader = int64(len(cacheMagic) + 4)
)

// key is a hash of a text.
type key [16]byte

func keysOf(texts []string) []key {
	keys := make([]key, len(texts))
	for i, t := range texts {
		sum := sha256.Sum256([]byte(t))
		keys[i] = key(sum[:])
	}
	return keys
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func recordSize(dim int) int64 { return int64(len(key{}) + 4*dim + 4) }

func record(k key, v []float32) []byte {
	b := append(make([]byte, 0, recordSize(len(v))), k[:]...)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// readRecord returns the vector of a key from the record at an offset, or nil if the record is
// damaged.
func readRecord(f io.ReaderAt, at int64, k key, dim int) []float32 {
	b := make([]byte, recordSize(dim))
	if _, err := f.ReadAt(b, at); err != nil || key(b) != k {
		return nil
	}
	body, sum := b[:len(b)-4], b[len(b)-4:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return nil
	}
	v := make([]float32, dim)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[len(k)+4*i:]))
	}
	if check(v, dim) != nil {
		return nil
	}
	return v
}

// scan indexes the records that were appended since the last scan. It starts over when the file got
// shorter, and fails when the file is not a cache.
func (c *Cache) scan(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < c.seen || c.dim == 0 {
		clear(c.at)
		if c.dim, c.seen = readHeader(f), cacheHeader; c.dim == 0 {
			c.seen = 0
			return fmt.Errorf("%s is no cache of embeddings", c.name)
		}
	}
	var k key
	for size := recordSize(c.dim); c.seen+size <= info.Size(); c.seen += size {
		if _, err := f.ReadAt(k[:], c.seen); err != nil {
			return err
		}
		c.at[k] = c.seen
	}
	return nil
}

// readHeader returns the dimension, or 0 if the file is not a cache.
func readHeader(f io.ReaderAt) int {
	var b [cacheHeader]byte
	if _, err := f.ReadAt(b[:], 0); err != nil || string(b[:len(cacheMagic)]) != cacheMagic {
		return 0
	}
	if dim := binary.LittleEndian.Uint32(b[len(cacheMagic):]); dim <= mostDimensions {
		return int(dim)
	}
	return 0
}

// append writes records after the last complete record of the file. A file that is not a cache, or
// whose vectors have another dimension, is overwritten.
func (c *Cache) append(ctx context.Context, records []byte, dim int) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, err := c.lock.TryLockContext(ctx, 10*time.Millisecond); {
	case errors.Is(err, fs.ErrPermission): // a sandbox refuses locks; checksums reveal records that two writers damaged
	case err != nil:
		return fmt.Errorf("keep embeddings: %w", err)
	default:
		defer func() {
			if e := c.lock.Unlock(); err == nil && e != nil {
				err = fmt.Errorf("keep embeddings: %w", e)
			}
		}()
	}
	f, err := c.root.OpenFile(c.name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("keep embeddings: %w", err)
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err == nil && readHeader(f) == dim {
		end -= (end - cacheHeader) % recordSize(dim) // drop a truncated record
	} else if err == nil {
		header := binary.LittleEndian.AppendUint32([]byte(cacheMagic), uint32(dim))
		end, records, err = 0, append(header, records...), f.Truncate(0)
		c.dim, c.seen = 0, 0
	}
	if err == nil {
		_, err = f.WriteAt(records, end)
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("keep embeddings: %w", err)
	}
	return nil
}
