package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	pathpkg "path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

const (
	historyDir = systemDir + "/history"
	// sizeFile holds the bytes in the history, so that not every write adds them up.
	sizeFile = "history.size"

	versionTime = "20060102T150405.000000000Z"
	versionExt  = ".zst"
)

// versionFile is the name of an earlier version: when it was replaced, and its hash.
var versionFile = regexp.MustCompile(`^([0-9]{8}T[0-9]{6}\.[0-9]{9}Z)-([0-9a-f]{64})\.zst$`)

// keep puts what a write is about to replace into the history. undo takes it out
// again when the write fails.
func (v *Vault) keep(ctx context.Context, vault *os.Root, f *file, do action, content []byte) (undo func(), err error) {
	nothing := func() {}
	if !f.exists() || do == grow && bytes.HasPrefix(content, f.text) {
		return nothing, nil
	}
	unlock, err := lock(ctx, vault, historyLock)
	if err != nil {
		return nothing, err
	}
	defer unlock()
	dir, err := enter(vault, historyOf(f.path()), true)
	if err != nil {
		return nothing, fmt.Errorf("keep the earlier version: %w", err)
	}
	defer dir.close()
	v.sweepOnce(dir)
	packed := packer.EncodeAll(f.text, nil)
	name := nextVersion(dir) + "-" + digest(f.text) + versionExt
	err = v.makeRoom(vault, int64(len(packed)))
	if err == nil {
		err = dir.put(name, packed, 0o600, true, func() error { return nil })
	}
	if err != nil {
		return nothing, fmt.Errorf("keep the earlier version: %w", err)
	}
	return func() { forget(vault, f.path(), name) }, nil
}

// nextVersion is the time of a version, later than all that the folder holds.
func nextVersion(dir *folder) string {
	now := time.Now().UTC()
	for _, name := range dir.names() {
		if m := versionFile.FindStringSubmatch(name); m != nil {
			if t, err := time.Parse(versionTime, m[1]); err == nil && !t.Before(now) {
				now = t.Add(time.Nanosecond)
			}
		}
	}
	return now.Format(versionTime)
}

// forget removes a version that was kept for a write that failed.
func forget(vault *os.Root, path, name string) {
	dir, err := enter(vault, historyOf(path), false)
	if err == nil {
		dir.root.Remove(name)
		dir.close()
	}
}

// makeRoom counts a version in before it is written, so that one that is never
// written makes the history seem larger and not smaller, and removes old versions
// when there is no room for it. The caller holds the lock of the history.
func (v *Vault) makeRoom(vault *os.Root, more int64) error {
	dir, err := enter(vault, internal(systemDir+"/"+sizeFile), true)
	if err != nil {
		return err
	}
	defer dir.close()
	v.sweepOnce(dir)
	size, known := readSize(dir)
	if size += more; !known || size > v.options.HistoryBytes {
		kept, err := trim(vault, v.options.HistoryBytes-more)
		if err != nil {
			return err
		}
		size = kept + more
	}
	return writeSize(dir, size)
}

func readSize(dir *folder) (int64, bool) {
	raw, err := dir.root.ReadFile(sizeFile)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	return n, err == nil && n >= 0
}

// writeSize is not synced: a size that is lost is added up anew.
func writeSize(dir *folder, size int64) error {
	temp := temporary + randomName()
	err := dir.root.WriteFile(temp, strconv.AppendInt(nil, size, 10), 0o600)
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

// unpack reads a version and checks that it is what it was.
func unpack(packed []byte, sum string) ([]byte, error) {
	text, err := unpacker.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack an earlier version: %w", err)
	}
	if digest(text) != sum {
		return nil, errors.New("unpack an earlier version: its content is damaged")
	}
	return text, nil
}

// parent is the path of the file that a version belongs to.
func parent(version string) string {
	return strings.TrimPrefix(pathpkg.Dir(version), historyDir+"/")
}

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
