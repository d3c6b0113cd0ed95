package rootfs

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/text/unicode/norm"
)

// errRaced says that a file was replaced between looking at it and opening it.
var errRaced = errors.New("replaced while being opened")

// open looks path up and opens what it found, if wanted agrees with its mode.
// A file may be replaced in between: then it looks once more.
func (r *Root) open(given string, wanted func(fs.FileMode) bool) (*File, error) {
	cleaned, bad := Clean("path", given)
	if bad != nil {
		return nil, bad
	}
	f, err := r.openOnce(cleaned, wanted)
	if errors.Is(err, errRaced) {
		f, err = r.openOnce(cleaned, wanted)
	}
	return f, err
}

func (r *Root) openOnce(cleaned string, wanted func(fs.FileMode) bool) (*File, error) {
	stored, info, err := r.lookup(cleaned)
	if err != nil {
		return nil, err
	}
	if !wanted(info.Mode()) {
		return nil, wrongKind(cleaned, info.Mode())
	}
	f, err := r.root.Open(stored)
	if err != nil {
		return nil, explainOpen(cleaned, err)
	}
	opened, err := f.Stat()
	if err != nil || !os.SameFile(info, opened) {
		f.Close()
		return nil, raced(cleaned)
	}
	return &File{f, stored, opened}, nil
}

// lookup walks down the components of a clean path, none of which may be a
// link, and gives the path as stored.
func (r *Root) lookup(cleaned string) (string, fs.FileInfo, error) {
	stored, rest := "", strings.Split(cleaned, "/")
	for {
		name, info, err := r.child(stored, rest[0])
		if err != nil {
			return "", nil, r.explainLookup(cleaned, stored, rest, err)
		}
		if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
			return "", nil, isLink(cleaned, name)
		}
		if stored, rest = name, rest[1:]; len(rest) == 0 {
			return stored, info, nil
		}
		if !info.IsDir() {
			return "", nil, missing(cleaned, nil)
		}
	}
}

// child finds a name in a folder: as given, or else composed otherwise.
func (r *Root) child(dir, name string) (string, fs.FileInfo, error) {
	info, err := r.root.Lstat(path.Join(dir, name))
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return path.Join(dir, name), info, err
	}
	composed := norm.NFC.String(name)
	for _, have := range r.names(dir) {
		if norm.NFC.String(have) == composed {
			info, err = r.root.Lstat(path.Join(dir, have))
			return path.Join(dir, have), info, err
		}
	}
	return "", nil, err
}

// names lists the names in a folder, none if it cannot be read.
func (r *Root) names(dir string) []string {
	f, err := r.root.Open(cmp.Or(dir, "."))
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil
	}
	slices.Sort(names)
	return names
}

func sortEntries(entries []fs.DirEntry) {
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
}

// absent reports whether err means that there is no such file: also a name
// that no file can have.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ENOTDIR)
}
