package server

import (
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// fixed is how long a client may keep what does not change while a server runs.
const fixed = time.Hour

const (
	// maxChars is the member of a tool's _meta that lifts the length from which on Claude Code puts a result into a
	// file instead of before its model. A value below that length would lower it, so none is given.
	maxChars = "anthropic/maxResultSizeChars"
	// shownChars is that length, and mostChars the highest value that is heeded.
	shownChars, mostChars = 50_000, 500_000
)

// capabilities returns what the server can do beside tools, and how long clients may keep its lists. Files may
// change at any time.
func (s *Server) capabilities(by transport) []server.ServerOption {
	options := []server.ServerOption{server.WithCacheHints(fixed.Milliseconds(), mcp.CacheScopePrivate)}
	for _, method := range []mcp.MCPMethod{mcp.MethodResourcesList, mcp.MethodResourcesRead} {
		options = append(options, server.WithMethodCacheHints(method, 0, mcp.CacheScopePrivate))
	}
	prompts, resources := len(s.prompts()) > 0, len(s.resources()) > 0
	if prompts {
		options = append(options, server.WithPromptCapabilities(false))
	}
	if resources {
		options = append(options, server.WithResourceCapabilities(false, false))
	}
	if prompts || resources {
		options = append(options, server.WithCompletions(),
			server.WithPromptCompletionProvider(aside{s, by}), server.WithResourceCompletionProvider(aside{s, by}))
	}
	return options
}
