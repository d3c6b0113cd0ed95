package gazette

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// Format is how records are written.
type Format string

const (
	Auto  Format = "auto"  // by the first bytes of each file
	JSONL Format = "jsonl" // an object a line
	JSON  Format = "json"  // a list of objects, or objects one after the other
	XML   Format = "xml"   // XML documents of the US and the Japanese office, one after the other
)

// Formats are the formats by name. Archives in zip hold files of any of them.
var Formats = []Format{Auto, JSONL, JSON, XML}

// source reads the records of a file one by one.
type source interface {
	// next is a record and the line it starts on, io.EOF behind the last. An errRecord is
	// the record's alone; the next call overwrites the record.
	next() (record []byte, line int, err error)
	// decode reads a record that next gave.
	decode(record []byte) (*publication.Publication, error)
}

// errRecord is an error that costs one record.
type errRecord struct{ error }

// open finds the format of a file, if it is not given, and a source of its records.
func open(f Format, file io.Reader) (source, error) {
	in := bufio.NewReaderSize(file, 64<<10)
	start, err := in.Peek(in.Size())
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if rest, marked := bytes.CutPrefix(start, []byte("\xef\xbb\xbf")); marked {
		start = rest
		_, _ = in.Discard(3) // it was peeked
	}
	start = bytes.TrimLeft(start, " \t\r\n")
	if f == Auto {
		if f, err = detect(start); err != nil {
			return nil, err
		}
	}
	switch f {
	case JSONL:
		return lines{in: publication.NewLines(in)}, nil
	case JSON:
		o := &objects{count: &lineEnds{in: in}, list: bytes.HasPrefix(start, []byte("["))}
		o.dec = json.NewDecoder(o.count)
		if o.list {
			if _, err := o.dec.Token(); err != nil { // goes past the bracket
				return nil, err
			}
		}
		return o, nil
	}
	return &documents{in: publication.NewLines(in)}, nil
}

// detect recognises a format by the start of a file.
func detect(start []byte) (Format, error) {
	line, _, whole := bytes.Cut(start, []byte("\n"))
	switch {
	case len(start) == 0:
		return JSONL, nil
	case start[0] == '<':
		return XML, nil
	case start[0] == '[' || start[0] == '{' && whole && !json.Valid(line):
		return JSON, nil
	case start[0] == '{':
		return JSONL, nil
	}
	return "", fmt.Errorf("it is neither JSON nor XML nor a zip archive: it starts with %.20q", start)
}

// lines are the lines of JSON Lines.
type lines struct{ in *publication.Lines }

func (lines) decode(record []byte) (*publication.Publication, error) {
	return publication.Decode(record)
}

func (l lines) next() ([]byte, int, error) {
	for {
		line, n, err := l.in.Next()
		if errors.Is(err, publication.ErrTooLong) {
			err = errRecord{err}
		}
		if err != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, n, err
		}
	}
}

// objects are the objects of a list, or one after the other.
type objects struct {
	count *lineEnds
	dec   *json.Decoder
	list  bool
	ended bool
}

func (*objects) decode(record []byte) (*publication.Publication, error) {
	return publication.Decode(record)
}

func (o *objects) next() ([]byte, int, error) {
	if o.ended || o.list && !o.dec.More() {
		return nil, 0, io.EOF
	}
	var record json.RawMessage
	o.count.most = o.dec.InputOffset() + publication.MaxRecord
	err := o.dec.Decode(&record)
	line := o.count.line(o.dec.InputOffset() - int64(len(record)))
	switch {
	case errors.Is(err, io.EOF) && !o.list:
		return nil, line, io.EOF
	case err != nil: // where the next record starts is not known any more
		o.ended = true
		if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
			line = o.count.line(bad.Offset - 1)
		}
		return nil, line, errRecord{fmt.Errorf("the rest of the file cannot be read: %w", err)}
	}
	return record, line, nil
}

// lineEnds records where lines end, until they are asked for.
type lineEnds struct {
	in     io.Reader
	read   int64
	most   int64 // read at most so far, and what fits into the reader's buffer
	ends   []int64
	passed int // lines whose ends were forgotten
}

func (n *lineEnds) Read(p []byte) (int, error) {
	if n.most > 0 && n.read > n.most {
		return 0, publication.ErrTooLong
	}
	got, err := n.in.Read(p)
	for i, b := range p[:got] {
		if b == '\n' {
			n.ends = append(n.ends, n.read+int64(i))
		}
	}
	n.read += int64(got)
	return got, err
}

// line returns the line, from 1, of an offset of the decoder; offsets ascend.
func (n *lineEnds) line(offset int64) int {
	for len(n.ends) > 0 && n.ends[0] < offset {
		n.ends = n.ends[1:]
		n.passed++
	}
	return n.passed + 1
}

// documents cuts XML documents apart that stand in one file: each starts with its
// declaration or, in SGML, with its type; or the file does.
type documents struct {
	in      *publication.Lines
	buf     []byte
	from    int    // line where buf starts
	pending []byte // the rest of a line, from the start of the next document
	line    int    // of pending
	ended   bool
}

func (*documents) decode(record []byte) (*publication.Publication, error) { return decodeXML(record) }

var (
	declaration  = []byte("<?xml ")
	documentType = []byte("<!DOCTYPE PATDOC")
)

func (d *documents) next() ([]byte, int, error) {
	d.buf, d.from = d.buf[:0], d.line
	long := false
	for !d.ended {
		line, n, err := d.pending, d.line, error(nil)
		if d.pending = nil; line == nil {
			line, n, err = d.in.Next()
		}
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
			d.pending, d.line = line[at:], n // stays until the next call of in.Next
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

// startOfNext returns where in a line another document than the one in buf starts, or -1.
func startOfNext(buf, line []byte) int {
	at := bytes.Index(line, declaration)
	if at < 0 && bytes.HasPrefix(line, documentType) && bytes.Contains(buf, []byte("</PATDOC>")) {
		at = 0
	}
	if at < 0 || len(bytes.TrimSpace(buf)) > 0 || len(bytes.TrimSpace(line[:at])) > 0 {
		return at
	}
	if next := bytes.Index(line[at+1:], declaration); next >= 0 { // the first starts the document itself
		return at + 1 + next
	}
	return -1
}

func (d *documents) record(long bool) ([]byte, int, error) {
	if long {
		return nil, d.from, errRecord{fmt.Errorf("the document is %w", publication.ErrTooLong)}
	}
	return d.buf, d.from, nil
}
