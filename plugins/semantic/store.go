package semantic

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/lsa"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// store keeps what was made in the strategy's state directory, by the content that
// it was made from. What is damaged, or cannot be kept, is made again; without a
// directory nothing is kept. Several processes may share it: files appear whole.
type store struct {
	dir    string
	root   *os.Root // nil without a directory
	kind   snapshot.Kind
	logger hclog.Logger
}

const (
	modelExt   = ".model"
	vectorsExt = ".vectors"
	newExt     = ".new"
)

func openStore(dir string, kind snapshot.Kind, logger hclog.Logger) (*store, error) {
	s := &store{dir: dir, kind: kind, logger: logger}
	if dir == "" {
		return s, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("state of semantic: %w", err)
	}
	s.root = root
	return s, nil
}

func (s *store) close() {
	if s.root != nil {
		_ = s.root.Close() // nothing is written through it any more
	}
}

// segmentKey names the vectors of a segment in a space.
func segmentKey(space string, info snapshot.SegmentInfo) string {
	return digest(fmt.Sprintf("%s %s %d %d %d %d", space, info.File, info.Bytes, info.Sections, info.CRC, info.Created.UnixNano()))
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:12])
}

func (s *store) name(key, ext string) string { return string(s.kind) + "-" + key + ext }

// model reads a learned model, nil where there is none.
func (s *store) model(key string) *lsa.Model {
	return load(s, s.name(key, modelExt), lsa.Decode)
}

// vectors reads the vectors of a segment with so many sections, nil where there are
// none.
func (s *store) vectors(key string, sections int) *vector.Set {
	set := load(s, s.name(key, vectorsExt), vector.Decode)
	if set != nil && set.Len() != sections {
		return nil
	}
	return set
}

// load reads a file and sees to it that a damaged one does not stay.
func load[T any](s *store, name string, decode func([]byte) (*T, error)) *T {
	if s.root == nil {
		return nil
	}
	data, err := s.root.ReadFile(name)
	if err != nil {
		return nil
	}
	v, err := decode(data)
	if err != nil {
		s.logger.Warn("a file of the strategy is damaged and is made again", "file", name, "error", err)
		_ = s.root.Remove(name) // else it is overwritten
		return nil
	}
	return v
}

func (s *store) keepModel(key string, m *lsa.Model) {
	s.keep(s.name(key, modelExt), bytes.NewReader(m.Encode()))
}

func (s *store) keepVectors(key string, set *vector.Set) { s.keep(s.name(key, vectorsExt), set) }

// keep writes a file as a whole. A failure costs only time later.
func (s *store) keep(name string, content io.WriterTo) {
	if s.root == nil {
		return
	}
	if err := s.write(name, content); err != nil {
		s.logger.Warn("a file of the strategy could not be kept", "file", name, "error", err)
	}
}

func (s *store) write(name string, content io.WriterTo) error {
	temp := name + "-" + rand.Text() + newExt
	f, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = content.WriteTo(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = s.root.Rename(temp, name)
	}
	if err != nil {
		_ = s.root.Remove(temp) // the first error tells more
	}
	return err
}

// retire removes the vectors of this kind of corpus that are not among keys. A process
// that still searches with them has read them.
func (s *store) retire(keys []string) {
	if s.root == nil {
		return
	}
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		key, ok := strings.CutPrefix(e.Name(), string(s.kind)+"-")
		key, isVectors := strings.CutSuffix(key, vectorsExt)
		if ok && isVectors && !slices.Contains(keys, key) {
			_ = s.root.Remove(e.Name()) // tried again with the next snapshot
		}
	}
}
