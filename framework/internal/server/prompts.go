package server

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

//go:embed prompts
var promptFiles embed.FS

// prompt is a text that a client offers its user, with what is sought put in.
type prompt struct {
	name, title, description, argument string
	file                               string
}

// topic stands in a prompt's file where what is sought goes.
const topic = "{{invention}}"

// prompts are the searcher's workflow over publications.
var prompts = []prompt{
	{
		"patent_search_ja", "先行技術調査", "広い検索から融合・確認まで、公報調査の手順を日本語で示す。",
		"調べたい発明。課題と手段がわかる文。", "prompts/patent_search_ja.md",
	},
	{
		"patent_search_en", "Prior art search", "The way from a wide search to a fused and checked ranking of publications.",
		"The invention to search for: sentences that tell problem and means.", "prompts/patent_search_en.md",
	},
}

// offerPrompts adds the prompts to a server whose tools they tell of.
func (s *Server) offerPrompts(m *server.MCPServer) {
	if !s.offersPrompts() {
		return
	}
	for _, p := range prompts {
		m.AddPrompt(mcp.Prompt{
			Name: p.name, Title: p.title, Description: p.description,
			Arguments: []mcp.PromptArgument{{Name: "invention", Description: p.argument, Required: true}},
		}, p.get)
	}
}

// offersPrompts tells that the tools of the workflow are switched on.
func (s *Server) offersPrompts() bool {
	return slices.ContainsFunc(s.tools, func(t Tool) bool { return t.Name == "rrf_blend_frontier" })
}

// badArgument says what is wrong with an argument of a prompt.
type badArgument string

// Error implements error.
func (b badArgument) Error() string { return string(b) }

func (p prompt) get(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	invention := strings.TrimSpace(req.Params.Arguments["invention"])
	if invention == "" {
		return nil, badArgument("the argument invention is required and must not be blank. " + p.argument)
	}
	text, err := promptFiles.ReadFile(p.file)
	if err != nil {
		return nil, fmt.Errorf("read prompt: %w", err)
	}
	return &mcp.GetPromptResult{
		Description: p.description,
		Messages: []mcp.PromptMessage{{
			Role: mcp.RoleUser, Content: mcp.NewTextContent(strings.ReplaceAll(string(text), topic, invention)),
		}},
	}, nil
}
