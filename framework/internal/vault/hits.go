package vault

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// HitsArgs are the arguments of vault_hits.
type HitsArgs struct {
	TraceID string `json:"trace_id" required:"the trace_id of a vault_find" filled:"" minLength:"1" doc:"From vault_find."`
	Kind    string `json:"kind" enum:"candidates,gaps,unscanned,skipped" default:"candidates"`
	Offset  int    `json:"offset" min:"0" default:"0"`
	Limit   int    `json:"limit" min:"1" max:"1000" default:"50"`

	MaxTokens *int `json:"max_tokens" min:"100" max:"50000"`
}

// HitsResult is the result of vault_hits: one page of a trace.
type HitsResult struct {
	TraceID string       `json:"trace_id"`
	Kind    string       `json:"kind"`
	Offset  int          `json:"offset"`
	Limit   int          `json:"limit"`
	Total   int          `json:"total" doc:"Rows of this kind."`
	Next    *int         `json:"next_offset" optional:"" doc:"The offset of the next page; null at the end."`
	Items   []search.Row `json:"items" schema:"objects" doc:"candidates: ref, score; gaps: ref; unscanned: ref, reason; skipped: path, reason."`
}

// Counters implements [toolset.Counter].
func (r *HitsResult) Counters() []any {
	return []any{"kind", r.Kind, "items", len(r.Items), "total", r.Total}
}

// Hits serves a page of a trace.
func (f *Finder) Hits(ctx context.Context, args HitsArgs) (*HitsResult, error) {
	t, err := f.Engine.Trace(ctx, args.TraceID)
	if err != nil {
		return nil, err
	}
	rows := f.hitRows(ctx, t, args.Kind)
	from := min(args.Offset, len(rows))
	page := append([]search.Row{}, rows[from:min(from+args.Limit, len(rows))]...)
	out := &HitsResult{TraceID: t.ID, Kind: args.Kind, Offset: args.Offset, Limit: args.Limit, Total: len(rows)}
	hold := func(n int) any {
		out.Items, out.Next = page[:n], nil
		if next := from + n; next < len(rows) {
			out.Next = &next
		}
		return out
	}
	return out, toolset.Fit(args.MaxTokens, len(page), hold)
}

func (f *Finder) hitRows(ctx context.Context, t *search.Trace, kind string) []search.Row {
	var rows []search.Row
	switch kind {
	case "candidates":
		for _, c := range t.Candidates {
			row := search.Row{Ref: vaultRef(c.Path, c.Line, c.EndLine), Score: &c.Score}
			row.Ref.Title, row.Ref.Signals = c.Title, c.Signals
			rows = append(rows, row)
		}
	case "gaps":
		for _, g := range t.Gaps {
			rows = append(rows, search.Row{Ref: vaultRef(g.Path, g.StartLine, g.EndLine)})
		}
	case "skipped":
		for _, s := range t.Skipped {
			rows = append(rows, search.Row{Part: s})
		}
	case "unscanned":
		for _, r := range f.Engine.UnscannedRows(ctx, t) {
			rows = append(rows, search.Row{Ref: vaultRef(r.Ref.Path, r.Ref.StartLine, 0), Reason: r.Reason})
		}
	}
	return rows
}

func vaultRef(path string, start, end int) *search.HitRef {
	return &search.HitRef{Ref: toolset.Ref{Target: "vault", Path: path, StartLine: start, EndLine: end}}
}
