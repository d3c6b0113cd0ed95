package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// maxFrame is the maximum number of bytes of one message; a larger one is refused before it is decoded.
const maxFrame = 8 << 20

// wire stands between the MCP library and the client's streams, with one message per line. It refuses input that is not
// a message of the protocol, and ignores responses, since this server makes no requests. It renumbers requests for the
// library and restores the client's ids as they were written. It delays the end of input until the requests read so far
// are answered, and lets progress be written before the result it belongs to. It holds back the answer to a cancelled
// request, which the library would send, and sets the code of a refusal, which the library cannot do.
type wire struct {
	ctx   context.Context
	in    *bufio.Reader
	line  []byte // the rest of the message being read
	out   io.Writer
	grace time.Duration

	mu      sync.Mutex // guards out and the following fields
	last    int        // number of the latest request
	open    map[int]*request
	settled chan struct{}
	closed  bool
}

// request is a request that is not answered yet.
type request struct {
	id        json.RawMessage // as the client wrote it
	cancelled bool            // no answer is wanted
	code      int             // of the refusal, if that is the answer; else 0
}

func newWire(ctx context.Context, in io.Reader, out io.Writer, grace time.Duration) *wire {
	return &wire{
		ctx: ctx, in: bufio.NewReader(in), out: out, grace: grace,
		open: map[int]*request{}, settled: make(chan struct{}, 1),
	}
}

// Read passes on whole messages.
func (w *wire) Read(p []byte) (int, error) {
	for len(w.line) == 0 {
		line, size, err := w.frame()
		if err != nil && size == 0 {
			w.settle()
			return 0, err
		}
		if size > maxFrame {
			w.reject(nil, mcp.INVALID_REQUEST,
				fmt.Sprintf("the message has %d bytes; at most %d are read", size, maxFrame))
			continue
		}
		w.line = w.accept(bytes.TrimSpace(line))
	}
	n := copy(p, w.line)
	w.line = w.line[n:]
	return n, nil
}

// frame reads the next line and returns its size; of a line that is too large, only the start.
func (w *wire) frame() (line []byte, size int, err error) {
	for {
		part, err := w.in.ReadSlice('\n')
		if size += len(part); size <= maxFrame {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
	}
}

// envelope is a request or a notification, or a response, which has no method.
type envelope struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// read reads a message. It returns why it is not a valid one, or "", and the code for that.
func (m *envelope) read(line []byte) (code int, flaw string) {
	if err := json.Unmarshal(line, m); err != nil {
		m.ID = nil
		switch {
		case !json.Valid(line):
			return mcp.PARSE_ERROR, "the message is no JSON: " + err.Error()
		case line[0] == '[':
			return mcp.INVALID_REQUEST, "batches are not supported: send one message at a time"
		}
		return mcp.INVALID_REQUEST, "the message is no JSON-RPC request"
	}
	switch {
	case m.Method == "" && (m.Result != nil || m.Error != nil):
	case m.ID != nil && m.ID[0] != '"' && m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9'):
		m.ID = nil
		return mcp.INVALID_REQUEST, "the id must be a string or a number"
	case m.Method == "":
		return mcp.INVALID_REQUEST, "the message has no method"
	}
	return 0, ""
}

// accept returns a message in the form for the library, or nil for none.
func (w *wire) accept(line []byte) []byte {
	if len(line) == 0 {
		return nil
	}
	var m envelope
	if code, flaw := m.read(line); flaw != "" {
		w.reject(m.ID, code, flaw)
		return nil
	}
	switch {
	case m.Method == "": // a response to a request that was never made
		return nil
	case m.ID != nil:
		m.ID = w.number(m.ID)
	case m.Method == "notifications/cancelled":
		if m.Params = w.cancel(m.Params); m.Params == nil {
			return nil
		}
	}
	line, err := toolset.Marshal(m)
	if err != nil {
		return nil // it was decoded from JSON
	}
	return append(line, '\n')
}

// number registers a request and returns the id for the library.
func (w *wire) number(id json.RawMessage) json.RawMessage {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last++
	w.open[w.last] = &request{id: id}
	return fmt.Append(nil, w.last)
}

// cancel returns the parameters that cancel the request that params name, or nil if there is none.
func (w *wire) cancel(params json.RawMessage) json.RawMessage {
	var named struct{ RequestID json.RawMessage }
	if json.Unmarshal(params, &named) != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for n, r := range w.open {
		if bytes.Equal(r.id, named.RequestID) && !r.cancelled {
			r.cancelled = true
			return fmt.Appendf(nil, `{"requestId":%d}`, n)
		}
	}
	return nil
}

// reject answers a message that is not a request.
func (w *wire) reject(id json.RawMessage, code int, message string) {
	line := rejection(id, code, message)
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(line)
}

// rejection returns the line that answers a message that is not a request.
func rejection(id json.RawMessage, code int, message string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	line, err := toolset.Marshal(map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "error": map[string]any{"code": code, "message": message},
	})
	if err != nil {
		return nil // it was decoded from JSON
	}
	return append(line, '\n')
}

