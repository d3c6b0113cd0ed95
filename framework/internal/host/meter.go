package host

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/hashicorp/go-hclog"
)

const (
	// meterWindow is the period over which log bytes of a strategy are counted.
	meterWindow = time.Second
	// meterBytes is the maximum number of bytes logged per window.
	meterBytes = 64 << 10
	// meterLine is the longest piece that is counted at once.
	meterLine = 16 << 10
)

// meter passes on a strategy's log lines up to a rate limit, and discards the rest, so that the
// strategy does not block and the host's log stays readable.
type meter struct {
	in     *bufio.Reader
	logger hclog.Logger
	now    func() time.Time

	pending []byte
	began   time.Time // of the window
	passed  int       // in the window, bytes
	dropped int       // in the window, bytes

	dies    func(message string) // called with the message of a dying process; may be nil
	ended   func()               // called at the end of the input; may be nil
	dumping bool                 // the input is a stack dump
}

func newMeter(in io.Reader, logger hclog.Logger, now func() time.Time) *meter {
	return &meter{in: bufio.NewReaderSize(in, meterLine), logger: logger, now: now}
}

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	for len(m.pending) == 0 {
		line, err := m.in.ReadSlice('\n')
		if len(line) > 0 {
			m.admit(line)
		}
		if len(m.pending) == 0 && err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			if m.ended != nil {
				m.ended()
			}
			return 0, err
		}
	}
	n := copy(p, m.pending)
	m.pending = m.pending[n:]
	return n, nil
}

// debugging makes go-plugin log a line at level debug; otherwise it would log each line of a panic as an error. The
// end of the process and the outcome of the call are logged anyway.
const debugging = "[DEBUG] "

// admit passes a line on, or drops and counts it.
func (m *meter) admit(line []byte) {
	if lastWords(line) && m.dies != nil && !m.dumping {
		m.dies(string(bytes.TrimSpace(line)))
		m.dumping = true
	}
	if m.dumping && !bytes.HasPrefix(line, []byte("{")) {
		line = append([]byte(debugging), line...)
	}
	if now := m.now(); now.Sub(m.began) >= meterWindow {
		if m.dropped > 0 {
			m.logger.Warn("a strategy logged too much", "dropped_bytes", m.dropped)
		}
		m.began, m.passed, m.dropped = now, 0, 0
	}
	if m.passed+len(line) > meterBytes {
		m.dropped += len(line)
		return
	}
	m.passed += len(line)
	m.pending = own(line)
}

// lastWords reports whether a line starts the message of a crashing Go program.
func lastWords(line []byte) bool {
	return bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: "))
}

// printed logs a strategy's output after its start, up to a rate limit. It logs at level debug, since the output may
// contain a query.
type printed struct{ *meter }

func newPrinted(logger hclog.Logger, name string) printed {
	return printed{&meter{logger: logger.Named(name), now: time.Now}}
}

// Write implements io.Writer.
func (p printed) Write(text []byte) (int, error) {
	for line := range bytes.Lines(text) {
		if p.admit(line); len(p.pending) > 0 {
			p.logger.Debug(string(bytes.TrimRight(p.pending, "\n")))
			p.pending = nil
		}
	}
	return len(text), nil
}

// own returns a piece of a strategy's log without the keys for time, module, level and message,
// which would otherwise appear in the host's log next to the host's own.
func own(piece []byte) []byte {
	var entry map[string]json.RawMessage
	if json.Unmarshal(piece, &entry) != nil {
		if bytes.HasPrefix(bytes.TrimSpace(piece), []byte("{")) && !bytes.HasSuffix(piece, []byte("\n")) {
			return append(bytes.Clone(piece), '\n') // too long to parse, so not an entry
		}
		return piece
	}
	keys := len(entry)
	for _, key := range []string{"ts", "module", "level", "msg", "@module"} {
		delete(entry, key)
	}
	if len(entry) == keys {
		return piece
	}
	rest, _ := json.Marshal(entry) // it was JSON
	return append(rest, '\n')
}
