package store

import (
	"cmp"
	"context"
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

// Dir is a store in plain files, one each, below a directory. A session keeps up to half as many more than it should
// until it is tidied up. Several processes may use it at once.
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

// In opens stores in folders of a directory, which are named as their kinds.
func In(dir string) Opener {
	return func(kind string, keep int, ttl time.Duration) Store {
		return Open(filepath.Join(dir, filepath.FromSlash(kind)), keep, ttl)
	}
}

// String returns the directory.
func (d *Dir) String() string { return d.path }

// Keep implements [Store].
func (d *Dir) Keep() int { return d.keep }

// TTL implements [Store].
func (d *Dir) TTL() time.Duration { return d.ttl }

// Put implements [Store]: it removes the session's expired and surplus entries.
func (d *Dir) Put(_ context.Context, session, key string, value []byte) error {
	if !IsName(session) || !IsName(key) {
		return BadName(session, key)
	}
	dir := filepath.Join(d.path, session)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	if err := replace(filepath.Join(dir, key), temporary+"*", value, unsynced); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	return d.tidy(session)
}

// Link implements [Store]. It takes a tenth of the time of Put, and fails as the file system does
// that has no hard links.
func (d *Dir) Link(ctx context.Context, session, key, fromSession, from string) error {
	if !IsName(session) || !IsName(key) || !IsName(fromSession) || !IsName(from) {
		return ErrNotFound
	}
	if err := os.MkdirAll(filepath.Join(d.path, session), 0o700); err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	err := os.Link(filepath.Join(d.path, fromSession, from), filepath.Join(d.path, session, key))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("store %s: %w", key, err)
	}
	if err := d.Renew(ctx, session, key); err != nil {
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
	if !known || last.entries > d.keep+d.keep/2 || now.Sub(last.at) >= d.ttl/10 {
		kept, err := d.trim(filepath.Join(d.path, session))
		if err != nil {
			return err
		}
		last = look{kept, now}
	}
	d.seen[session] = last
	return nil
}

// Probe implements [Store].
func (d *Dir) Probe(_ context.Context, size int) error {
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

// unsynced finishes a value: a trace lost in a power cut costs a repeated search.
func unsynced(*os.File) error { return nil }

// Get implements [Store].
func (d *Dir) Get(_ context.Context, session, key string) ([]byte, error) {
	if !IsName(session) || !IsName(key) {
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

// Renew implements [Store].
func (d *Dir) Renew(_ context.Context, session, key string) error {
	if !IsName(session) || !IsName(key) {
		return ErrNotFound
	}
	now := d.now()
	err := os.Chtimes(filepath.Join(d.path, session, key), now, now)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return err
}

// Newest implements [Store].
func (d *Dir) Newest(ctx context.Context, session string, n int) (newest []Entry, err error) {
	if !IsName(session) {
		return nil, nil
	}
	files, err := d.list(filepath.Join(d.path, session))
	if err != nil {
		return nil, err
	}
	sortNewest(files)
	for _, f := range files {
		key := filepath.Base(f.path)
		if len(newest) == n || !IsName(key) {
			continue
		}
		value, err := d.Get(ctx, session, key)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		newest = append(newest, Entry{key, value})
	}
	return newest, nil
}

func sortNewest(entries []file) {
	slices.SortFunc(entries, func(a, b file) int {
		return cmp.Or(b.written.Compare(a.written), cmp.Compare(b.path, a.path))
	})
}

// file is a stored entry.
type file struct {
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
func (d *Dir) list(dir string) ([]file, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list store: %w", err)
	}
	var out []file
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			continue
		}
		if finished := !strings.HasPrefix(f.Name(), temporary); finished || d.now().Sub(info.ModTime()) > d.ttl {
			out = append(out, file{filepath.Join(dir, f.Name()), info.ModTime()})
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

// Replace puts a new file in the place of an old one, whole and synced, with this mode.
func Replace(path string, text []byte, mode fs.FileMode) error {
	return replace(path, ".sagasu-*", text, func(f *os.File) error { return errors.Join(f.Chmod(mode), f.Sync()) })
}

// replace makes a file appear at once and whole, under its name after one of a pattern. finish is called when it is
// written, before it is closed.
func replace(path, pattern string, text []byte, finish func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), pattern)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, finish(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
