package gazette

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// documents cuts XML documents apart that stand in one file: each starts with its
// declaration, or the file does.
type documents struct {
	in    *publication.Lines
	buf   []byte
	from  int // line where buf starts
	ahead []byte
	line  int // of ahead
	ended bool
}

var declaration = []byte("<?xml ")

func (d *documents) next() ([]byte, int, error) {
	d.buf, d.from = append(d.buf[:0], d.ahead...), d.line
	d.ahead = d.ahead[:0]
	long := false
	for !d.ended {
		line, n, err := d.in.Next()
		switch {
		case errors.Is(err, io.EOF):
			d.ended = true
			continue
		case errors.Is(err, publication.ErrTooLong):
			long = true
			continue
		case err != nil:
			return nil, n, err
		}
		if len(d.buf) == 0 {
			d.from = n
		}
		if at := startOfNext(d.buf, line); at >= 0 {
			d.buf = append(d.buf, line[:at]...)
			d.ahead, d.line = append(d.ahead, line[at:]...), n
			d.ahead = append(d.ahead, '\n')
			return d.record(long)
		}
		if long = long || len(d.buf)+len(line) > publication.MaxRecord; !long {
			d.buf = append(append(d.buf, line...), '\n')
		}
	}
	if len(bytes.TrimSpace(d.buf)) == 0 && !long {
		return nil, d.from, io.EOF
	}
	return d.record(long)
}

// startOfNext is where in a line another document than the one in buf starts, or -1.
func startOfNext(buf, line []byte) int {
	at := bytes.Index(line, declaration)
	if at < 0 || len(bytes.TrimSpace(buf)) == 0 && len(bytes.TrimSpace(line[:at])) == 0 {
		return -1
	}
	return at
}

func (d *documents) record(long bool) ([]byte, int, error) {
	if long {
		return nil, d.from, errRecord{fmt.Errorf("the document is %w", publication.ErrTooLong)}
	}
	return d.buf, d.from, nil
}
