package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// errRaced means that a file was replaced between looking it up and opening it.
var errRaced = errors.New("replaced while being opened")

// open looks path up and opens what it finds, if wanted accepts its mode. If the file is replaced in between, it tries
// once more.
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
	f, err := at.folder.dir.Open(at.name)
	if err != nil {
		return nil, explainOpen(cleaned, err)
	}
	opened, err := f.Stat()
	if err != nil || !os.SameFile(at.info, opened) {
		f.Close()
		return nil, raced(cleaned)
	}
	return &File{f, at.stored(), opened}, nil
}

// found is a file or folder that a lookup has found, in its open folder.
type found struct {
	root   *Root
	way    *trail
	folder spot
	name   string // as stored
	info   fs.FileInfo
}

func (f *found) stored() string { return f.folder.below(f.name, f.name, nil).stored }

func (f *found) close() { f.root.trails.give(f.way) }

// lookup walks down the components of a clean path, none of which may be a link. It goes from one open folder to the
// next, so that a folder which becomes a link meanwhile does not lead it elsewhere.
func (r *Root) lookup(cleaned string) (*found, error) {
	f := &found{root: r, way: r.trails.take(cleaned), folder: spot{dir: r.root}}
	if n := len(f.way.kept); n > 0 {
		f.folder = f.way.kept[n-1]
	}
	rest := strings.Split(strings.TrimPrefix(cleaned[len(f.folder.asked):], "/"), "/")
	for {
		name, info, err := child(f.folder.dir, rest[0])
		switch {
		case err != nil:
			err = r.explainLookup(cleaned, &f.folder, rest, err)
		case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
			err = isLink(cleaned, path.Join(f.folder.stored, name))
		case len(rest) == 1:
			f.name, f.info = name, info
			return f, nil
		case !info.IsDir():
			err = missing(cleaned, nil)
		default:
			err = f.enter(cleaned, rest[0], name, info)
		}
		if err != nil {
			if errors.Is(err, errRaced) {
				f.way.drop(0)
			}
			f.close()
			return nil, err
		}
		rest = rest[1:]
	}
}

// enter opens the folder that info describes, and fails for any other.
func (f *found) enter(cleaned, asked, name string, info fs.FileInfo) error {
	dir, err := f.folder.dir.OpenRoot(name)
	if err != nil {
		return explainOpen(cleaned, err)
	}
	opened, err := dir.Stat(".")
	if err != nil || !os.SameFile(info, opened) {
		dir.Close()
		return raced(cleaned)
	}
	f.folder = f.folder.below(asked, Stored(f.folder.dir, name, info), dir)
	f.way.keep(f.folder)
	return nil
}

// child finds a name in a folder: as given, or else in another Unicode form.
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

// Stored returns the stored name of what was found in a folder by another name. A file system may not distinguish names
// that differ in case or Unicode form.
func Stored(dir *os.Root, name string, found fs.FileInfo) string {
	same := func(other string) bool {
		info, err := dir.Lstat(other)
		return err == nil && os.SameFile(info, found)
	}
	composed := norm.NFC.String(name)
	others := []string{strings.Map(otherCase, name), composed, norm.NFD.String(name)}
	if !slices.ContainsFunc(others, func(other string) bool { return other != name && same(other) }) {
		return name // no other name finds it
	}
	names := Names(dir)
	if slices.Contains(names, name) {
		return name
	}
	for _, have := range names {
		// On Windows, the short name of a folder may share no letters with its name.
		if (found.IsDir() || strings.EqualFold(norm.NFC.String(have), composed)) && same(have) {
			return have
		}
	}
	return name
}

func otherCase(r rune) rune {
	if upper := unicode.ToUpper(r); upper != r {
		return upper
	}
	return unicode.ToLower(r)
}

// Names lists the names in a folder, or nothing if it cannot be read.
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

// absent reports whether err means that there is no such file, which includes names that no file can have.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ENOTDIR)
}
