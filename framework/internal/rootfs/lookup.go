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

// errRaced means that a file was replaced between looking at it and opening it.
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
	at, err := r.lookup(cleaned)
	if err != nil {
		return nil, err
	}
	defer at.close()
	if !wanted(at.info.Mode()) {
		return nil, wrongKind(cleaned, at.info.Mode())
	}
	f, err := at.dir.Open(path.Base(at.stored))
	if err != nil {
		return nil, explainOpen(cleaned, err)
	}
	opened, err := f.Stat()
	if err != nil || !os.SameFile(at.info, opened) {
		f.Close()
		return nil, raced(cleaned)
	}
	return &File{f, at.stored, opened}, nil
}

// spot is where a lookup has come to: a file or a folder, in its open folder.
type spot struct {
	root   *Root
	dir    *os.Root
	stored string // path as stored
	info   fs.FileInfo
}

func (at *spot) close() {
	if at.dir != at.root.root {
		at.dir.Close()
	}
}

// lookup walks down the components of a clean path, none of which may be a link. It
// goes from one open folder to the next: a folder that becomes a link under way does
// not lead it elsewhere.
func (r *Root) lookup(cleaned string) (*spot, error) {
	at, rest := &spot{root: r, dir: r.root}, strings.Split(cleaned, "/")
	for {
		name, info, err := child(at.dir, rest[0])
		switch {
		case err != nil:
			err = r.explainLookup(cleaned, at, rest, err)
		case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
			err = isLink(cleaned, path.Join(at.stored, name))
		case len(rest) == 1:
			at.stored, at.info = path.Join(at.stored, name), info
			return at, nil
		case !info.IsDir():
			err = missing(cleaned, nil)
		default:
			err = at.enter(cleaned, name, info)
		}
		if err != nil {
			at.close()
			return nil, err
		}
		rest = rest[1:]
	}
}

// enter goes into the folder that info describes, and into no other.
func (at *spot) enter(cleaned, name string, info fs.FileInfo) error {
	dir, err := at.dir.OpenRoot(name)
	if err != nil {
		return explainOpen(cleaned, err)
	}
	opened, err := dir.Stat(".")
	if err != nil || !os.SameFile(info, opened) {
		dir.Close()
		return raced(cleaned)
	}
	at.close()
	at.dir, at.stored = dir, path.Join(at.stored, name)
	return nil
}

// child finds a name in a folder: as given, or else composed otherwise.
func child(dir *os.Root, name string) (string, fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return name, info, err
	}
	composed := norm.NFC.String(name)
	for _, have := range Names(dir) {
		if norm.NFC.String(have) == composed {
			info, err = dir.Lstat(have)
			return have, info, err
		}
	}
	return "", nil, err
}

// Names lists the names in a folder, none if it cannot be read.
func Names(dir *os.Root) []string {
	f, err := dir.Open(".")
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
