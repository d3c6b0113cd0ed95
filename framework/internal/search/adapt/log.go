package adapt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// rotateAt is the size from which on the file is renamed and a new one is started.
const rotateAt = 16 << 20

const (
	rotatedSuffix = ".1"
	lockSuffix    = ".lock"
)

// Journal stores rows, in a file or in a store that several servers share.
type Journal interface {
	// Append adds a row. It returns the rows to update the thresholds with since the last call: this row, and the
	// rows of other servers if they share the journal.
	Append(Row) ([]Row, error)
	// Rows returns the newest rows, oldest first, of about most bytes in total.
	Rows(most int64) ([]Row, error)
	Close() error
}

// Log is a journal in a file. Any number of processes and goroutines append to it at once: a row
// is one write in append mode. No file is held open between calls, so that it can be renamed on
// every system. A file that does not begin with a row belongs to another program: it is neither
// written nor renamed nor replaced.
type Log struct {
	root   *os.Root
	name   string
	rotate int64
	now    func() time.Time
}

// OpenLog returns the file at name, a path with slashes below the folder dir. No link below dir is followed. The first
// row creates the file and its folders.
func OpenLog(dir, name string) (*Log, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of statistics: %w", err)
	}
	return &Log{root: root, name: path.Clean(name), rotate: rotateAt, now: time.Now}, nil
}

// Close closes the folder.
func (l *Log) Close() error { return l.root.Close() }

// Append implements [Journal].
func (l *Log) Append(r Row) ([]Row, error) {
	line, err := r.encode()
	if err == nil {
		err = l.appendLine(line)
	}
	if err != nil {
		return nil, fmt.Errorf("append statistics: %w", err)
	}
	return []Row{r}, nil
}

func (l *Log) appendLine(line []byte) error {
	if err := l.root.MkdirAll(path.Dir(l.name), 0o700); err != nil {
		return err
	}
	if err := l.rotateIfFull(); err != nil {
		return err
	}
	f, size, err := l.openOwn(l.name, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	if unfinished(f, size) {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(line)
	return errors.Join(err, f.Close())
}

// unfinished reports whether the last line has no newline, so that the next row must start a new line. A row that
// another process is just writing may look unfinished too, which only costs an empty line.
func unfinished(f *os.File, size int64) bool {
	var last [1]byte
	n, _ := f.ReadAt(last[:], max(0, size-1))
	return n == 1 && last[0] != '\n'
}

// Rows returns the newest rows, oldest first, from at most the last most bytes of the file and of the one before it.
// Lines that are not rows are skipped.
func (l *Log) Rows(most int64) ([]Row, error) {
	var rows []Row
	for _, name := range []string{l.name, l.name + rotatedSuffix} {
		data, err := l.tail(name, most)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read statistics: %w", err)
		}
		rows = append(parseLines(data, l.now()), rows...)
		most -= int64(len(data))
	}
	return rows, nil
}

// tail reads the whole lines in the last most bytes of a file.
func (l *Log) tail(name string, most int64) ([]byte, error) {
	f, size, err := l.open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	from := max(0, size-most-1) // with the byte before, which shows whether a line starts here
	data, err := io.ReadAll(io.NewSectionReader(f, from, size-from))
	if size > most {
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	return data[:bytes.LastIndexByte(data, '\n')+1], err
}

// open opens a regular file below the root and returns its size. It fails if a part of the path is a link, which would
// lead rows to where another program wants them.
func (l *Log) open(name string, flag int) (*os.File, int64, error) {
	for p := name; p != "."; p = path.Dir(p) {
		info, err := l.root.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		if regular := info.Mode().IsRegular(); p == name && !regular || p != name && !info.IsDir() {
			return nil, 0, fmt.Errorf("%s is a link or a special file", p)
		}
	}
	f, err := l.root.OpenFile(name, flag, 0o600)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// openOwn is like open, but fails for a file of another program, that is, one that is not empty and
// does not begin with a row.
func (l *Log) openOwn(name string, flag int) (*os.File, int64, error) {
	f, size, err := l.open(name, flag)
	if err != nil {
		return nil, 0, err
	}
	start := make([]byte, min(size, longestStart))
	_, err = io.ReadFull(io.NewSectionReader(f, 0, size), start)
	if err == nil && size > 0 && !rowStart().Match(start) {
		err = fmt.Errorf("%s does not begin with a row of statistics: it is left alone", f.Name())
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// rowStart matches the start of every row, even an unfinished one.
var rowStart = lazyregexp.New(`^\{"ts":\d+,"tool":"\w+","(query_hash|added_evidence_count)":`)

// longestStart is greater than the length of any match of rowStart.
const longestStart = 200

// checkOwn fails for a file that must not be renamed or replaced.
func (l *Log) checkOwn(name string) error {
	f, _, err := l.openOwn(name, os.O_RDONLY)
	if err != nil {
		return err
	}
	return f.Close()
}

// rotateIfFull renames a full file, unless another process is about to. It leaves the lock file,
// since another process may hold it.
func (l *Log) rotateIfFull() error {
	if !l.full() {
		return nil
	}
	if err := l.checkOwn(l.name); errors.Is(err, fs.ErrNotExist) {
		return nil // another process has just renamed it
	} else if err != nil {
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
		if err = l.checkOwn(l.name + rotatedSuffix); err == nil || errors.Is(err, fs.ErrNotExist) {
			err = l.root.Rename(l.name, l.name+rotatedSuffix)
		}
	}
	return errors.Join(err, lock.Close())
}

func (l *Log) full() bool {
	info, err := l.root.Lstat(l.name)
	return err == nil && info.Size() >= l.rotate
}

// Lines are a list that several servers append to.
type Lines interface {
	// Append adds a line. It returns the lines that were added since the last call, including this one, in the order
	// that all servers see.
	Append(ctx context.Context, line []byte) ([][]byte, error)
	// Newest returns at most n lines, the oldest first.
	Newest(ctx context.Context, n int) ([][]byte, error)
}

// Shared is a journal of several servers.
type Shared struct{ Lines Lines }

// usualRow is the approximate size of a row in bytes.
const usualRow = 600

// Append implements [Journal].
func (s Shared) Append(r Row) ([]Row, error) {
	line, err := r.encode()
	if err != nil {
		return nil, fmt.Errorf("append statistics: %w", err)
	}
	lines, err := s.Lines.Append(context.Background(), line)
	if err != nil {
		return nil, fmt.Errorf("append statistics: %w", err)
	}
	return parseLines(bytes.Join(lines, nil), time.Now()), nil
}

// Rows implements [Journal].
func (s Shared) Rows(most int64) ([]Row, error) {
	lines, err := s.Lines.Newest(context.Background(), int(most/usualRow))
	if err != nil {
		return nil, fmt.Errorf("read statistics: %w", err)
	}
	return parseLines(bytes.Join(lines, nil), time.Now()), nil
}

// Close implements [Journal].
func (s Shared) Close() error { return nil }
