package vault

import (
	"errors"
	"io/fs"
	"os"
	pathpkg "path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// folder is an open folder of the vault, reached without following a link. Operations stay in
// it even if its path is replaced meanwhile.
type folder struct {
	root *os.Root
	path string   // as stored, "" for the vault itself
	made []string // folders that were made on the way to it, the outermost first
}

func (f *folder) close() { f.root.Close() }

// unmake removes those of the newly created folders that are empty.
func (f *folder) unmake(vault *os.Root) {
	f.close()
	for _, path := range slices.Backward(f.made) {
		if vault.Remove(path) != nil {
			return
		}
	}
}

// enter opens the folder that holds p's file; with make, missing ones are made.
func enter(vault *os.Root, p place, make bool) (*folder, error) {
	parts := strings.Split(p.path, "/")
	top, err := vault.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	at := &folder{root: top}
	for i, name := range parts[:len(parts)-1] {
		next, err := at.child(p, i, name, make)
		if err != nil {
			at.unmake(vault)
			return nil, err
		}
		at.close()
		at = next
		if err := recognised(vault, p, at); err != nil {
			at.unmake(vault)
			return nil, err
		}
	}
	return at, nil
}

// child opens a folder in f.
func (f *folder) child(p place, i int, name string, make bool) (*folder, error) {
	stored, info, err := f.find(p.spellings(i, name))
	full := pathpkg.Join(f.path, stored)
	if errors.Is(err, fs.ErrNotExist) && make {
		if err = f.root.Mkdir(stored, 0o755); err == nil {
			f.made = append(f.made, full)
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			if err = f.sync(); err == nil {
				info, err = f.root.Lstat(stored)
			}
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && make:
		return nil, errMoved // by a writer that was refused and removed the folders that it had made
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing(p.path)
	case err != nil:
		return nil, err
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 && p.zone == system: // no path that a caller gave
		return nil, toolset.Errorf(toolset.NotAvailable,
			"%s in the vault is a symbolic link, and links are not followed; make it a folder", full).
			With("parameter", rootSetting).With("expected", "a vault in which "+systemDir+" is a folder")
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return nil, linked(p.path, full)
	case !info.IsDir():
		return nil, notFolder(p.path, full)
	}
	return f.open(stored, info)
}

// open opens the folder that info describes, and no other.
func (f *folder) open(name string, info fs.FileInfo) (*folder, error) {
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err != nil || !os.SameFile(info, opened) {
		root.Close()
		return nil, errMoved
	}
	return &folder{root, pathpkg.Join(f.path, name), f.made}, nil
}

// find looks for the first of the spellings that exists, or for a name that is
// composed differently (NFC), and returns the name as stored. Where none exists, it
// returns the last spelling.
func (f *folder) find(spellings []string) (string, fs.FileInfo, error) {
	for _, name := range spellings {
		info, err := f.root.Lstat(name)
		if err == nil {
			return rootfs.Stored(f.root, name, info), info, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return name, nil, err
		}
	}
	last := spellings[len(spellings)-1]
	if !strings.ContainsFunc(last, func(r rune) bool { return r > unicode.MaxASCII }) {
		return last, nil, fs.ErrNotExist
	}
	for _, have := range rootfs.Names(f.root) {
		if norm.NFC.String(have) == last {
			info, err := f.root.Lstat(have)
			return have, info, err
		}
	}
	return last, nil, fs.ErrNotExist
}

// recognised fails for a reserved folder under a name that the rules did not recognise, such
// as a short name of Windows.
func recognised(vault *os.Root, p place, at *folder) error {
	here, err := at.root.Stat(".")
	if err != nil {
		return err
	}
	for reserved, known := range map[string]bool{
		systemDir:                     p.zone == system,
		artifactsDir:                  p.is(0, artifactsDir),
		artifactsDir + "/" + dailyDir: p.zone == daily,
	} {
		info, err := vault.Lstat(reserved)
		if err == nil && os.SameFile(info, here) && !known {
			return p.forbidden("it is another name of "+reserved, "the folder's own name", "notes/plan.md")
		}
	}
	return nil
}
