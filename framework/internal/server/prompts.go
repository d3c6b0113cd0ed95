package server

import (
	"context"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// serves reports whether the tools are switched on that a toolset's prompts and instructions
// are about.
func (s *Server) serves(set toolset.Toolset) bool {
	return slices.ContainsFunc(set.Tools, func(t toolset.Tool) bool {
		_, on := s.tool(t.Name)
		return on && (set.Needs == "" || set.Needs == t.Name)
	})
}

// prompts returns those of the toolsets that are served.
func (s *Server) prompts() (prompts []toolset.Prompt) {
	for _, set := range s.sets {
		if s.serves(set) {
			prompts = append(prompts, set.Prompts...)
		}
	}
	return prompts
}

// addPrompts adds the prompts to the MCP side.
func (s *Server) addPrompts(m *server.MCPServer) {
	for _, p := range s.prompts() {
		m.AddPrompt(mcp.Prompt{
			Name: p.Name, Title: p.Title, Description: p.Description,
			Arguments: []mcp.PromptArgument{{Name: p.Argument, Description: p.Wanted, Required: true}},
		}, func(_ context.Context, req mcp.GetPromptRequest) (out *mcp.GetPromptResult, err error) {
			err = guard.Call(func() error { out, err = getPrompt(p, req); return err })
			return out, err
		})
	}
}

// badArgument says what is wrong with an argument of a prompt.
type badArgument string

// Error implements error.
func (b badArgument) Error() string { return string(b) }

func getPrompt(p toolset.Prompt, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	given := strings.TrimSpace(req.Params.Arguments[p.Argument])
	if given == "" {
		return nil, badArgument("the argument " + p.Argument + " is required and must not be blank. " + p.Wanted)
	}
	text := strings.ReplaceAll(p.Text, "{{"+p.Argument+"}}", given)
	return &mcp.GetPromptResult{
		Description: p.Description,
		Messages:    []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}},
	}, nil
}

// instructions are those of the toolsets that are served, without the lines that name a tool which
// is switched off. A client shows its model at most 1,500 characters.
func (s *Server) instructions() string {
	var parts []string
	for _, set := range s.sets {
		if set.Instructions != "" && s.serves(set) {
			parts = append(parts, strings.Join(s.served(set), "\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

// served are the lines of a toolset's instructions that name no tool of it that is switched off.
func (s *Server) served(set toolset.Toolset) []string {
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(set.Instructions), "\n"), func(line string) bool {
		return slices.ContainsFunc(set.Tools, func(t toolset.Tool) bool {
			_, on := s.tool(t.Name)
			return !on && strings.Contains(line, t.Name)
		})
	})
}
