package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

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

// runEvalAgent sets an agent that follows next_actions beside one with grep.
func runEvalAgent(c *cobra.Command, prog *program, o *evalOptions) error {
	queries, err := eval.ReadQueryFile(o.Queries)
	if err != nil {
		return err
	}
	prog.Values["STRATEGY_TIME_MS"] = cmp.Or(prog.Values["STRATEGY_TIME_MS"], evalTimeMS)
	prog.Values["READ_ONLY"], prog.Values["TOOLSETS"] = "true", "manual" // without cache and statistics
	a, err := open(c.Context(), prog, c.ErrOrStderr())
	if err != nil {
		return err
	}
	defer a.Close()
	agents, queries, err := agents(c.Context(), a, queries, o.Scope)
	if err != nil {
		return err
	}
	progress, done := stepProgress(c.ErrOrStderr())
	defer done()
	r, err := eval.RunAgents(c.Context(), queries, agents, progress)
	if err != nil {
		return err
	}
	done()
	r.Setup = eval.Setup{Queries: o.Queries, Scope: o.Scope}
	return printResult(c.OutOrStdout(), o.JSON, r, printAgents)
}

// agents are those that are compared, and the queries with their sections where they are now. The index is complete
// when it returns.
func agents(ctx context.Context, a *app.App, queries []eval.Query, scope bool) ([]eval.Agent, []eval.Query, error) {
	a.Unhurried()
	view, err := app.Module[*manuals.Module](a).View(ctx, index.UntilComplete)
	if err != nil {
		return nil, nil, err
	}
	queries, _ = eval.Present(view.Snapshot, queries)
	view.Release()
	grep, err := grepCorpus(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	begin := func() eval.Call { return session(a) }
	return []eval.Agent{
		grep.Follower("passages", begin, scope, nil),
		grep.Follower("passages at 700", begin, scope, map[string]any{"max_tokens": 700}),
		grep.Follower("next_actions", begin, scope, map[string]any{"passages": 0}),
		grep.Lines("grep -n -C2", contentWords, scope),
	}, queries, nil
}

// session calls tools as one client does and returns what that client would read.
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

// grepCorpus reads every file that is searched.
func grepCorpus(ctx context.Context, a *app.App) (*eval.GrepCorpus, error) {
	manuals, err := a.Workspace.Manuals(ctx)
	if err != nil {
		return nil, err
	}
	files, err := bench.Read(ctx, manuals)
	all := new(eval.GrepCorpus)
	for _, f := range files {
		all.Add(f.Manual, f.Path, string(f.Text))
	}
	return all, err
}

// contentWords returns the words that somebody would give to grep.
func contentWords(query string) []string {
	var words []string
	for _, t := range search.Plan(query, 0).Terms {
		if t.Kind != sdk.TermNegative {
			words = append(words, t.Text)
		}
	}
	return words
}

func printAgents(w io.Writer, r *eval.AgentReport) error {
	t := table{w: w, style: styleFor(w)}
	t.begin(fmt.Sprintf("%d queries, at most %d calls each", r.Queries, r.MostCalls),
		"AGENT", "SOLVED", "FIRST", "CALLS", "EST_TOKENS", "MEDIAN", "P95", "TOKENS", "MEDIAN", "P95", "REFUSED")
	for _, a := range r.Agents {
		cells := []string{a.Name, percent(a.Solved), percent(a.First), fmt.Sprintf("%.2f", a.Calls.Mean)}
		for _, s := range [...]eval.Spread{a.EstTokens, a.Tokens} {
			cells = append(cells, fmt.Sprintf("%.0f", s.Mean), fmt.Sprintf("%.0f", s.Median),
				fmt.Sprintf("%.0f", s.P95))
		}
		t.row(append(cells, fmt.Sprint(a.Refused))...)
	}
	return t.end()
}
