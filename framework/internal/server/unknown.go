package server

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// unknownTool is a tool that no client sees. The MCP library answers a call of
// a tool it does not know with a bare protocol error; calls are sent here
// instead, so that the caller learns the name it meant.
const unknownTool = "sagasu.unknown"

// redirectUnknown sends a call of an unknown tool to unknownTool, its name as
// the argument.
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
