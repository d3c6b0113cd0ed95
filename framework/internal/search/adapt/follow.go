package adapt

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// startTail is how much of the file a start reads: some hundred rows, enough for
// both windows that thresholds are judged by, in a few milliseconds.
const startTail = 256 << 10

// Follow hands over the rows that were added since the last call, by whatever
// process and in the order of the file; the first call begins with the last
// rows. Lines that are no rows are skipped; one that is still being written is
// left for the next call. When very much was added, the oldest of it is skipped.
func (l *Log) Follow(add func(Row)) error {
	f, info, err := l.open(l.name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("follow statistics: %w", err)
	}
	defer f.Close()
	switch {
	case l.seen == nil:
		err = l.rotated(startTail-info.Size(), add)
	case !os.SameFile(l.seen, info):
		err = l.rest(add)
		l.offset = 0
	case info.Size() < l.offset: // somebody cut it
		l.offset = 0
	}
	if err != nil {
		return err
	}
	l.offset, err = l.rows(f, l.offset, info.Size(), startTail, add)
	l.seen = info
	return err
}

// Rows returns the newest rows, oldest first, from at most the last most bytes.
func (l *Log) Rows(most int64) (rows []Row, err error) {
	add := func(r Row) { rows = append(rows, r) }
	f, info, err := l.open(l.name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		err = l.rotated(most, add)
		return rows, err
	}
	if err != nil {
		return nil, fmt.Errorf("read statistics: %w", err)
	}
	defer f.Close()
	if err := l.rotated(most-info.Size(), add); err != nil {
		return nil, err
	}
	_, err = l.rows(f, 0, info.Size(), most, add)
	return rows, err
}

// rotated hands over the last rows of the file before this one.
func (l *Log) rotated(most int64, add func(Row)) error {
	if most <= 0 {
		return nil
	}
	return l.old(func(f *os.File, info fs.FileInfo) error {
		_, err := l.rows(f, 0, info.Size(), most, add)
		return err
	})
}

// rest hands over what was added to the followed file before it was renamed.
func (l *Log) rest(add func(Row)) error {
	return l.old(func(f *os.File, info fs.FileInfo) error {
		if !os.SameFile(l.seen, info) {
			return nil // renamed twice: the rest is gone
		}
		_, err := l.rows(f, l.offset, info.Size(), startTail, add)
		return err
	})
}

// old opens the file before this one, if there is one.
func (l *Log) old(read func(*os.File, fs.FileInfo) error) error {
	f, info, err := l.open(l.name+rotatedSuffix, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read older statistics: %w", err)
	}
	defer f.Close()
	return read(f, info)
}

// rows hands over the rows in [from, to) of a file, or in its last most bytes,
// and returns the offset of the first line that is not finished.
func (l *Log) rows(f *os.File, from, to, most int64, add func(Row)) (int64, error) {
	cut := to-from > most
	if cut {
		from = to - most - 1 // with the byte before, which shows whether a line begins
	}
	data, err := section(f, from, to)
	if err != nil {
		return from, fmt.Errorf("read statistics: %w", err)
	}
	start := 0
	if cut {
		start = bytes.IndexByte(data, '\n') + 1
	}
	end := scan(data[start:], l.now(), add) + start
	if len(data)-end > longestRow {
		end = len(data) // an endless line is no row
	}
	return from + int64(end), nil
}

// scan hands over the rows of the finished lines in data, and returns where the
// last of these lines ends.
func scan(data []byte, now time.Time, add func(Row)) int {
	end := bytes.LastIndexByte(data, '\n') + 1
	for line := range bytes.Lines(data[:end]) {
		if r, ok := parse(line, now); ok {
			add(r)
		}
	}
	return end
}
