package server

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// protocol builds the MCP side of a transport.
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

// describe returns the tool as a client of the transport sees it.
func (s *Server) describe(t toolset.Tool, by transport) mcp.Tool {
	tool := mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.BriefDescription(),
		RawInputSchema: t.BriefInput(),
		Annotations:    mcp.ToolAnnotation{ReadOnlyHint: &t.Hints.ReadOnly, OpenWorldHint: &t.Hints.OpenWorld},
	}
	if !t.Hints.ReadOnly { // of one that only reads, the others say nothing
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

// answer calls a tool with what the transport remembers of the caller.
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
