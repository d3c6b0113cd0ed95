package server

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// serves reports whether the tools that a toolset's prompts and instructions are about are switched on.
func (s *Server) serves(set toolset.Toolset) bool {
	return slices.ContainsFunc(set.Tools, func(t toolset.Tool) bool {
		_, on := s.tool(t.Name)
		return on && (set.Needs == "" || set.Needs == t.Name)
	})
}

// prompts returns the prompts of the served toolsets, without those that name a tool which is switched off.
func (s *Server) prompts() (prompts []toolset.Prompt) {
	for _, set := range s.sets {
		for _, p := range set.Prompts {
			if s.serves(set) && !s.namesOff(set, p.Text) {
				prompts = append(prompts, p)
			}
		}
	}
	return prompts
}

// addPrompts adds the prompts to the MCP server.
func (s *Server) addPrompts(m *server.MCPServer) {
	for _, p := range s.prompts() {
		prompt := mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, a := range p.Arguments {
			prompt.Arguments = append(prompt.Arguments,
				mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: !a.Optional})
		}
		m.AddPrompt(prompt, func(_ context.Context, req mcp.GetPromptRequest) (out *mcp.GetPromptResult, err error) {
			err = guard.Call(func() error { out, err = getPrompt(p, req); return err })
			return out, err
		})
	}
}

func getPrompt(p toolset.Prompt, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	var given, absent []string // placeholders; the given ones are followed by their values
	for _, a := range p.Arguments {
		value, placeholder := strings.TrimSpace(req.Params.Arguments[a.Name]), "{{"+a.Name+"}}"
		switch {
		case value != "":
			given = append(given, placeholder, value)
		case a.Optional:
			absent = append(absent, placeholder)
		default:
			return nil, refusal{mcp.INVALID_PARAMS, "the argument " + a.Name + " is required and must not be blank. " +
				a.Description}
		}
	}
	lines := slices.DeleteFunc(strings.SplitAfter(p.Text, "\n"), func(line string) bool {
		return slices.ContainsFunc(absent, func(name string) bool { return strings.Contains(line, name) })
	})
	text := strings.NewReplacer(given...).Replace(strings.Join(lines, ""))
	return &mcp.GetPromptResult{
		Description: p.Description,
		Messages:    []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}},
	}, nil
}

// instructions returns the instructions of the served toolsets, without the lines that name a tool which is switched
// off. A client shows its model at most 1,500 characters.
func (s *Server) instructions() string {
	var parts []string
	for _, set := range s.sets {
		if set.Instructions != "" && s.serves(set) {
			lines := strings.Split(strings.TrimSpace(set.Instructions), "\n")
			off := func(line string) bool { return s.namesOff(set, line) }
			parts = append(parts, strings.Join(slices.DeleteFunc(lines, off), "\n"))
		}
	}
	return strings.Join(parts, "\n\n")
}

// namesOff reports whether a text names a tool of the toolset that is switched off.
func (s *Server) namesOff(set toolset.Toolset, text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	})
	return slices.ContainsFunc(set.Tools, func(t toolset.Tool) bool {
		_, on := s.tool(t.Name)
		return !on && slices.Contains(words, t.Name)
	})
}
