package embed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/sdk"
)

// Cache is a [Provider] that asks another one only for texts whose vectors it does
// not hold. They lie in one file per provider, by a hash of the text and never the
// text itself; several processes may share it. It is safe for concurrent use.
type Cache struct {
	provider Provider
	root     *os.Root
	name     string
	lock     *flock.Flock // held while appending, against other processes

	mu   sync.Mutex    // held while reading and appending
	dim  int           // 0 while the file is empty
	at   map[key]int64 // where the record of a text begins
	seen int64         // how much of the file is in at
}

// NewCache keeps the vectors of a provider in dir, which must exist.
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

// Close lets go of the directory, not of the provider.
func (c *Cache) Close() error { return c.root.Close() }

// ID implements [Provider].
func (c *Cache) ID() string { return c.provider.ID() }

// Embed implements [Provider]. What a damaged or unreadable cache does not give is
// asked for, and what cannot be kept is logged; errors are the provider's. Callers do not
// wait for each other: who asks for the same new text at once pays for it twice.
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
	return out, nil
}

// read fills in what the file holds and gives the places of what it does not.
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
