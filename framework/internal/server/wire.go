package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// wire sits between the MCP library and the client's streams, a message a
// line. It delays the end of input until the requests read so far are
// answered, lets progress be written before the result it belongs to, keeps back the
// answer to a request that was cancelled, which the library would give, and gives a
// prompt's bad argument the code of bad arguments, for which the library has no way.
type wire struct {
	ctx   context.Context
	in    *bufio.Reader
	line  []byte // what is left of the message being read
	out   io.Writer
	grace time.Duration

	mu        sync.Mutex      // guards out and what follows
	open      map[string]int  // requests not yet answered, by their id as written
	cancelled map[string]bool // those of them that want no answer
	refused   map[string]bool // those of them whose arguments are bad
	settled   chan struct{}
	closed    bool
}

func newWire(ctx context.Context, in io.Reader, out io.Writer, grace time.Duration) *wire {
	return &wire{
		ctx: ctx, in: bufio.NewReader(in), out: out, grace: grace,
		open: map[string]int{}, cancelled: map[string]bool{}, refused: map[string]bool{},
		settled: make(chan struct{}, 1),
	}
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
		w.note(line)
	}
	n := copy(p, w.line)
	w.line = w.line[n:]
	return n, nil
}

// note remembers a request, or that one was cancelled.
func (w *wire) note(line []byte) {
	var message struct {
		Method string
		ID     json.RawMessage
		Params json.RawMessage
	}
	if json.Unmarshal(line, &message) != nil || message.Method == "" {
		return
	}
	id := string(message.ID)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case id != "" && id != "null":
		w.open[id]++
	case message.Method == "notifications/cancelled":
		var params struct{ RequestID json.RawMessage }
		if json.Unmarshal(message.Params, &params) == nil && w.open[string(params.RequestID)] > 0 {
			w.cancelled[string(params.RequestID)] = true
		}
	}
}

// Write takes one message of the MCP library, which writes each at once.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := answers(p)
	refused := w.refused[id]
	delete(w.refused, id)
	if w.answered(id) {
		return len(p), nil
	}
	if refused {
		_, err := w.out.Write(refusal(p))
		return len(p), err
	}
	return w.out.Write(p)
}

// refuse remembers, before it is written, that an answer reports a bad argument.
func (w *wire) refuse(_ context.Context, id any, _ mcp.MCPMethod, _ any, err error) {
	if _, bad := errors.AsType[badArgument](err); !bad {
		return
	}
	written, err := json.Marshal(mcp.NewRequestId(id))
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused[string(written)] = true
}

// refusal is an error of the library's as one of bad arguments.
func refusal(line []byte) []byte {
	var answer mcp.JSONRPCError
	if err := json.Unmarshal(line, &answer); err != nil {
		return line
	}
	answer.Error.Code = mcp.INVALID_PARAMS
	out, err := marshal(answer)
	if err != nil {
		return line
	}
	return append(out, '\n')
}

// answered strikes out a request and reports whether its answer is unwanted.
func (w *wire) answered(id string) (unwanted bool) {
	if w.open[id] == 0 {
		return false
	}
	if w.open[id]--; w.open[id] == 0 {
		unwanted = w.cancelled[id]
		delete(w.open, id)
		delete(w.cancelled, id)
	}
	if len(w.open) == 0 {
		select {
		case w.settled <- struct{}{}:
		default:
		}
	}
	return unwanted
}

// answers is the id of the request that a message answers, as written.
// Notifications have none, answers to unreadable messages a null one.
func answers(line []byte) string {
	const head = `{"jsonrpc":"2.0","id":`
	rest, ok := bytes.CutPrefix(line, []byte(head))
	if !ok {
		return ""
	}
	var id json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(rest)).Decode(&id); err != nil {
		return ""
	}
	return string(id)
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
	return len(w.open)
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
