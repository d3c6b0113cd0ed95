package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// tempExt marks a file that is being written; it is never read.
const tempExt = ".tmp"

func formatName(kind Kind, number uint64) string { return fmt.Sprintf("%s-%06d", kind, number) }

// cutName returns the parts of a name such as manual-000012, of a snapshot or of one of its files. It ignores what
// follows the first dot.
func cutName(file string) (kind string, number uint64, ok bool) {
	stem, _, _ := strings.Cut(file, ".")
	i := strings.LastIndexByte(stem, '-')
	if i < 0 || strings.Trim(stem[:i], "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", 0, false
	}
	number, err := strconv.ParseUint(stem[i+1:], 10, 63)
	return stem[:i], number, err == nil
}

// NextName returns a name for a new snapshot of the kind in dir. Its number is higher than those of
// all files there and of the names in used. Only the holder of the builder's lock may use it.
func NextName(dir string, kind Kind, used ...string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("next snapshot: %w", err)
	}
	highest := uint64(0)
	for _, e := range entries {
		if k, n, ok := cutName(e.Name()); ok && k == string(kind) {
			highest = max(highest, n)
		}
	}
	if name, err := Current(dir, kind); err == nil {
		used = append(used, name)
	}
	for _, name := range used {
		_, n, _ := cutName(name)
		highest = max(highest, n)
	}
	return formatName(kind, highest+1), nil
}

// SegmentFile returns the name of the segment file that is built for a snapshot.
func SegmentFile(name string) string { return name + segmentExt }

// WriteFile writes the segment to a file in dir and ends the Writer: the file is complete and
// synced, or does not exist. The file of a [Writer.Brief] is not synced.
func (w *Writer) WriteFile(ctx context.Context, dir, file string) (SegmentInfo, error) {
	defer w.Discard()
	info := SegmentInfo{File: file, Sections: w.Len(), Created: w.created}
	err := writeFile(dir, file, !w.brief, func(out io.Writer) (err error) {
		info.Bytes, info.CRC, err = w.write(writerFunc(func(p []byte) (int, error) {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			return out.Write(p)
		}))
		return err
	})
	return info, err
}

// writerFunc is an io.Writer from a function.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Manifest returns the manifest of a snapshot whose segments were all written by w.
func (w *Writer) Manifest(name string, segments ...SegmentInfo) Manifest {
	return Manifest{
		Version: FormatVersion, Name: name, Kind: w.schema.Kind, Fields: w.schema.Fields,
		Segments: segments, Fingerprint: Fingerprint(w.files),
	}
}

// Publish writes the manifest and makes it the current one of its kind. The files that the manifest
// names must be complete. Only the holder of the builder's lock may publish.
func Publish(dir string, m Manifest) error {
	if err := store(dir, m, true); err != nil {
		return err
	}
	return writeBytes(dir, currentName+string(m.Kind), true, []byte(m.Name+"\n"))
}

// Store writes the manifest of a temporary snapshot. It does not make the snapshot current or sync it to disk. Open
// it by its name, and remove it with [Remove].
func Store(dir string, m Manifest) error { return store(dir, m, false) }

func store(dir string, m Manifest, lasting bool) error {
	if err := checkName(m.Name); err != nil {
		return err
	}
	data, err := m.encode()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("store snapshot: %w", err)
	}
	defer root.Close()
	if _, err := root.Lstat(m.Name + manifestExt); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store snapshot %s: %w", m.Name, errors.Join(err, fs.ErrExist))
	}
	return writeBytes(dir, m.Name+manifestExt, lasting, data)
}

func writeBytes(dir, file string, lasting bool, data []byte) error {
	return writeFile(dir, file, lasting, func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	})
}

// writeFile replaces a file in one step: temporary file, sync, rename, sync of the directory. It syncs only
// if lasting. On an error it leaves no file behind.
func writeFile(dir, file string, lasting bool, fill func(io.Writer) error) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	defer root.Close()
	temp := file + tempExt
	if err = fillTemp(root, temp, lasting, fill); err == nil {
		err = root.Rename(temp, file)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", file, errors.Join(err, ignoreAbsent(root.Remove(temp))))
	}
	if !lasting {
		return nil
	}
	return syncDir(root)
}

func fillTemp(root *os.Root, temp string, lasting bool, fill func(io.Writer) error) (err error) {
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buf := bufio.NewWriterSize(f, 1<<18)
	if err := fill(buf); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil || !lasting {
		return err
	}
	return f.Sync()
}

func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