// Write receives one message from the MCP library, which writes each in one piece.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line := p
	if n, rest := answers(p); n > 0 {
		r := w.answered(n)
		if r == nil || r.cancelled {
			return len(p), nil
		}
		if r.code != 0 {
			rest = replaceCode(rest, r.code)
		}
		line = slices.Concat([]byte(answerHead), r.id, rest)
	}
	_, err := w.out.Write(line)
	return len(p), err
}

// refusal is the failure of a request other than a tool call, with its protocol code.
type refusal struct {
	code    int
	message string
}

// Error implements error.
func (r refusal) Error() string { return r.message }

// refuse records, before an answer is written, that it is a refusal.
func (w *wire) refuse(_ context.Context, id any, _ mcp.MCPMethod, _ any, err error) {
	refused, is := errors.AsType[refusal](err)
	if !is {
		return
	}
	number, err := json.Marshal(id)
	if err != nil {
		return
	}
	n, _ := strconv.Atoi(string(number))
	w.mu.Lock()
	defer w.mu.Unlock()
	if r := w.open[n]; r != nil {
		r.code = refused.code
	}
}

// replaceCode replaces the library's error code with that of a refusal. rest is the answer after its id.
func replaceCode(rest []byte, code int) []byte {
	internal := fmt.Appendf(nil, `"code":%d`, mcp.INTERNAL_ERROR)
	return bytes.Replace(rest, internal, fmt.Appendf(nil, `"code":%d`, code), 1)
}

// answered removes a request and returns it, or nil if there is none.
func (w *wire) answered(n int) *request {
	r := w.open[n]
	delete(w.open, n)
	if len(w.open) == 0 {
		select {
		case w.settled <- struct{}{}:
		default:
		}
	}
	return r
}

// answerHead is the beginning of the library's answers.
const answerHead = `{"jsonrpc":"2.0","id":`

// answers returns the number of the request that a line of the library answers, and the rest of the line. The number is
// 0 for a notification.
func answers(line []byte) (n int, rest []byte) {
	rest, ok := bytes.CutPrefix(line, []byte(answerHead))
	if !ok {
		return 0, nil
	}
	digits := len(rest) - len(bytes.TrimLeft(rest, "0123456789"))
	n, _ = strconv.Atoi(string(rest[:digits]))
	return n, rest[digits:]
}

// settle waits a limited time until every request is answered.
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
	return len(w.open)
}

// close silences the progress of calls that outlive the session.
func (w *wire) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// notify writes a notification.
func (w *wire) notify(_ context.Context, method string, params map[string]any) {
	line, err := toolset.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		// If the client no longer reads, writing its answer will fail.
		_, _ = w.out.Write(append(line, '\n'))
	}
}

const (
	// CallWorkers is how many calls run at once, also of one Go program. Over stdio, a call that waits for a worker
	// cannot be cancelled.
	CallWorkers = 16
	// stdioGrace is how long answers under way may take after the client has closed its end, so that `echo … | sagasu
	// mcp` gets them.
	stdioGrace = 1500 * time.Millisecond
)

// ServeStdio serves one MCP client until in ends or ctx is done; either is a clean end. The MCP library keeps its
// session in a global variable, so a process can serve only one stdio client at a time.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	wire := newWire(ctx, in, out, stdioGrace)
	defer wire.close()
	stdio := server.NewStdioServer(s.protocol(transport{
		session: &toolset.Session{}, notify: wire.notify, refuse: wire.refuse,
	}))
	server.WithWorkerPoolSize(CallWorkers)(stdio)
	stdio.SetErrorLogger(s.log.StandardLogger(&hclog.StandardLoggerOptions{ForceLevel: hclog.Warn}))
	if err := stdio.Listen(ctx, wire, wire); err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}
