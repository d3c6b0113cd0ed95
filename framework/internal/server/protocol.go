package server

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// protocol builds the MCP server of a transport.
func (s *Server) protocol(by transport) *server.MCPServer {
	hooks := &server.Hooks{}
	hooks.AddAfterInitialize(nameClient)
	hooks.AddBeforeCallTool(s.redirectUnknown)
	hooks.AddAfterListTools(hideUnknown)
	hooks.AddAfterListTools(s.fitTools)
	hooks.AddOnError(by.refuse)
	options := []server.ServerOption{
		server.WithTitle("sagasu"), server.WithToolCapabilities(false), server.WithInstructions(s.instructions()),
		server.WithHooks(hooks),
	}
	m := server.NewMCPServer("sagasu", s.version, append(options, s.capabilities(by)...)...)
	s.addPrompts(m)
	s.serveResources(m, hooks, by)
	for _, t := range s.tools {
		m.AddTool(s.describe(t, by), s.handler(t, by))
	}
	m.AddTool(mcp.Tool{Name: unknownTool, RawInputSchema: json.RawMessage(`{"type":"object"}`)}, s.answerUnknown)
	return m
}

// describe returns the tool as clients of the transport see it.
func (s *Server) describe(t toolset.Tool, by transport) mcp.Tool {
	tool := mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.BriefDescription(),
		RawInputSchema: t.BriefInput(),
		Annotations:    mcp.ToolAnnotation{ReadOnlyHint: &t.Hints.ReadOnly, OpenWorldHint: &t.Hints.OpenWorld},
	}
	if !t.Hints.ReadOnly { // for a read-only tool the others mean nothing
		tool.Annotations.DestructiveHint, tool.Annotations.IdempotentHint = &t.Hints.Destructive, &t.Hints.Idempotent
	}
	if by.readers != nil && t.Remembers {
		tool.RawInputSchema = withReader(tool.RawInputSchema)
	}
	tool.RawOutputSchema = t.BriefOutput()
	meta := map[string]any{}
	if t.MaxChars > 0 {
		meta[maxChars] = min(max(t.MaxChars, shownChars), mostChars)
	}
	if t.View != nil {
		meta["ui"] = map[string]any{"resourceUri": t.View.URI}
	}
	if len(meta) > 0 {
		tool.Meta = mcp.NewMetaFromMap(meta)
	}
	return tool
}

func (s *Server) handler(t toolset.Tool, by transport) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if meta := req.Params.Meta; meta != nil && meta.ProgressToken != nil {
			defer s.audience.join(reported(ctx, meta.ProgressToken, by.notify))()
		}
		var out *mcp.CallToolResult
		err := guard.Call(func() (err error) {
			result, failed := s.answer(ctx, t, req.Params.RawArguments, by)
			out, err = s.encode(ctx, result, failed)
			return err
		})
		if err != nil { // a result that cannot be encoded
			s.log.Error("answer", "tool", t.Name, "cause", err)
			guard.LogStack(s.log, err)
			return s.encode(ctx, nil, toolset.AsError(err))
		}
		return out, nil
	}
}

// answer calls a tool with what the transport remembers about the caller.
func (s *Server) answer(ctx context.Context, t toolset.Tool, raw json.RawMessage, by transport,
) (any, *toolset.Error) {
	release, err := by.slot(ctx)
	if err != nil {
		return nil, toolset.Explain(err)
	}
	defer release()
	if by.readers == nil || !t.Remembers {
		return s.Call(ctx, t.Name, raw, by.session)
	}
	caller, raw, failed := by.readers.take(raw)
	if failed != nil {
		return nil, failed
	}
	result, failed := s.Call(ctx, t.Name, raw, &caller.session)
	if p, ok := result.(toolset.Proposer); ok && failed == nil {
		for _, a := range p.Proposed() {
			if proposed, ok := s.tool(a.Type); ok && proposed.Remembers {
				a.Params[readerID] = caller.id
			}
		}
	}
	return readerResult{result, caller.id}, failed
}

// transport is what the MCP server needs to know about the connection to its clients.
type transport struct {
	// session is that of the connection's only client. It is nil if clients share connections; then readers hold what
	// calls remember.
	session *toolset.Session
	readers *readers
	// slots limit how many requests of all clients work at once; nil if the transport has one client.
	slots chan struct{}
	// notify sends a notification to the client of a call.
	notify func(ctx context.Context, method string, params map[string]any)
	// refuse is called with every error before it is written, see [refusal].
	refuse server.OnErrorHookFunc
}

// slot waits until the transport has room for one more request.
func (t transport) slot(ctx context.Context) (release func(), err error) {
	if t.slots == nil {
		return func() {}, nil
	}
	select {
	case t.slots <- struct{}{}:
		return func() { <-t.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fixed is how long a client may keep lists that do not change while a server runs.
const fixed = time.Hour

const (
	// maxChars is the member of a tool's _meta that raises the length from which on Claude Code puts a result into a
	// file instead of before its model. A value below that length would lower it, so none is given.
	maxChars = "anthropic/maxResultSizeChars"
	// shownChars is that length, and mostChars the highest value that Claude Code respects.
	shownChars, mostChars = 50_000, 500_000
)

// capabilities returns what the server can do besides tools, and how long clients may keep its lists. Files may change
// at any time.
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

// unknownTool is a tool that no client sees. The MCP library would answer a call of an unknown tool with a bare
// protocol error. Such calls are sent to unknownTool instead, so that the error can suggest the name that the caller
// meant.
const unknownTool = "sagasu.unknown"

// redirectUnknown sends a call of an unknown tool to unknownTool, with its name as the argument.
func (s *Server) redirectUnknown(_ context.Context, _ any, req *mcp.CallToolRequest) {
	if _, ok := s.tool(req.Params.Name); ok {
		return
	}
	name, err := json.Marshal(req.Params.Name)
	if err != nil {
		return
	}
	req.Params.Name, req.Params.RawArguments = unknownTool, name
}

func (s *Server) answerUnknown(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var name string
	if err := json.Unmarshal(req.Params.RawArguments, &name); err != nil {
		return nil, err
	}
	result, failed := s.Call(ctx, name, nil, nil)
	return s.encode(ctx, result, failed)
}

func hideUnknown(_ context.Context, _ any, _ *mcp.ListToolsRequest, result *mcp.ListToolsResult) {
	result.Tools = slices.DeleteFunc(result.Tools, func(t mcp.Tool) bool { return t.Name == unknownTool })
}
