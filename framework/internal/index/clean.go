package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Cleaned is the result of Clean.
type Cleaned struct {
	Removed []string `json:"removed"` // index directories
	InUse   []string `json:"in_use"`  // index directories that a process has open
	Bytes   int64    `json:"bytes"`   // freed
}

// Clean removes the index directories below base (see [Dir]) that no process has open, except those
// in keep, and the old snapshots of the remaining ones. It leaves other directories alone. An index
// is derived data: it is rebuilt when it is searched again.
func Clean(ctx context.Context, base string, keep ...string) (Cleaned, error) {
	done := Cleaned{Removed: []string{}, InUse: []string{}}
	top := filepath.Join(base, dirName)
	entries, err := os.ReadDir(top)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return done, fmt.Errorf("clean: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return done, errors.Join(append(errs, err)...)
		}
		if dir := filepath.Join(top, e.Name()); e.IsDir() && isIndex(dir) {
			errs = append(errs, done.clean(dir, slices.Contains(keep, dir)))
		}
	}
	return done, errors.Join(errs...)
}

var (
	indexName = lazyregexp.New(`^[0-9a-f]{24}$`)
	indexFile = lazyregexp.New(`^(CURRENT-[a-z]+|[a-z]+\.lock|[a-z]+-([0-9]+|[a-z]+)\.(seg|json|gob))(\.damaged|\.tmp)?[0-9]*$`)
)

// isIndex reports whether a directory is an index directory, judging by its name and content: it
// must contain only files of an index. An empty one was never filled.
func isIndex(dir string) bool {
	entries, err := os.ReadDir(dir)
	ours := func(e os.DirEntry) bool { return e.Type().IsRegular() && indexFile().MatchString(e.Name()) }
	return err == nil && indexName().MatchString(filepath.Base(dir)) &&
		(len(entries) == 0 || slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return e.Name() == useFile || e.Name() == lockFile
		})) &&
		!slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !ours(e) })
}

// clean removes one index directory, or its old snapshots.
func (c *Cleaned) clean(dir string, keep bool) error {
	before := sizeOf(dir)
	defer func() { c.Bytes += max(before-sizeOf(dir), 0) }()
	if keep {
		return retireAll(dir)
	}
	end, ok := tryLock(dir, useFile)
	if !ok {
		c.InUse = append(c.InUse, dir)
		return retireAll(dir)
	}
	err := errors.Join(os.RemoveAll(dir), end())
	if err != nil { // some systems do not remove open files, such as the lock
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return fmt.Errorf("clean: %w", err)
	}
	c.Removed = append(c.Removed, dir)
	return nil
}

// retireAll removes the old snapshots of an index directory unless a process
// builds there.
func retireAll(dir string) error {
	unlock, ok := tryLock(dir, lockFile)
	if !ok {
		return nil
	}
	var errs []error
	for _, kind := range []snapshot.Kind{
		snapshot.KindManual, snapshot.KindVault, snapshot.KindPublication, snapshot.KindLogic,
	} {
		if err := snapshot.Retire(dir, kind); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, unlock())...)
}

// sizeOf returns the number of bytes in the files of an index directory.
func sizeOf(dir string) (n int64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
	}
	return n
}
