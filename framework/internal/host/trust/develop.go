package trust

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Fetch makes a copy of an executable, or builds a folder with a Go program with flags,
// in the folder into, which must be absolute, empty and its own. It gives the executable's
// path and hash, and pins nothing: it is for the one who is writing the strategy.
func Fetch(ctx context.Context, source, into string, flags ...string) (path, sha256 string, err error) {
	info, err := os.Stat(source)
	switch {
	case err != nil:
		return "", "", err
	case info.IsDir():
		err = Build(ctx, source, into, flags...)
	case !executable(info):
		err = fmt.Errorf("%s is not an executable file", source)
	default:
		err = copyFile(source, into)
	}
	if err != nil {
		return "", "", err
	}
	if path, err = only(into); err != nil {
		return "", "", err
	}
	sha256, err = Hash(path)
	return path, sha256, err
}

// only is the one file of a folder.
func only(dir string) (string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(files) != 1 {
		return "", fmt.Errorf("there are %d executables, not one", len(files))
	}
	return filepath.Join(dir, files[0].Name()), nil
}

// maxStamped is how many files of a folder are looked at for changes.
const maxStamped = 10_000

// Stamp changes when an executable or, in a folder with a Go program, a file changes that
// does not begin with a dot.
func Stamp(source string) string {
	var out strings.Builder
	seen := 0
	_ = filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error { // what cannot be read does not change
		if path != source && strings.HasPrefix(filepath.Base(path), ".") {
			if err == nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			fmt.Fprintln(&out, path, info.Size(), info.ModTime().UnixNano())
		}
		if seen++; seen == maxStamped {
			return fs.SkipAll
		}
		return nil
	})
	return out.String()
}
