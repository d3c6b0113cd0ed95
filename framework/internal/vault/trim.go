package vault

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	pathpkg "path"
	"slices"
)

// stored is an earlier version in the history.
type stored struct {
	path  string // below the vault
	time  string
	bytes int64
}

// trimTo is the share of the limit that a full history is cut down to, so that
// not every write has to cut.
const trimTo = 0.9

// trim removes earlier versions, the oldest first but never the newest of a file, until the rest
// takes at most limit bytes, and returns the size of the rest, which exceeds limit if no more can
// be removed. A negative limit counts as 0. The caller holds the lock of the history.
func trim(vault *os.Root, limit int64) (int64, error) {
	all, err := listHistory(vault)
	if err != nil {
		return 0, err
	}
	total, newest := int64(0), map[string]string{} // the time by the folder of the file's versions
	for _, s := range all {
		total += s.bytes
		newest[pathpkg.Dir(s.path)] = max(newest[pathpkg.Dir(s.path)], s.time)
	}
	if total <= limit {
		return total, nil
	}
	all = slices.DeleteFunc(all, func(s stored) bool { return newest[pathpkg.Dir(s.path)] == s.time })
	slices.SortFunc(all, func(a, b stored) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.path, b.path))
	})
	goal := int64(trimTo * float64(max(limit, 0)))
	for _, s := range all {
		if total <= goal {
			break
		}
		if err := vault.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return total, err
		}
		total -= s.bytes
		for dir := pathpkg.Dir(s.path); dir != historyDir && vault.Remove(dir) == nil; dir = pathpkg.Dir(dir) {
			continue // with a folder that is empty now, too
		}
	}
	return total, nil
}

// listHistory lists every version, by folder and time. Nothing else is touched.
func listHistory(vault *os.Root) ([]stored, error) {
	var all []stored
	err := fs.WalkDir(vault.FS(), historyDir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		v, ok := versionOf(d.Name())
		if !ok || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			all = append(all, stored{path, v.ID, info.Size()})
		}
		return err
	})
	return all, err
}
