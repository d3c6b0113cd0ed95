package server

import (
	"context"

	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// transport is what the MCP side needs of the way to its clients.
type transport struct {
	// session is that of the one client behind the connection; nil where connections are shared, and
	// readers keep what calls remember.
	session *toolset.Session
	readers *readers
	// slots bound how many calls of all clients run at once; nil where the transport bounds them.
	slots chan struct{}
	// notify sends a notification to the client of a call.
	notify func(ctx context.Context, method string, params map[string]any)
	// refuse hears of every error before it is written, see [badArgument].
	refuse server.OnErrorHookFunc
}
