package rootfs

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root is a folder, opened once. It stays the same folder if it is renamed, and no path leads out of it. It is safe for
// concurrent use.
type Root struct {
	root   *os.Root
	trails trails

	// Offer reports whether a not_found may suggest the file or folder at a path; nil allows all. Set it before the
	// first use.
	Offer func(path string) bool
}

// Open opens the folder dir, which may itself be a link.
func Open(dir string) (*Root, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("resolve root: %w", err)
	}
	return OpenResolved(real)
}

// OpenResolved opens a folder whose links are resolved. It fails if the folder has been replaced by a link since then.
func OpenResolved(dir string) (*Root, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open root: %w", err)
	}
	opened, err := root.Stat(".")
	// What Windows calls irregular is a folder too, but never the one that is opened.
	replaced := info.Mode()&fs.ModeSymlink != 0 || info.IsDir() && err == nil && !os.SameFile(info, opened)
	if replaced {
		err = fmt.Errorf("open root: %s was replaced by a link", dir)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return &Root{root: root}, nil
}

// Close closes the folder.
func (r *Root) Close() error {
	r.trails.close()
	return r.root.Close()
}

// Dir returns the folder, for callers that also write below it.
func (r *Root) Dir() *os.Root { return r.root }

// File is an open file below a root.
type File struct {
	*os.File
	// Path is the path as stored on disk, which may have another Unicode form than the requested one.
	Path string
	Info fs.FileInfo
}

// SHA256 returns the hash of the whole file without holding it in memory. It does not move the read position.
func (f *File) SHA256() (sum [32]byte, err error) {
	h := sha256.New()
	_, err = io.Copy(h, io.NewSectionReader(f, 0, math.MaxInt64))
	return [32]byte(h.Sum(nil)), err
}

// Open opens a regular file for reading. Errors are [*toolset.Error]s: invalid_path,
// forbidden (a symbolic link, or not a regular file), out_of_scope, not_found
// with did_you_mean, not_available (unreadable).
func (r *Root) Open(path string) (*File, error) {
	return r.open(path, fs.FileMode.IsRegular)
}

// ReadFile returns the content of a regular file; errors are as for Open.
func (r *Root) ReadFile(path string) ([]byte, error) {
	f, err := r.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var src bytes.Buffer
	src.Grow(int(f.Info.Size()) + bytes.MinRead)
	if _, err := src.ReadFrom(f); err != nil {
		return nil, unreadable(path, err)
	}
	return src.Bytes(), nil
}

// ReadDir lists a folder by name, including links and special files; "" is the root. A file instead of a folder is
// invalid_path; other errors are as for Open. Each entry's Info is read below the root.
func (r *Root) ReadDir(path string) ([]fs.DirEntry, error) {
	f, err := r.openDir(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil, unreadable(path, err)
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// Stat describes a file or folder and returns its path as stored; errors are as
// for Open.
func (r *Root) Stat(path string) (string, fs.FileInfo, error) {
	cleaned, bad := Clean("path", path)
	if bad != nil {
		return "", nil, bad
	}
	at, err := r.lookup(cleaned)
	if err != nil {
		return "", nil, err
	}
	defer at.close()
	at.name = Stored(at.folder.dir, at.name, at.info)
	return at.stored(), at.info, nil
}

func (r *Root) openDir(path string) (*os.File, error) {
	if path == "" {
		f, err := r.root.Open(".")
		if err != nil {
			return nil, unreadable(".", err)
		}
		return f, nil
	}
	f, err := r.open(path, fs.FileMode.IsDir)
	if err != nil {
		return nil, err
	}
	return f.File, nil
}
