package state

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Store stores files of one kind of corpus by a key, which identifies the content that they were computed from. If a
// file is damaged or cannot be stored, this is logged and the file is computed again. Without a directory nothing is
// stored. Several processes may share a directory, because files appear only when complete.
type Store struct {
	dir    string
	root   *os.Root // nil without a directory
	kind   snapshot.Kind
	logger hclog.Logger
}

// Open opens the store of a kind of corpus in dir. If dir is "", it stores nothing.
func Open(dir string, kind snapshot.Kind, logger hclog.Logger) (*Store, error) {
	s := &Store{dir: dir, kind: kind, logger: logger}
	if dir == "" {
		return s, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("state directory: %w", err)
	}
	s.root = root
	return s, nil
}

// Dir returns the directory, or "".
func (s *Store) Dir() string { return s.dir }

// Close closes the directory.
func (s *Store) Close() {
	if s.root != nil {
		_ = s.root.Close() // nothing more is written through it
	}
}

// SegmentKey returns the key for a value computed from a segment. of identifies the computation. Deleting sections does
// not change the key.
func SegmentKey(of string, info snapshot.SegmentInfo) string {
	return Key(fmt.Sprintf("%s %s %d %d %d %d",
		of, info.File, info.Bytes, info.Sections, info.CRC, info.Created.UnixNano()))
}

// Key returns a key for a description of content.
func Key(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:12])
}

func (s *Store) name(key, ext string) string { return string(s.kind) + "-" + key + ext }

// Load returns the decoded content of a key's file, or nil. It removes a damaged file.
func Load[T any](s *Store, key, ext string, decode func([]byte) (*T, error)) *T {
	if s.root == nil {
		return nil
	}
	name := s.name(key, ext)
	data, err := s.root.ReadFile(name)
	if err != nil {
		return nil
	}
	v, err := decode(data)
	if err != nil {
		s.logger.Warn("a file of the strategy is damaged and is made again", "file", name, "error", err)
		_ = s.root.Remove(name) // otherwise it is overwritten
		return nil
	}
	return v
}

// Keep writes the file of a key.
func (s *Store) Keep(key, ext string, content io.WriterTo) {
	if s.root == nil {
		return
	}
	name := s.name(key, ext)
	if err := s.write(name, content); err != nil {
		s.logger.Warn("a file of the strategy could not be kept", "file", name, "error", err)
	}
}

func (s *Store) write(name string, content io.WriterTo) error {
	temp := name + "-" + rand.Text() + ".new"
	f, err := s.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = content.WriteTo(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = s.root.Rename(temp, name)
	}
	if err != nil {
		_ = s.root.Remove(temp) // the first error is more useful
	}
	return err
}

// Retire removes the files with an extension whose key is not in keys. Processes that still search with them have
// already read them.
func (s *Store) Retire(ext string, keys []string) {
	if s.root == nil {
		return
	}
	entries, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		key, ours := strings.CutPrefix(e.Name(), string(s.kind)+"-")
		key, is := strings.CutSuffix(key, ext)
		if ours && is && !slices.Contains(keys, key) {
			_ = s.root.Remove(e.Name()) // tried again with the next snapshot
		}
	}
}
