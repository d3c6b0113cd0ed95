package vault

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	pathpkg "path"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

const (
	historyDir = systemDir + "/history"
	// sizeFile holds the size of the history, so that not every write adds it up.
	sizeFile = "history.size"

	versionTime = "20060102T150405.000000000Z"
	versionExt  = ".zst"
)

// versionFile is the name of an earlier version: when it was replaced, and its hash. Some file
// systems list names in lower case.
var versionFile = lazyregexp.New(`^(?i)([0-9]{8}T[0-9]{6}\.[0-9]{9}Z)-([0-9a-f]{64})\.zst$`)

// versionOf returns an earlier version, without its size, by the name of its file.
func versionOf(name string) (v Version, ok bool) {
	m := versionFile().FindStringSubmatch(name)
	if m == nil {
		return Version{}, false
	}
	id := strings.ToUpper(m[1])
	t, err := time.Parse(versionTime, id)
	return Version{ID: id, Time: t, SHA256: strings.ToLower(m[2]), file: name}, err == nil
}

// keep puts the content that a write is about to replace into the history. undo removes it
// when the write fails.
func (v *Vault) keep(ctx context.Context, f *file, do action, content []byte) (undo func(), err error) {
	nothing := func() {}
	if !f.exists() || do == grow && bytes.HasPrefix(content, f.text) {
		return nothing, nil
	}
	unlock, err := lock(ctx, f.vault, historyLock)
	if err != nil {
		return nothing, err
	}
	defer unlock()
	dir, err := enter(f.vault, historyOf(f.path()), true)
	if err != nil {
		return nothing, fmt.Errorf("keep the earlier version: %w", err)
	}
	defer dir.close()
	v.sweep(dir)
	packed := packer.EncodeAll(f.text, nil)
	name := nextVersion(dir) + "-" + digest(f.text) + versionExt
	overfull, err := v.makeRoom(f.vault, int64(len(packed)))
	if overfull {
		f.warn("history_overfull: the newest earlier versions alone take more than VAULT_HISTORY_MAX_MB, and are kept")
	}
	if err == nil {
		err = dir.put(name, packed, 0o600, true, func() error { return nil })
	}
	if err != nil {
		return nothing, fmt.Errorf("keep the earlier version: %w", err)
	}
	return func() { f.vault.Remove(pathpkg.Join(dir.path, name)) }, nil
}

// nextVersion returns the time for a new version, later than all versions in the folder.
func nextVersion(dir *folder) string {
	now := time.Now().UTC()
	for _, name := range rootfs.Names(dir.root) {
		if v, ok := versionOf(name); ok && !v.Time.Before(now) {
			now = v.Time.Add(time.Nanosecond)
		}
	}
	return now.Format(versionTime)
}

// makeRoom counts a version before it is written, so that a version that is never written makes the
// history seem larger and not smaller, and removes old versions if there is no room. overfull
// reports whether too few could be removed. The caller holds the lock of the history.
func (v *Vault) makeRoom(vault *os.Root, more int64) (overfull bool, err error) {
	dir, err := enter(vault, placeOf(systemDir+"/"+sizeFile), true)
	if err != nil {
		return false, err
	}
	defer dir.close()
	v.sweep(dir)
	limit := v.options.HistoryBytes
	size, known := readSize(dir)
	if size += more; !known || size > limit {
		kept, err := trim(vault, limit-more)
		if err != nil {
			return false, err
		}
		size = kept + more
	}
	overfull = size > limit
	if overfull && v.options.Overfull != nil {
		v.overfull.Do(func() { v.options.Overfull(size, limit) })
	}
	return overfull, writeSize(dir, size)
}

func readSize(dir *folder) (size int64, known bool) {
	raw, err := dir.root.ReadFile(sizeFile)
	if err != nil {
		return 0, false
	}
	n, _ := fmt.Sscan(string(raw), &size)
	return size, n > 0 && size >= 0
}

// writeSize does not sync: a lost size is computed again.
func writeSize(dir *folder, size int64) error {
	temp := temporary + rand.Text()
	err := dir.root.WriteFile(temp, fmt.Appendln(nil, size), 0o600)
	if err == nil {
		err = dir.root.Rename(temp, sizeFile)
	}
	if err != nil {
		dir.root.Remove(temp)
	}
	return err
}

var (
	packer   = must(zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true)))
	unpacker = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*maxFile)))
)

func must[T any](x T, err error) T {
	if err != nil {
		panic("vault: zstd: " + err.Error())
	}
	return x
}
