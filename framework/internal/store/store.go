package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrNotFound means that a key was never stored, has expired or was displaced.
var ErrNotFound = errors.New("not in the store")

// Dir is a store in a directory. Entries belong to a session; each session
// keeps its newest entries for a limited time, and up to a tenth more until it is
// tidied up. Safe for concurrent use, also by several processes.
type Dir struct {
	path string
	keep int
	ttl  time.Duration
	now  func() time.Time

	mu   sync.Mutex
	seen map[string]look // the sessions that were written to
}

// look is what a session held when it was last trimmed, and what was put since.
type look struct {
	entries int
	at      time.Time
}

// Open returns a store below path that keeps the newest keep entries of a session for ttl. It makes
// nothing before the first Put. Sessions whose entries have all expired are removed; those that
// cannot be removed stay.
func Open(path string, keep int, ttl time.Duration) *Dir {
	d := &Dir{path: path, keep: keep, ttl: ttl, now: time.Now, seen: map[string]look{}}
	_ = d.removeIdleSessions() // the next start tries again, and whoever writes hears of a bad disk
	return d
}

// Path returns the directory.
func (d *Dir) Path() string { return d.path }

// Keep is how many entries a session keeps.
func (d *Dir) Keep() int { return d.keep }

// TTL is how long an entry lives.
func (d *Dir) TTL() time.Duration { return d.ttl }

// isName returns what a session or a key may be: no separators, no dots.
func isName(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// Put stores value under key in session and removes the session's expired and
// surplus entries.
func (d *Dir) Put(session, key string, value []byte) error {
	if !isName(session) || !isName(key) {
		return fmt.Errorf("store: bad key %q in session %q", key, session)
	}
	dir := filepath.Join(d.path, session)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	if err := write(dir, key, value); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	return d.tidy(session)
}

// Link stores under key what other, of the same session, holds, and lets both live for
// another ttl. It takes a tenth of the time of Put, and fails with [ErrNotFound] when
// other is gone, or as the file system does that has no hard links.
func (d *Dir) Link(session, key, other string) error {
	if !isName(session) || !isName(key) || !isName(other) {
		return ErrNotFound
	}
	dir := filepath.Join(d.path, session)
	err := os.Link(filepath.Join(dir, other), filepath.Join(dir, key))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	if err := d.Renew(session, key); err != nil {
		return err
	}
	return d.tidy(session)
}

// tidy trims a session now and then. Between, it counts: to list a directory of
// 300 entries takes longer than to write one. What other processes put into the
// same session is seen by the next trim.
func (d *Dir) tidy(session string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	last, known := d.seen[session]
	last.entries++
	now := d.now()
	if !known || last.entries > d.keep+d.keep/10 || now.Sub(last.at) >= d.ttl/10 {
		kept, err := d.trim(filepath.Join(d.path, session))
		if err != nil {
			return err
		}
		last = look{kept, now}
	}
	d.seen[session] = last
	return nil
}

// Probe writes and removes a value of size bytes. It fails as Put would where there is no room, or
// no right to write.
func (d *Dir) Probe(size int) error {
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		return fmt.Errorf("probe store: %w", err)
	}
	f, err := os.CreateTemp(d.path, temporary+"*")
	if err != nil {
		return fmt.Errorf("probe store: %w", err)
	}
	_, err = f.Write(make([]byte, size))
	if err = errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return fmt.Errorf("probe store: %w", err)
	}
	return nil
}

// temporary starts the name of a value that is being written.
const temporary = ".tmp-"

// write makes the file appear at once and whole. It is not synced: a trace
// lost in a power cut costs a repeated search.
func write(dir, key string, value []byte) error {
	tmp, err := os.CreateTemp(dir, temporary+"*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(value)
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), filepath.Join(dir, key))
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// Get returns a stored value, or ErrNotFound.
func (d *Dir) Get(session, key string) ([]byte, error) {
	if !isName(session) || !isName(key) {
		return nil, ErrNotFound
	}
	path := filepath.Join(d.path, session, key)
	info, err := os.Stat(path)
	if err == nil && d.now().Sub(info.ModTime()) > d.ttl {
		return nil, ErrNotFound
	}
	value, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return value, nil
}

// Has reports whether an entry is there.
func (d *Dir) Has(session, key string) bool {
	if !isName(session) || !isName(key) {
		return false
	}
	info, err := os.Stat(filepath.Join(d.path, session, key))
	return err == nil && d.now().Sub(info.ModTime()) <= d.ttl
}

// Renew lets an entry live for another ttl, or returns ErrNotFound.
func (d *Dir) Renew(session, key string) error {
	if !isName(session) || !isName(key) {
		return ErrNotFound
	}
	now := d.now()
	err := os.Chtimes(filepath.Join(d.path, session, key), now, now)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return err
}

// Newest lists at most n keys of a session, the newest first. A session that never
// was has none.
func (d *Dir) Newest(session string, n int) ([]string, error) {
	if !isName(session) {
		return nil, nil
	}
	entries, err := d.list(filepath.Join(d.path, session))
	if err != nil {
		return nil, err
	}
	sortNewest(entries)
	var keys []string
	for _, e := range entries {
		if key := filepath.Base(e.path); len(keys) < n && isName(key) && d.now().Sub(e.written) <= d.ttl {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

func sortNewest(entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(b.written.Compare(a.written), cmp.Compare(b.path, a.path))
	})
}

// entry is a stored file.
type entry struct {
	path    string
	written time.Time
}

// trim removes what has expired or is beyond the newest keep and counts the rest. A
// file that another process removed first is no error.
func (d *Dir) trim(dir string) (kept int, err error) {
	entries, err := d.list(dir)
	if err != nil {
		return 0, err
	}
	sortNewest(entries)
	for i, e := range entries {
		if i < d.keep && d.now().Sub(e.written) <= d.ttl {
			kept++
		} else if err := os.Remove(e.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, fmt.Errorf("trim store: %w", err)
		}
	}
	return kept, nil
}

// list returns the entries of a session, none of one that another process removed; a value
// that is being written is none until it is so old that its writer must have died.
func (d *Dir) list(dir string) ([]entry, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list store: %w", err)
	}
	var out []entry
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			continue
		}
		if finished := !strings.HasPrefix(f.Name(), temporary); finished || d.now().Sub(info.ModTime()) > d.ttl {
			out = append(out, entry{filepath.Join(dir, f.Name()), info.ModTime()})
		}
	}
	return out, nil
}

func (d *Dir) removeIdleSessions() error {
	sessions, err := os.ReadDir(d.path)
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	for _, s := range sessions {
		info, err := s.Info()
		if err != nil || !s.IsDir() || d.now().Sub(info.ModTime()) <= d.ttl {
			continue
		}
		dir := filepath.Join(d.path, s.Name())
		if _, err := d.trim(dir); err != nil {
			return err
		}
		os.Remove(dir) // stays when another process has just written into it
	}
	return nil
}
