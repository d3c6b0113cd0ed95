package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// maxClientName is the maximum number of bytes of a client's name.
const maxClientName = 64

// caller is what a handshake says about a client; unknown members are "".
type caller struct{ name, revision string }

// nameClient answers a handshake over HTTP with a session that holds the client's name and revision. Revisions
// before 2026-07-28 give them at the handshake alone, and pass the session on with each call; the server keeps nothing.
func nameClient(ctx context.Context, _ any, req *mcp.InitializeRequest, result *mcp.InitializeResult) {
	if r, ok := ctx.Value(replyKey{}).(*reply); ok {
		name := req.Params.ClientInfo.Name
		name = base64.RawURLEncoding.EncodeToString([]byte(name[:min(maxClientName, len(name))]))
		r.Header().Set(server.HeaderKeySessionID, rand.Text()+"."+result.ProtocolVersion+"."+name)
	}
}

// takeClient returns the client that a request's session names, and ends the session there.
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
