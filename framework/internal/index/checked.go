package index

import (
	"bytes"
	"encoding/gob"
	"errors"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// checkedFile returns the name of the file that tells other processes which files were read again since they were
// indexed and were unchanged. These are files changed shortly before the index was built, or touched since.
func checkedFile(kind snapshot.Kind) string { return string(kind) + "-checked.gob" }

// recheck records that a file was read again, at a time or later, and is unchanged.
func (x *Index) recheck(f snapshot.File, read time.Time) {
	x.known[key{f.Group, f.Path}] = memo{file: f, read: read, again: true}
	x.rechecked = true
}

// saveChecked saves which files were read again. The caller holds the update lock.
func (x *Index) saveChecked() {
	if x.rechecked {
		x.rechecked = !x.share(x.known, checkedFile(x.schema.Kind))
	}
}

// share saves what was read again for other processes, in a file, and returns false while one of them builds. It is
// best effort: without the file, the next process reads again itself.
func (x *Index) share(m memory, file string) bool {
	unlock, ok := tryLock(x.opts.Dir, lockFile)
	if !ok {
		return false
	}
	if err := errors.Join(m.write(x.opts.Dir, file), unlock()); err != nil {
		x.log.Debug("other processes will read again what was read", "file", file, "error", err)
	}
	return true
}

// shared returns what another process saved with share.
func (x *Index) shared(file string) memory {
	m, err := readChecked(x.opts.Dir, file)
	if err != nil {
		x.log.Debug("what other processes read is read again", "file", file, "error", err)
	}
	return m
}

// checked is a [memo] as stored on disk.
type checked struct {
	File snapshot.File
	Read time.Time
}

// write saves the files that were read again.
func (m memory) write(dir, name string) error {
	var all []checked
	for _, k := range m {
		if k.again {
			all = append(all, checked{k.file, k.read})
		}
	}
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(all); err != nil {
		return err
	}
	return writeKept(dir, name, out.Bytes())
}

// readChecked returns what [memory.write] wrote.
func readChecked(dir, name string) (memory, error) {
	data, err := readKept(dir, name)
	if data == nil {
		return nil, err
	}
	return decodeChecked(data)
}

func decodeChecked(data []byte) (memory, error) {
	var all []checked
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&all); err != nil {
		return nil, err
	}
	m := make(memory, len(all))
	for _, c := range all {
		m[key{c.File.Group, c.File.Path}] = memo{file: c.File, read: c.Read, again: true}
	}
	return m, nil
}
