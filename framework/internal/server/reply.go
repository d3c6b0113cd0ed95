package server

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// reply stands between the MCP library and an HTTP client. It turns the reply into a stream of events once there is
// progress, which the library may lose, and sets the code of a refusal, which the library cannot do.
type reply struct {
	http.ResponseWriter
	streams bool   // the client accepts a stream
	client  caller // of a revision that names it in the handshake

	mu        sync.Mutex
	streaming bool // the stream has begun
	begun     bool // the answer has begun
	code      int  // of the refusal, if the answer is one; else 0
}

type replyKey struct{}

// replies gives each request a reply of its own.
func replies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own := &reply{ResponseWriter: w, streams: strings.Contains(r.Header.Get("Accept"), "text/event-stream"),
			client: takeClient(r)}
		next.ServeHTTP(own, r.WithContext(context.WithValue(r.Context(), replyKey{}, own)))
	})
}

// notifyReply sends a notification within the reply to its call.
func notifyReply(ctx context.Context, method string, params map[string]any) {
	line, err := toolset.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": method, "params": params})
	r, ok := ctx.Value(replyKey{}).(*reply)
	if !ok || err != nil || !r.streams {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.begun {
		return
	}
	if !r.streaming {
		r.streaming = true
		r.Header().Set("Content-Type", "text/event-stream")
		r.Header().Set("Cache-Control", "no-cache")
		r.ResponseWriter.WriteHeader(http.StatusOK)
	}
	_ = r.event(line) // a client that has gone needs none
}

// refuseReply records that the answer will be a refusal.
func refuseReply(ctx context.Context, _ any, _ mcp.MCPMethod, _ any, err error) {
	if r, ok := ctx.Value(replyKey{}).(*reply); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		refused, _ := errors.AsType[refusal](err)
		r.code = refused.code
	}
}

// event writes an event of the stream. The caller holds mu.
func (r *reply) event(message []byte) error {
	if _, err := fmt.Fprintf(r.ResponseWriter, "event: message\ndata: %s\n\n", message); err != nil {
		return err
	}
	return http.NewResponseController(r.ResponseWriter).Flush()
}

// WriteHeader implements [http.ResponseWriter].
func (r *reply) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = true
	if status == http.StatusMethodNotAllowed { // the library leaves this out
		r.Header().Set("Allow", "POST, DELETE, HEAD")
	}
	if !r.streaming {
		r.ResponseWriter.WriteHeader(status)
	}
}

// Write receives the answer, which the library writes in one piece.
func (r *reply) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = true
	answer := p
	if r.code != 0 {
		answer = replaceCode(p, r.code)
	}
	var err error
	if r.streaming {
		err = r.event(bytes.TrimSpace(answer))
	} else {
		_, err = r.ResponseWriter.Write(answer)
	}
	return len(p), err
}

// Flush implements [http.Flusher]: the library streams subscriptions itself.
func (r *reply) Flush() { _ = http.NewResponseController(r.ResponseWriter).Flush() }

// Unwrap is for [http.ResponseController].
func (r *reply) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// maxClientName is the maximum number of bytes of a client's name.
const maxClientName = 64

// caller is what a handshake says about a client. Unknown members are "".
type caller struct{ name, revision string }

// nameClient answers a handshake over HTTP with a session that holds the client's name and revision. Clients of
// revisions before 2026-07-28 give these only in the handshake, and pass the session on with each call. The server
// stores nothing.
func nameClient(ctx context.Context, _ any, req *mcp.InitializeRequest, result *mcp.InitializeResult) {
	if r, ok := ctx.Value(replyKey{}).(*reply); ok {
		name := req.Params.ClientInfo.Name
		name = base64.RawURLEncoding.EncodeToString([]byte(name[:min(maxClientName, len(name))]))
		r.Header().Set(server.HeaderKeySessionID, rand.Text()+"."+result.ProtocolVersion+"."+name)
	}
}

// takeClient returns the client that a request's session names, and removes the session from the request.
func takeClient(r *http.Request) caller {
	session := r.Header.Get(server.HeaderKeySessionID)
	r.Header.Del(server.HeaderKeySessionID)
	parts := strings.Split(session, ".")
	if len(parts) != 3 {
		return caller{}
	}
	name, _ := base64.RawURLEncoding.DecodeString(parts[2])
	return caller{string(name[:min(maxClientName, len(name))]), parts[1]}
}

// clientOf returns the client of a request.
func clientOf(ctx context.Context) (c caller) {
	if r, ok := ctx.Value(replyKey{}).(*reply); ok {
		c = r.client
	}
	c.revision = cmp.Or(server.RequestProtocolVersion(ctx), c.revision)
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		c.name = cmp.Or(session.GetClientInfo().Name, c.name)
	}
	return c
}
