package publication

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// MaxRecord is the longest record that is read, in bytes.
const MaxRecord = 64 << 20

// Refused is a record that was not taken.
type Refused = corpus.Refused

// Reader reads publications from JSON Lines, one at a time.
type Reader struct {
	// Refuse, if not nil, is called with each record that is not taken.
	Refuse func(Refused)

	lines *Lines
	line  int
}

// NewReader reads from r.
func NewReader(r io.Reader) *Reader { return &Reader{lines: NewLines(r)} }

// Line returns the line of the record that Next gave last, from 1.
func (r *Reader) Line() int { return r.line }

// Next returns the next publication; io.EOF at the end. Records that cannot be read are passed
// over; other errors are r's.
func (r *Reader) Next() (*Publication, error) {
	for {
		line, n, err := r.lines.Next()
		r.line = n
		if err != nil && !errors.Is(err, ErrTooLong) {
			return nil, err
		}
		if err == nil && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var p *Publication
		if err == nil {
			p, err = Decode(line)
		}
		if err == nil {
			return p, nil
		}
		if r.Refuse != nil {
			r.Refuse(Refused{Line: n, ID: IDOf(line), Reason: err.Error()})
		}
	}
}

// IDOf returns the pub_id of a JSON record that was refused, "" when it has none.
func IDOf(record []byte) string {
	var r struct {
		ID any `json:"pub_id"`
	}
	if json.Unmarshal(record, &r) != nil || r.ID == nil {
		return ""
	}
	return fmt.Sprintf("%.80v", r.ID)
}

// ErrTooLong is the error of a line longer than [MaxRecord].
var ErrTooLong = fmt.Errorf("longer than %d MB", MaxRecord>>20)

// Lines reads lines of any length up to [MaxRecord].
type Lines struct {
	in   *bufio.Reader
	line int
	buf  []byte
}

// NewLines reads from r.
func NewLines(r io.Reader) *Lines { return &Lines{in: bufio.NewReaderSize(r, 64<<10)} }

// Next returns the next line without its end, and its number from 1; io.EOF behind the last.
// A line that is too long is passed over whole with ErrTooLong. The next call overwrites
// the line.
func (l *Lines) Next() ([]byte, int, error) {
	l.buf, l.line = l.buf[:0], l.line+1
	read, long := 0, false
	for {
		piece, err := l.in.ReadSlice('\n')
		read += len(piece)
		if long = long || len(l.buf)+len(piece) > MaxRecord; !long {
			l.buf = append(l.buf, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !(errors.Is(err, io.EOF) && read > 0):
			return nil, l.line, err
		case long:
			return nil, l.line, ErrTooLong
		}
		line := bytes.TrimSuffix(bytes.TrimSuffix(l.buf, []byte("\n")), []byte("\r"))
		if l.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		return line, l.line, nil
	}
}
