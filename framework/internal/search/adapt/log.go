package adapt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// rotateAt is the size from which on the file is renamed and begun anew.
const rotateAt = 16 << 20

const (
	rotatedSuffix = ".1"
	lockSuffix    = ".lock"
)

// Log is the file of rows. Any number of processes append to it at once: a row
// is one write in append mode. No file is held open between calls, so that it
// can be renamed on every system. Not safe for concurrent use within a process;
// [Recorder] takes care of that. A file that does not begin with a row is somebody
// else's: it is neither written nor renamed nor replaced.
type Log struct {
	root   *os.Root
	name   string
	rotate int64
	now    func() time.Time

	seen   fs.FileInfo // the file that was followed last
	offset int64       // up to where
}

// OpenLog returns the file at name, a path with slashes below the folder dir. No
// link below dir is followed. The file and its folders are made by the first row.
func OpenLog(dir, name string) (*Log, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of statistics: %w", err)
	}
	return &Log{root: root, name: path.Clean(name), rotate: rotateAt, now: time.Now}, nil
}

// Close lets go of the folder.
func (l *Log) Close() error { return l.root.Close() }

// Append adds a row of any kind.
func (l *Log) Append(r line) error {
	line, err := r.encode()
	if err != nil {
		return err
	}
	if err := l.root.MkdirAll(path.Dir(l.name), 0o700); err != nil {
		return fmt.Errorf("append statistics: %w", err)
	}
	if err := l.rotateIfFull(); err != nil {
		return fmt.Errorf("rotate statistics: %w", err)
	}
	f, info, err := l.open(l.name, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("append statistics: %w", err)
	}
	if err = l.checkOwn(f, info); err == nil {
		if torn(f, info.Size()) {
			line = append([]byte{'\n'}, line...)
		}
		_, err = f.Write(line)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("append statistics: %w", err)
	}
	return nil
}

// torn reports whether the last line was never finished: what follows must not
// become part of it. A row that another process is writing right now may look
// so too, which costs an empty line.
func torn(f *os.File, size int64) bool {
	var last [1]byte
	n, _ := f.ReadAt(last[:], max(0, size-1))
	return n == 1 && last[0] != '\n'
}

// open opens a regular file below the root; a link on the way is refused, for
// the rows would go where somebody else wants them.
func (l *Log) open(name string, flag int) (*os.File, fs.FileInfo, error) {
	for p := name; p != "."; p = path.Dir(p) {
		info, err := l.root.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if regular := info.Mode().IsRegular(); p == name && !regular || p != name && !info.IsDir() {
			return nil, nil, fmt.Errorf("%s is a link or a special file", p)
		}
	}
	f, err := l.root.OpenFile(name, flag, 0o600)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// rotateIfFull renames a full file, unless another process is about to: then the row
// goes to whichever file it finds. The file of the lock stays: another process may
// hold it.
func (l *Log) rotateIfFull() error {
	if !l.full() {
		return nil
	}
	if err := l.check(l.name); err != nil {
		return err
	}
	name := l.name + lockSuffix
	f, _, err := l.open(name, os.O_RDWR|os.O_CREATE)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return err
	}
	lock := flock.New(filepath.Join(l.root.Name(), filepath.FromSlash(name)))
	if held, err := lock.TryLock(); err != nil || !held {
		return err
	}
	if l.full() { // another process may have renamed it since
		if err = l.check(l.name + rotatedSuffix); err == nil || errors.Is(err, fs.ErrNotExist) {
			err = l.root.Rename(l.name, l.name+rotatedSuffix)
		}
	}
	return errors.Join(err, lock.Close())
}

// check says what is wrong with a file that is to be renamed or replaced.
func (l *Log) check(name string) error {
	f, info, err := l.open(name, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return l.checkOwn(f, info)
}

// checkOwn fails for a file that another program wrote: it holds something and does not begin
// with a row.
func (l *Log) checkOwn(f *os.File, info fs.FileInfo) error {
	start, err := section(f, 0, min(info.Size(), longestRow))
	if err == nil && len(start) > 0 && !begins(start) {
		err = fmt.Errorf("%s does not begin with a row of statistics: it is left alone", f.Name())
	}
	return err
}

func (l *Log) full() bool {
	info, err := l.root.Lstat(l.name)
	return err == nil && info.Size() >= l.rotate
}

// section reads the bytes [from, to) of a file.
func section(f *os.File, from, to int64) ([]byte, error) {
	data := make([]byte, to-from)
	n, err := f.ReadAt(data, from)
	if errors.Is(err, io.EOF) { // it was cut meanwhile
		err = nil
	}
	return data[:n], err
}
