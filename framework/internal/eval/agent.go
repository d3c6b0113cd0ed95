package eval

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// MostCalls is after how many calls an agent gives up.
const MostCalls = 8

// Agent tries to read a relevant section of a query and notes what that takes.
type Agent struct {
	Name  string
	Solve func(ctx context.Context, q *Query, e *AgentRun) error
}

// AgentRun is what an agent did for one query.
type AgentRun struct {
	ID     string `json:"id"`
	Query  string `json:"query"`
	Solved bool   `json:"solved"` // it has the evidence before it, see [Evidence]
	First  bool   `json:"first"`  // and had it after its first call
	Calls  int    `json:"calls"`
	// EstTokens are ceil((characters in + characters out) / 4) of each call;
	// Tokens are those of [toolset.EstimateTokens].
	EstTokens int      `json:"est_tokens"`
	Tokens    int      `json:"tokens"`
	Refused   int      `json:"refused"` // calls that failed
	Tools     []string `json:"tools"`   // called, in order
}

// over reports whether a run has come to its end.
func (e *AgentRun) over() bool { return e.Solved || e.Calls >= MostCalls }

// note counts a call, what was asked and what came back.
func (e *AgentRun) note(tool, asked, answered string) {
	e.Calls++
	e.Tools = append(e.Tools, tool)
	e.EstTokens += adapt.EstTokens(adapt.Characters(asked), adapt.Characters(answered))
	e.Tokens += toolset.EstimateTokens(asked) + toolset.EstimateTokens(answered)
}

// AgentReport sets agents beside each other on the same queries.
type AgentReport struct {
	Setup     Setup          `json:"setup"`
	Queries   int            `json:"queries"`
	MostCalls int            `json:"most_calls"`
	Agents    []AgentFigures `json:"agents"`
}

// AgentFigures are what an agent's runs amount to, those without success
// included.
type AgentFigures struct {
	Name      string     `json:"name"`
	Solved    float64    `json:"solved"` // share of the queries
	First     float64    `json:"first"`  // share of the queries solved by one call
	Calls     Spread     `json:"calls"`
	EstTokens Spread     `json:"est_tokens"`
	Tokens    Spread     `json:"tokens"`
	Refused   int        `json:"refused"`
	PerQuery  []AgentRun `json:"per_query"`
}

// RunAgents lets every agent try every query.
func RunAgents(ctx context.Context, queries []Query, agents []Agent, progress Progress) (*AgentReport, error) {
	r := &AgentReport{Queries: len(queries), MostCalls: MostCalls}
	for _, a := range agents {
		runs := make([]AgentRun, len(queries))
		for i := range queries {
			q := &queries[i]
			runs[i] = AgentRun{ID: q.ID, Query: q.Query, Tools: []string{}}
			if err := a.Solve(ctx, q, &runs[i]); err != nil {
				return nil, fmt.Errorf("%s on query %s: %w", a.Name, q.ID, err)
			}
			progress.Show(a.Name, i+1, len(queries))
		}
		r.Agents = append(r.Agents, figuresOf(a.Name, runs))
	}
	return r, nil
}

func figuresOf(name string, runs []AgentRun) AgentFigures {
	f := AgentFigures{Name: name, PerQuery: runs}
	var solved, first, calls, estTokens, tokens []float64
	for _, e := range runs {
		solved, first = append(solved, indicator(e.Solved)), append(first, indicator(e.First))
		calls = append(calls, float64(e.Calls))
		estTokens, tokens = append(estTokens, float64(e.EstTokens)), append(tokens, float64(e.Tokens))
		f.Refused += e.Refused
	}
	f.Solved, f.First, f.Calls = average(solved), average(first), spreadOf(calls)
	f.EstTokens, f.Tokens = spreadOf(estTokens), spreadOf(tokens)
	return f
}
