package server

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// mostCompletions is how many values the protocol allows in an answer.
const mostCompletions = 100

// CompletePromptArgument proposes values of a prompt's argument.
func (a aside) CompletePromptArgument(ctx context.Context, prompt string, arg mcp.CompleteArgument,
	known mcp.CompleteContext) (*mcp.Completion, error) {
	prompts := a.prompts()
	i := slices.IndexFunc(prompts, func(p toolset.Prompt) bool { return p.Name == prompt })
	if i < 0 {
		return nil, refusal{mcp.INVALID_PARAMS, "there is no prompt " + toolset.Shorten(prompt) +
			"; prompts/list names them"}
	}
	return a.complete(ctx, prompts[i].Arguments, arg, known)
}

// CompleteResourceArgument proposes values of a variable in the template of a resource's URI.
func (a aside) CompleteResourceArgument(ctx context.Context, template string, arg mcp.CompleteArgument,
	known mcp.CompleteContext) (*mcp.Completion, error) {
	served := a.resources()
	i := slices.IndexFunc(served, func(r toolset.Resources) bool { return r.Template == template })
	if i < 0 {
		return nil, refusal{mcp.INVALID_PARAMS, "there is no template " + toolset.Shorten(template) +
			"; resources/templates/list names them"}
	}
	return a.complete(ctx, served[i].Variables, arg, known)
}

// complete proposes values of one of some arguments. What cannot be listed costs the proposals alone.
func (a aside) complete(ctx context.Context, of []toolset.Argument, arg mcp.CompleteArgument,
	known mcp.CompleteContext) (*mcp.Completion, error) {
	i := slices.IndexFunc(of, func(one toolset.Argument) bool { return one.Name == arg.Name })
	if i < 0 {
		return nil, refusal{mcp.INVALID_PARAMS, "there is no argument " + toolset.Shorten(arg.Name)}
	}
	var values []string
	if of[i].Values != nil {
		err := a.run(ctx, func(ctx context.Context) (err error) {
			values, err = of[i].Values(ctx, known.Arguments)
			return err
		})
		if failed := toolset.Explain(err); err != nil && failed.Code == toolset.Internal {
			a.log.Warn("completion/complete", "argument", arg.Name, "cause", err)
		}
	}
	best, total := toolset.Complete(arg.Value, values, mostCompletions)
	return &mcp.Completion{Values: best, Total: total, HasMore: total > len(best)}, nil
}
