package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// mostCalls is the number of calls after which an agent gives up.
const mostCalls = 8

// Agent tries to read a relevant section of a query and records what that takes.
type Agent struct {
	Name  string
	Solve func(ctx context.Context, q *Query, e *AgentRun) error
}

// AgentRun is what an agent did for one query.
type AgentRun struct {
	ID     string `json:"id"`
	Query  string `json:"query"`
	Solved bool   `json:"solved"` // it has seen the evidence, see [Evidence]
	First  bool   `json:"first"`  // it saw the evidence in the first answer
	Calls  int    `json:"calls"`
	// EstTokens is the sum of ceil((characters in + characters out) / 4) over the calls; Tokens is that of
	// [toolset.EstimateTokens].
	EstTokens int      `json:"est_tokens"`
	Tokens    int      `json:"tokens"`
	Refused   int      `json:"refused"` // calls that failed
	Tools     []string `json:"tools"`   // in order of the calls
}

// over reports whether a run has ended.
func (e *AgentRun) over() bool { return e.Solved || e.Calls >= mostCalls }

// note counts a call, its request and its answer.
func (e *AgentRun) note(tool, asked, answered string) {
	e.Calls++
	e.Tools = append(e.Tools, tool)
	e.EstTokens += adapt.EstTokens(utf8.RuneCountInString(asked), utf8.RuneCountInString(answered))
	e.Tokens += toolset.EstimateTokens(asked) + toolset.EstimateTokens(answered)
}

// AgentReport compares agents on the same queries.
type AgentReport struct {
	Setup     Setup          `json:"setup"`
	Queries   int            `json:"queries"`
	MostCalls int            `json:"most_calls"`
	Agents    []AgentFigures `json:"agents"`
}

// AgentFigures summarise an agent's runs, including unsuccessful ones.
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
	r := &AgentReport{Queries: len(queries), MostCalls: mostCalls}
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

// Call makes one tool call and returns the JSON that a client gets. refused means that this is an error.
type Call func(ctx context.Context, tool string, arguments json.RawMessage) (result json.RawMessage, refused bool,
	err error)

// firstRows is the number of rows that a follower requests from manual_hits.
const firstRows = 10

// Follower returns an agent that begins with manual_find and knows only what the answers show and propose. While it
// lacks the evidence, it makes the first proposed call that it has not made yet, from the newest answer that has one
// left. Then it lists what its searches found, the first search first, and reads from the top. session begins a client
// session for each query. With scope, it searches the manual that a query names.
func (s *GrepCorpus) Follower(name string, session func() Call, scope bool, more map[string]any) Agent {
	return Agent{Name: name, Solve: func(ctx context.Context, q *Query, e *AgentRun) error {
		f := &follower{call: session(), evidence: s.Evidence(q), run: e, taken: map[string]bool{}}
		start := map[string]any{"query": q.Query}
		maps.Copy(start, more)
		if manual := q.Within(scope); manual != "" {
			start["manual_id"] = manual
		}
		next, ok := stepOf("manual_find", start), true
		for ok && !e.over() {
			if err := f.take(ctx, next); err != nil {
				return err
			}
			next, ok = f.next()
		}
		return nil
	}}
}

type follower struct {
	call     Call
	evidence *Evidence
	run      *AgentRun

	proposed [][]step // by answer, oldest first
	traces   []string // searches whose rows have not been listed
	rows     []Target // listed but not read yet
	taken    map[string]bool
	read     []passage
}

// step is a proposed call.
type step struct {
	Type   string          `json:"type"`
	Params json.RawMessage `json:"params"`
}

func stepOf(tool string, params any) step {
	raw, err := json.Marshal(params)
	if err != nil {
		panic(err) // maps of strings and numbers can be encoded
	}
	return step{tool, raw}
}

// passage is a part of a file that has been read.
type passage struct {
	Target
	end int
}

func (p passage) holds(t Target) bool {
	return p.file() == t.file() && p.StartLine <= t.StartLine && t.StartLine <= p.end
}

