package server

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// maxClientName bounds the bytes of a client's name.
const maxClientName = 64

// nameClient answers a handshake over HTTP with a session that holds the client's name. Revisions before 2026-07-28
// give the name at the handshake alone, and pass the session on with each call; the server keeps nothing.
func nameClient(ctx context.Context, _ any, req *mcp.InitializeRequest, _ *mcp.InitializeResult) {
	if r, ok := ctx.Value(replyKey{}).(*reply); ok {
		name := req.Params.ClientInfo.Name
		name = name[:min(maxClientName, len(name))]
		r.Header().Set(server.HeaderKeySessionID, rand.Text()+"."+base64.RawURLEncoding.EncodeToString([]byte(name)))
	}
}

// takeClient returns the name of the client that a request's session holds, "" for none, and ends the session there.
func takeClient(r *http.Request) string {
	session := r.Header.Get(server.HeaderKeySessionID)
	r.Header.Del(server.HeaderKeySessionID)
	_, coded, _ := strings.Cut(session, ".")
	name, _ := base64.RawURLEncoding.DecodeString(coded)
	return string(name[:min(maxClientName, len(name))])
}

// clientOf returns the name of the client of a request, "" where that is not known.
func clientOf(ctx context.Context) string {
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		if name := session.GetClientInfo().Name; name != "" {
			return name
		}
	}
	if r, ok := ctx.Value(replyKey{}).(*reply); ok {
		return r.client
	}
	return ""
}
