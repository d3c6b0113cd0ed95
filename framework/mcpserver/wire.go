package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// wire stands between the MCP library and the client's streams, a message a
// line. It delays the end of input until the requests read so far are
// answered, and lets progress be written before the result it belongs to.
type wire struct {
	ctx   context.Context
	in    *bufio.Reader
	line  []byte // what is left of the message being read
	out   io.Writer
	grace time.Duration

	mu      sync.Mutex // guards out and open
	open    int        // requests not yet answered
	settled chan struct{}
	closed  bool
}

func newWire(ctx context.Context, in io.Reader, out io.Writer, grace time.Duration) *wire {
	return &wire{ctx: ctx, in: bufio.NewReader(in), out: out, grace: grace, settled: make(chan struct{}, 1)}
}

// Read hands on whole messages and counts the requests among them.
func (w *wire) Read(p []byte) (int, error) {
	if len(w.line) == 0 {
		line, err := w.in.ReadBytes('\n')
		if err != nil && len(line) == 0 {
			w.settle()
			return 0, err
		}
		if err != nil {
			line = append(line, '\n') // the library drops a last line without an end
		}
		w.line = line
		if isRequest(line) {
			w.count(1)
		}
	}
	n := copy(p, w.line)
	w.line = w.line[n:]
	return n, nil
}

func isRequest(line []byte) bool {
	var message struct {
		Method string
		ID     json.RawMessage
	}
	return json.Unmarshal(line, &message) == nil && message.Method != "" && len(message.ID) > 0 && string(message.ID) != "null"
}

// Write takes one message of the MCP library, which writes each at once.
func (w *wire) Write(p []byte) (int, error) {
	n, err := w.send(p)
	if answers(p) {
		w.count(-1)
	}
	return n, err
}

// answers says whether a message answers a request. Notifications have no id,
// answers to unreadable messages a null one.
func answers(line []byte) bool {
	const head = `{"jsonrpc":"2.0","id":`
	return bytes.HasPrefix(line, []byte(head)) && !bytes.HasPrefix(line[len(head):], []byte("null"))
}

func (w *wire) send(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *wire) count(by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open += by
	if w.open <= 0 {
		select {
		case w.settled <- struct{}{}:
		default:
		}
	}
}

// settle waits until every request is answered, for a while.
func (w *wire) settle() {
	timeout := time.NewTimer(w.grace)
	defer timeout.Stop()
	for w.pending() > 0 {
		select {
		case <-w.settled:
		case <-timeout.C:
			return
		case <-w.ctx.Done():
			return
		}
	}
}

func (w *wire) pending() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

// close silences progress of calls that outlive the session.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// progressPause is the least time between two notifications of one call.
const progressPause = 100 * time.Millisecond

// progress writes notifications for one call: growing, and not more often than
// anybody can read, but always the last step.
func (w *wire) progress(token mcp.ProgressToken) progress {
	var mu sync.Mutex
	var last time.Time
	told := -1
	return func(done, total int, message string) {
		mu.Lock()
		defer mu.Unlock()
		if done <= told || done != total && time.Since(last) < progressPause {
			return
		}
		told, last = done, time.Now()
		w.notify(token, done, total, message)
	}
}

func (w *wire) notify(token mcp.ProgressToken, done, total int, message string) {
	params := map[string]any{"progressToken": token, "progress": done, "message": message}
	if total > 0 {
		params["total"] = total
	}
	line, err := marshal(map[string]any{"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		// A client that no longer reads is found out by its answer's own write.
		_, _ = w.out.Write(append(line, '\n'))
	}
}