// reply holds what a follower understands in the answer of any tool.
type reply struct {
	TraceID     string `json:"trace_id"`
	NextActions []step `json:"next_actions"`
	ManualID    string `json:"manual_id"`
	Items       []struct {
		Ref *Target `json:"ref"`
	} `json:"items"`
	Passages []struct {
		shownAt
		Text string    `json:"text"`
		Also []shownAt `json:"also"`
	} `json:"passages"`
	Text  string `json:"text"`
	Range *struct {
		Start int `json:"start_line"`
		End   int `json:"end_line"`
	} `json:"applied_range"`
}

// shownAt is the place of a text.
type shownAt struct {
	Target
	Lines string `json:"lines"`
}

// take makes a call and processes its answer.
func (f *follower) take(ctx context.Context, s step) error {
	f.taken[s.key()] = true
	raw, refused, err := f.call(ctx, s.Type, s.Params)
	if err != nil {
		return err
	}
	f.run.note(s.Type, string(s.Params), string(raw))
	if refused {
		f.run.Refused++
		return nil
	}
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		return fmt.Errorf("the answer of %s: %w", s.Type, err)
	}
	f.learn(s, &r)
	return nil
}

func (s step) key() string { return s.Type + " " + string(s.Params) }

func (f *follower) learn(s step, r *reply) {
	f.proposed = append(f.proposed, r.NextActions)
	if s.Type == "manual_find" && r.TraceID != "" {
		f.traces = append(f.traces, r.TraceID)
	}
	for _, item := range r.Items {
		if t := item.Ref; t != nil && t.Path != "" {
			if t.ManualID == "" {
				t.ManualID = r.ManualID
			}
			f.rows = append(f.rows, *t)
		}
	}
	for _, p := range r.Passages {
		for _, at := range append(p.Also, p.shownAt) {
			var first, last int
			at.ManualID = cmp.Or(at.ManualID, p.ManualID)
			if _, err := fmt.Sscanf(at.Lines, "%d-%d", &first, &last); err == nil {
				f.shows(at.Target, first, last, p.Text)
			}
		}
	}
	if r.Range != nil {
		t := s.target()
		at := Target{ManualID: t.ManualID, Path: t.Path, StartLine: r.Range.Start}
		f.read = append(f.read, passage{at, r.Range.End})
		f.shows(t, r.Range.Start, r.Range.End, r.Text)
	}
}

// target returns what a step reads.
func (s step) target() Target {
	var params struct {
		Target
		Ref *Target `json:"ref"`
	}
	if json.Unmarshal(s.Params, &params) == nil && params.Ref != nil {
		return *params.Ref
	}
	return params.Target
}

// shows checks whether a text that the agent now sees is the evidence.
func (f *follower) shows(file Target, first, last int, text string) {
	if f.evidence.Shows(file, first, last, text) {
		f.run.Solved = true
		f.run.First = f.run.Calls == 1
	}
}

// known reports whether a step would show nothing new.
func (f *follower) known(s step) bool {
	return f.taken[s.key()] || s.Type == "stop" || s.Type == "manual_read" && f.hasRead(s.target())
}

func (f *follower) hasRead(t Target) bool {
	return slices.ContainsFunc(f.read, func(p passage) bool { return p.holds(t) })
}

// next chooses the next call, or returns false if there is nothing left to do.
func (f *follower) next() (step, bool) {
	for _, answer := range slices.Backward(f.proposed) {
		if i := slices.IndexFunc(answer, func(s step) bool { return !f.known(s) }); i >= 0 {
			return answer[i], true
		}
	}
	for len(f.rows) > 0 {
		t := f.rows[0]
		f.rows = f.rows[1:]
		if !f.hasRead(t) {
			return stepOf("manual_read", map[string]any{"ref": map[string]any{"manual_id": t.ManualID, "path": t.Path,
				"start_line": t.StartLine}}), true
		}
	}
	if len(f.traces) == 0 {
		return step{}, false
	}
	trace := f.traces[0]
	f.traces = f.traces[1:]
	return stepOf("manual_hits", map[string]any{"trace_id": trace, "kind": "integrated_top", "limit": firstRows}), true
}
