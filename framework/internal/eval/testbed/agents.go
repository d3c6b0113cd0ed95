package testbed

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/bench"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// RunAgents compares agents that follow next_actions with one that uses grep. With scope, each searches the manual that
// a query names.
func RunAgents(
	ctx context.Context, a *app.App, queries []eval.Query, scope bool, progress eval.Progress,
) (*eval.AgentReport, error) {
	a.Unhurried()
	view, err := app.Module[*manuals.Module](a).View(ctx, index.UntilComplete)
	if err != nil {
		return nil, err
	}
	queries, _ = eval.Present(view.Snapshot, queries)
	view.Release()
	searched, err := a.Workspace.Manuals(ctx)
	if err != nil {
		return nil, err
	}
	files, err := bench.Read(ctx, searched)
	if err != nil {
		return nil, err
	}
	var grep eval.GrepCorpus
	for _, f := range files {
		grep.Add(f.Manual, f.Path, string(f.Text))
	}
	begin := func() eval.Call { return session(a) }
	return eval.RunAgents(ctx, queries, []eval.Agent{
		grep.Follower("passages", begin, scope, nil),
		grep.Follower("passages at 700", begin, scope, map[string]any{"max_tokens": 700}),
		grep.Follower("next_actions", begin, scope, map[string]any{"passages": 0}),
		grep.Lines("grep -n -C2", contentWords, scope),
	}, progress)
}

// session calls tools as one client does and returns what the client would read.
func session(a *app.App) eval.Call {
	session := &toolset.Session{}
	return func(ctx context.Context, tool string, arguments json.RawMessage) (json.RawMessage, bool, error) {
		result, failed := a.Tools.Call(ctx, tool, arguments, session)
		if failed != nil {
			result = server.ErrorResult(failed)
		}
		raw, err := toolset.Marshal(result)
		return raw, failed != nil, err
	}
}

// contentWords returns the words that a person would give to grep.
func contentWords(query string) []string {
	var words []string
	for _, t := range search.Plan(query, 0).Terms {
		if t.Kind != sdk.TermNegative {
			words = append(words, t.Text)
		}
	}
	return words
}
