package vault

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Version is an earlier content of a file.
type Version struct {
	ID     string    `json:"version"`
	Time   time.Time `json:"time"` // when it was replaced
	SHA256 string    `json:"sha256"`
	Bytes  int64     `json:"size_bytes"` // -1 when its file is damaged

	file string
}

// Log lists the earlier versions of a file that are kept, the newest first; the
// file itself may be gone. A path without any is not_found.
func (v *Vault) Log(path string) ([]Version, error) {
	all, dir, err := v.versions(path)
	if err == nil {
		dir.close()
	}
	return all, err
}

// versions lists the earlier versions of a file, at least one, with their open folder.
func (v *Vault) versions(path string) ([]Version, *folder, error) {
	cleaned, bad := rootfs.Clean("path", path)
	if bad != nil {
		return nil, nil, bad
	}
	root, err := v.openFor(cleaned, false)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	dir, err := enter(root.Dir(), historyOf(cleaned), false)
	if err != nil && toolset.AsError(err).Code == toolset.NotFound {
		return nil, nil, noVersions(cleaned)
	}
	if err != nil {
		return nil, nil, unwritten(cleaned, err)
	}
	var all []Version
	for _, name := range rootfs.Names(dir.root) {
		if v, ok := versionOf(name); ok {
			v.Bytes = contentSize(dir, name)
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		dir.close()
		return nil, nil, noVersions(cleaned)
	}
	slices.SortFunc(all, func(a, b Version) int { return cmp.Compare(b.ID, a.ID) })
	return all, dir, nil
}

// historyOf returns the place of a file's versions. Reserved names are kept under
// their own spelling, as they are written.
func historyOf(cleaned string) place {
	return placeOf(historyDir + "/" + canonical(cleaned) + "/version")
}

func noVersions(path string) error {
	return toolset.Errorf(toolset.NotFound, "no earlier version of %s is kept", path).
		Argument("path", path, "a file that was overwritten or in which text was replaced")
}

// contentSize reads the size of a version from its frame.
func contentSize(dir *folder, name string) int64 {
	f, err := dir.root.Open(name)
	if err != nil {
		return -1
	}
	defer f.Close()
	head := make([]byte, zstd.HeaderMaxSize)
	n, _ := f.Read(head)
	var h zstd.Header
	if h.Decode(head[:n]) != nil || !h.HasFCS {
		return -1
	}
	return int64(h.FrameContentSize)
}

// Show returns an earlier version of a file. id may be shortened as long as it names one.
func (v *Vault) Show(path, id string) ([]byte, Version, error) {
	all, dir, err := v.versions(path)
	if err != nil {
		return nil, Version{}, err
	}
	defer dir.close()
	version, err := choose(all, path, id)
	if err != nil {
		return nil, version, err
	}
	packed, err := dir.root.ReadFile(version.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, version, noVersions(path)
	}
	if err != nil {
		return nil, version, unwritten(path, err)
	}
	text, err := unpacker.DecodeAll(packed, nil)
	if err == nil && digest(text) != version.SHA256 {
		err = errors.New("its content is damaged")
	}
	if err != nil {
		return nil, version, toolset.Errorf(toolset.NotAvailable, "version %s of %s cannot be brought back: "+
			"unpack an earlier version: %w; take another that sagasu vault log lists", version.ID, path, err).
			With("parameter", "version").With("got", id).With("path", path)
	}
	return text, version, nil
}

// choose returns the version that an id names, by its time or by its hash.
func choose(all []Version, path, id string) (Version, error) {
	var found []Version
	ids := []string{}
	for _, version := range all {
		if ids = append(ids, version.ID); strings.HasPrefix(version.ID, id) ||
			len(id) >= 8 && strings.HasPrefix(version.SHA256, id) {
			found = append(found, version)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return Version{}, toolset.Errorf(toolset.NotFound,
		"%d versions of %s are named %q; sagasu vault log lists them", len(found), path, id).
		Argument("version", id, ids)
}

// Restore makes an earlier version the content of its file, which is created again if it is gone.
// The current content becomes an earlier version.
func (v *Vault) Restore(ctx context.Context, path, id string) (*Written, error) {
	text, _, err := v.Show(path, id)
	if err != nil {
		return nil, err
	}
	f, err := v.edit(ctx, "path", path, overwrite, true, func(*file) ([]byte, error) { return text, nil })
	return written(f, len(text), err)
}
