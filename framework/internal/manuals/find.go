package manuals

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// FindArgs are the arguments of manual_find.
type FindArgs struct {
	Query         string          `json:"query,omitempty" filled:"" doc:"What to search for, in plain words. \"…\" must be there, -word must not."`
	Queries       []string        `json:"queries" minItems:"1" maxItems:"8" doc:"Instead of query: wordings of one question, searched at once."`
	ManualID      corpus.ManualID `json:"manual_id,omitempty" doc:"Search this manual first; all manuals when not given."`
	ExpandScope   bool            `json:"expand_scope" default:"true" doc:"Widen the search when what is found is little, one-sided or contradictory: other words, neighbouring and linked sections, other manuals."`
	OnlyUnscanned string          `json:"only_unscanned_from_trace_id,omitempty" filled:"" doc:"Search only the sections that this trace left unscanned."`
	ClaimGraph    bool            `json:"include_claim_graph" default:"false" doc:"Add claims, evidences and edges to the answer."`
	UseCache      *bool           `json:"use_cache" doc:"Allow an answer from the cache."`
	Budget        Budget          `json:"budget"`
	Passages      int             `json:"passages" min:"0" max:"20" default:"3" doc:"How many passages of text to show at most."`
	MaxTokens     int             `json:"max_tokens" min:"100" max:"50000" default:"1200" doc:"Bounds the reply, in estimated tokens."`
	InlineHits    *InlineHits     `json:"inline_hits" doc:"Put the best rows into the answer, so that a simple question needs no manual_hits."`
}

// PrepareArguments implements [toolset.Preparer]: it wants either query or queries.
func (*FindArgs) PrepareArguments(a *toolset.Arguments) {
	_, one := a.Find("query")
	queries, several := a.Find("queries")
	switch {
	case one && several:
		a.Fail(toolset.Errorf(toolset.InvalidParameter, "query and queries exclude each other; leave one out").
			Argument("queries", queries.Describe(), "left out beside query"))
	case several && queries.Kind == '[' && (len(queries.Items) == 0 || len(queries.Items) > 8):
		a.Wrong("queries", queries, "a list of 1 to 8 wordings")
	case !one && !several:
		a.Missing("query", "what to search for")
	}
}

// Correct implements [toolset.Corrector].
func (FindArgs) Correct(call map[string]any) {
	if queries, _ := call["queries"].([]any); call["query"] != nil || len(queries) == 0 {
		delete(call, "queries")
	}
	if call["query"] == nil && call["queries"] == nil {
		call["query"] = "how to replace a failed disk"
	}
}

// Budget bounds a search.
type Budget struct {
	MaxCandidates int `json:"max_candidates" min:"1" default:"200" doc:"The best so many are kept."`
	TimeMS        int `json:"time_ms" min:"1" default:"60000" doc:"The search ends after so many milliseconds with what it has."`
}

// InlineHits asks for rows of manual_hits in the answer of manual_find.
type InlineHits struct {
	Limit int `json:"limit" min:"1" max:"5" default:"5"`
}

func (m *Module) findTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_find",
		Title: "Search the manuals",
		Description: "Search Markdown and JSON manuals, Japanese and English alike, and get a trace_id, figures " +
			"and next_actions. The answer holds no text: page what was found with manual_hits, then read with " +
			"manual_read. Ask in plain words; put exact phrases in double quotes and exclude with a leading " +
			"minus. " +
			`Example: {"query": "disk failure \"error E21\"", "manual_id": "aoba-nas"}`,
		Example: json.RawMessage(`{"query": "how to replace a failed disk", "budget": {"max_candidates": 200, "time_ms": 60000}}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, m.Find)
}

// Find searches the manuals.
func (m *Module) Find(ctx context.Context, args FindArgs) (*search.Answer, error) {
	req := search.Request{
		Query: args.Query, Queries: args.Queries, ManualID: string(args.ManualID), ExpandScope: args.ExpandScope,
		OnlyUnscanned: args.OnlyUnscanned, ClaimGraph: args.ClaimGraph, UseCache: args.UseCache,
		MaxCandidates: args.Budget.MaxCandidates, TimeMS: args.Budget.TimeMS,
		Passages: args.Passages, MaxTokens: args.MaxTokens,
	}
	if args.InlineHits != nil {
		req.InlineHits = args.InlineHits.Limit
	}
	return m.engine.Find(ctx, req)
}

// HitsArgs are the arguments of manual_hits.
type HitsArgs = search.HitsRequest

func (m *Module) hitsTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_hits",
		Title: "Page what a search found",
		Description: "List what a manual_find left under its trace_id: the candidates in order (default), all " +
			"that matched, the judged top 20 (integrated_top), what was not scanned, conflicts, gaps or the " +
			"parts of the claim graph. Rows hold refs for manual_read; format lines lists the best sentence of " +
			"each instead. When manual_id stands once at the top, it belongs to every ref. " +
			`Example: {"trace_id": "3f2a-91c0", "kind": "matched", "format": "lines"}`,
		Example: json.RawMessage(`{"trace_id": "trace_id of a manual_find", "limit": 50, "offset": 0, "kind": "matched", "format": "lines", "max_tokens": 1200, "explain": false}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, m.Hits)
}

// Hits lists what a search found.
func (m *Module) Hits(ctx context.Context, args HitsArgs) (*search.Hits, error) {
	return m.engine.Hits(ctx, args)
}

// Snippets returns the texts of the first n candidates of a search, see [search.Engine.Snippets].
func (m *Module) Snippets(ctx context.Context, traceID string, n, length int) ([]search.Snippet, error) {
	return m.engine.Snippets(ctx, traceID, n, length)
}
