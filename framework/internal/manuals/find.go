package manuals

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// FindArgs are the arguments of manual_find.
type FindArgs struct {
	Query         string          `json:"query,omitempty" filled:"" doc:"\"…\" must be there, -word must not."`
	Queries       []string        `json:"queries" minItems:"1" maxItems:"8" doc:"Instead of query: likely wordings."`
	ManualID      corpus.ManualID `json:"manual_id,omitempty" doc:"All manuals by default."`
	ExpandScope   bool            `json:"expand_scope" default:"true" doc:"If little is found: other words, links, manuals too."`
	OnlyUnscanned string          `json:"only_unscanned_from_trace_id,omitempty" filled:"" doc:"Only what this trace left unscanned."`
	ClaimGraph    bool            `json:"include_claim_graph" default:"false" doc:"Add claims and evidences."`
	UseCache      *bool           `json:"use_cache" doc:"Allow a remembered answer."`
	Budget        Budget          `json:"budget"`
	Passages      int             `json:"passages" min:"0" max:"20" default:"3" doc:"At most so many."`
	MaxTokens     int             `json:"max_tokens" min:"100" max:"50000" default:"1200" doc:"Bounds the reply."`
	InlineHits    *InlineHits     `json:"inline_hits" doc:"Add the best rows."`
}

// PrepareArguments implements [toolset.Preparer]: it requires either query or queries.
func (*FindArgs) PrepareArguments(a *toolset.Arguments) {
	a.Either("query", "queries", "what to search for")
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

// Budget limits a search.
type Budget struct {
	MaxCandidates int `json:"max_candidates" min:"1" default:"200" doc:"The best are kept."`
	TimeMS        int `json:"time_ms" min:"1" default:"60000" doc:"Ends the search."`
}

// InlineHits requests rows of manual_hits in the answer of manual_find.
type InlineHits struct {
	Limit int `json:"limit" min:"1" max:"5" default:"5"`
}

//go:embed view.html
var viewHTML string

func (m *Module) findTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_find",
		Title: "Search the manuals",
		View:  &toolset.View{URI: "ui://sagasu/find", Title: "What a search of the manuals found", HTML: viewHTML},
		Description: "Search the manuals with a question in their words: the best passages, a trace_id for " +
			"manual_hits, and next_actions. " +
			`Example: {"query": "disk failure \"error E21\"", "manual_id": "aoba-nas"}`,
		Example:  json.RawMessage(`{"query": "how to replace a failed disk", "budget": {"max_candidates": 200, "time_ms": 60000}}`),
		Hints:    toolset.Reading,
		MaxChars: toolset.TokenChars(mostTokens),
		Group:    group,
	}, m.Find)
}

// Find searches the manuals.
func (m *Module) Find(ctx context.Context, args FindArgs) (*search.Answer, error) {
	return m.Engine.Find(ctx, args.request())
}

// request returns the search request for the arguments.
func (args FindArgs) request() search.Request {
	req := search.Request{
		Query: args.Query, Queries: args.Queries, ManualID: string(args.ManualID), ExpandScope: args.ExpandScope,
		OnlyUnscanned: args.OnlyUnscanned, ClaimGraph: args.ClaimGraph, UseCache: args.UseCache,
		MaxCandidates: args.Budget.MaxCandidates, TimeMS: args.Budget.TimeMS,
		Passages: args.Passages, MaxTokens: args.MaxTokens,
	}
	if args.InlineHits != nil {
		req.InlineHits = args.InlineHits.Limit
	}
	return req
}

// HitsArgs are the arguments of manual_hits.
type HitsArgs = search.HitsRequest

func (m *Module) hitsTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_hits",
		Title: "Page what a search found",
		Description: "Page what a manual_find found: kind matched with format lines lists everything, a sentence " +
			"a row; candidates in order, conflicts, gaps, what was not scanned. A manual_id at the top belongs to " +
			"every ref. " +
			`Example: {"trace_id": "3f2a-91c0", "kind": "matched", "format": "lines"}`,
		Example: json.RawMessage(`{"trace_id": "trace_id of a manual_find", "limit": 50, "offset": 0, "kind": "matched", "format": "lines", "max_tokens": 1200, "explain": false}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, m.Hits)
}
