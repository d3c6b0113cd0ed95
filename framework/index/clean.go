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
)

// Cleaned tells what Clean did.
type Cleaned struct {
	Removed []string // index directories
	InUse   []string // index directories that a process has open
	Bytes   int64    // freed
}

// Clean removes the index directories below base (see [Dir]) that no process
// has open, but for those in keep, and the old snapshots of the others. An
// index is derived data: what is removed is built again when it is searched.
func Clean(ctx context.Context, base string, keep ...string) (Cleaned, error) {
	done := Cleaned{}
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
		if dir := filepath.Join(top, e.Name()); e.IsDir() {
			errs = append(errs, done.clean(dir, slices.Contains(keep, dir)))
		}
	}
	return done, errors.Join(errs...)
}

// clean removes one index directory, or what is old in it.
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
	if err != nil { // some systems keep files that are open, such as the lock
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return fmt.Errorf("clean: %w", err)
	}
	c.Removed = append(c.Removed, dir)
	return nil
}

// retireAll removes the old snapshots of an index directory unless somebody
// builds there.
func retireAll(dir string) error {
	unlock, ok := tryLock(dir, lockFile)
	if !ok {
		return nil
	}
	var errs []error
	for _, kind := range []snapshot.Kind{snapshot.KindManual, snapshot.KindVault, snapshot.KindPublication, snapshot.KindLogic} {
		if err := snapshot.Retire(dir, kind); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, unlock())...)
}

// sizeOf is the number of bytes in the files of an index directory.
func sizeOf(dir string) (n int64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
	}
	return n
}
