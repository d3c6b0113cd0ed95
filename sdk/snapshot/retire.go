package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// damagedExt marks a file that was set aside.
const damagedExt = ".damaged"

// SetAside renames a damaged file of a kind, and the manifest of the snapshot
// called name if there is one, so that they are not opened again. Files set
// aside earlier are removed.
func SetAside(dir string, kind Kind, name, damaged string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("set aside: %w", err)
	}
	defer root.Close()
	errs := removeWhere(root, func(file string) bool {
		return ofKind(file, kind) && strings.HasSuffix(file, damagedExt)
	})
	for _, file := range []string{damaged, name + manifestExt} {
		errs = errors.Join(errs, ignoreAbsent(root.Rename(file, file+damagedExt)))
	}
	return errs
}

// Retire removes the snapshots of a kind that are neither current nor locked by a reader, and files
// that belong to no snapshot. Only the holder of the builder's lock may retire. The next call tries
// again to remove files that could not be removed.
func Retire(dir string, kind Kind) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("retire snapshots: %w", err)
	}
	defer root.Close()
	current, err := Current(dir, kind)
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	names, err := manifests(root, kind)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name != current && !inUse(dir, name) {
			continue
		}
		m, err := readManifest(root, name)
		if err != nil {
			return err
		}
		for _, file := range m.Files() {
			kept[file] = true
		}
	}
	return removeWhere(root, func(file string) bool {
		return ofKind(file, kind) && !kept[file] && file != currentName+string(kind) &&
			!strings.HasSuffix(file, damagedExt)
	})
}

// Remove removes a snapshot that shares no file with another one. Where the system allows, processes that
// have it open can continue to read it.
func Remove(dir string, m Manifest) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("remove snapshot: %w", err)
	}
	defer root.Close()
	for _, file := range m.Files() {
		err = errors.Join(err, ignoreAbsent(root.Remove(file)))
	}
	return err
}

// manifests returns the names of the snapshots of a kind.
func manifests(root *os.Root, kind Kind) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	var names []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), manifestExt)
		if ok && ofKind(name, kind) && checkName(name) == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// inUse reports whether a reader holds the snapshot's lock.
func inUse(dir, name string) bool {
	lock := flock.New(filepath.Join(dir, name+manifestExt), flock.SetFlag(os.O_RDONLY))
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return true
	}
	return lock.Close() != nil
}

// ofKind reports whether a file of an index directory belongs to a kind of corpus.
func ofKind(file string, kind Kind) bool {
	k, _, ok := cutName(file)
	current := currentName + string(kind)
	return ok && k == string(kind) || strings.HasPrefix(file, current+".") || file == current
}

// removeWhere removes the files that doomed selects and joins the errors.
func removeWhere(root *os.Root, doomed func(file string) bool) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return fmt.Errorf("list snapshots: %w", err)
	}
	for _, e := range entries {
		if doomed(e.Name()) {
			err = errors.Join(err, ignoreAbsent(root.Remove(e.Name())))
		}
	}
	return err
}
