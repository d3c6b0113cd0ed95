package host

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/netip"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Stdout implements runner.Runner.
func (r *runner) Stdout() io.ReadCloser {
	return &handshakeReader{Closer: r.stdout, in: bufio.NewReader(r.stdout), runner: r}
}

// Stderr implements runner.Runner.
func (r *runner) Stderr() io.ReadCloser {
	m := newMeter(io.TeeReader(r.stderr, &r.stderrTail), r.logger, time.Now)
	m.dies, m.ended = r.stderrTail.died, sync.OnceFunc(func() { close(r.said) })
	return struct {
		io.Reader
		io.Closer
	}{m, r.stderr}
}

// handshakeReader returns one line of a strategy's stdout: the transport's handshake. Everything
// else printed there goes to the log, so that it cannot break the start.
type handshakeReader struct {
	io.Closer
	in      *bufio.Reader
	runner  *runner // whose stdout it is
	pending []byte
}

// Read implements io.Reader.
func (h *handshakeReader) Read(p []byte) (int, error) {
	for len(h.pending) == 0 {
		line, err := h.in.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return 0, err
		}
		if !h.runner.handshaken.Load() && isHandshake(line, h.runner.dir) {
			h.pending = bytes.Clone(line)
			h.runner.handshaken.Store(true)
			if version, err := strconv.Atoi(string(bytes.Split(line, []byte("|"))[1])); err == nil {
				h.runner.protocol.Store(int64(version))
			}
			break
		}
		h.runner.extraStdout.Add(int64(len(line)))
		h.runner.logger.Debug("a strategy printed to stdout", "bytes", len(line))
	}
	n := copy(p, h.pending)
	h.pending = h.pending[n:]
	return n, nil
}

// isHandshake reports whether a line has core protocol version 1, a version, a network, and an
// address that the process may use: the host must not be directed to another program's socket.
func isHandshake(line []byte, dir string) bool {
	parts := bytes.SplitN(line, []byte("|"), 5)
	if len(parts) != 5 || string(parts[0]) != "1" {
		return false
	}
	address := string(parts[3])
	if string(parts[2]) == "unix" {
		below, err := filepath.Rel(dir, address)
		return err == nil && filepath.IsLocal(below)
	}
	to, err := netip.ParseAddrPort(address)
	return runtime.GOOS == "windows" && string(parts[2]) == "tcp" && err == nil && to.Addr().IsLoopback()
}

// tailSize is the number of bytes of a strategy's stderr that are kept for error messages.
const tailSize = 4 << 10

// tail keeps the last bytes written to it.
type tail struct {
	mu    sync.Mutex
	data  []byte
	death string // the process's own message of its death, or ""
}

// died records the message of a dying process, since a long stack may follow.
func (t *tail) died(message string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.death = message
}

// lacksMemory matches the out-of-memory messages of programs in Go, C, C++, Rust, Python and Java.
var lacksMemory = lazyregexp.New(`(?i)out of ?memory|cannot allocate memory|bad_alloc|memory allocation of|memoryerror`)

// starved reports whether the process said that it was out of memory.
func (t *tail) starved() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return lacksMemory().MatchString(t.death) || lacksMemory().Match(t.data)
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - tailSize; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// lastLine returns the last line that is not a log line, cut at 200 bytes: a message of the wrapper, the runtime or
// the loader. If the process printed a crash message, it returns that; for a Python traceback it adds the last file
// and line.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, place := t.death, ""
	for line := range strings.Lines(string(t.data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "{") && t.death == "" {
			last = line
		}
		if strings.HasPrefix(line, `File "`) {
			place = " (" + line[:min(len(line), 200)] + ")"
		}
	}
	return strings.ToValidUTF8(last[:min(len(last), 200)]+place, "")
}
