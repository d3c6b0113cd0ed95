package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// HitsRequest is one manual_hits call.
type HitsRequest struct {
	TraceID string `json:"trace_id" required:"the trace_id of a manual_find" filled:"" minLength:"1" doc:"From manual_find."`
	Kind    string `json:"kind,omitempty" enum:"candidates,matched,unscanned,skipped,conflicts,gaps,integrated_top,claims,evidences,edges" default:"candidates"`
	Format  string `json:"format,omitempty" enum:"rows,lines" default:"rows" doc:"lines: path:line breadcrumb: best sentence; for matched, candidates, integrated_top and unscanned."`
	Offset  int    `json:"offset" min:"0" default:"0"`            // rows to skip
	Limit   int    `json:"limit" min:"1" max:"1000" default:"50"` // rows to list
	Explain bool   `json:"explain" default:"false" doc:"Add to each candidate what every strategy contributed to its score."`
	// MaxTokens limits the reply in estimated tokens; nil means no limit.
	MaxTokens *int `json:"max_tokens" min:"100" max:"50000"`
}

// Hits is one page of a trace.
type Hits struct {
	TraceID string `json:"trace_id"`
	Kind    string `json:"kind"`
	Offset  int    `json:"offset"`
	Limit   int    `json:"limit"`
	Total   int    `json:"total" doc:"Rows of this kind; go on with offset + limit while it is larger."`

	ManualID string `json:"manual_id,omitempty" doc:"Stands here once when every row has the same one."`
	Items    []Row  `json:"items" schema:"objects" doc:"candidates and integrated_top: ref, score, conflict_with and gap_hint; matched: ref, score; unscanned: ref, reason; skipped: manual_id, path, reason; conflicts: kind, claim_id and both sides, a and b, with ref, line and text; gaps: facet, missing_terms; claims, evidences and edges: as in claim_graph. Sections have lines and breadcrumb, and changed where their file is not what was searched."`

	AtLeast         bool        `json:"at_least,omitempty" schema:"-"` // of matched: a collection may hold more
	Likely          int         `json:"likely,omitempty" doc:"For matched and unscanned: so many likely sections come first."`
	Lines           []string    `json:"lines,omitempty" doc:"The rows, with format lines."`
	Files           []FileCount `json:"files,omitempty" doc:"With the first page of matched: the files with the most rows."`
	TruncatedReason string      `json:"truncated_reason,omitempty" enum:"max_tokens"`
	NextOffset      *int        `json:"next_offset,omitempty" doc:"Of the next page; absent on the last."`
}

// Sections implements [toolset.Linker].
func (h *Hits) Sections() (refs []toolset.Ref) {
	for _, r := range h.Items {
		if r.Ref != nil {
			ref := r.Ref.Ref
			ref.Target, ref.ManualID = "manual", cmp.Or(ref.ManualID, h.ManualID)
			refs = append(refs, ref)
		}
	}
	return refs
}

// FileCount counts the rows of a file, or its lines that match.
type FileCount struct {
	ManualID string `json:"manual_id,omitempty"`
	Path     string `json:"path"`
	Count    int    `json:"count"`
}

// Counters implements [toolset.Counter].
func (h *Hits) Counters() []any {
	return []any{"kind", h.Kind, "items", len(h.Items) + len(h.Lines), "total", h.Total}
}

// listed are the kinds whose rows are sections and can be formatted as lines.
var listed = []string{"matched", "candidates", "integrated_top", "unscanned"}

// integratedTop is the number of candidates of the kind integrated_top.
const integratedTop = 20

// FormatLines is the format with one line of text per row.
const FormatLines = "lines"

// Hits serves a page of a trace.
func (e *Engine) Hits(ctx context.Context, req HitsRequest) (*Hits, error) {
	if req.Format == FormatLines && !slices.Contains(listed, req.Kind) {
		expected := "rows for this kind; lines are there for " + strings.Join(listed, ", ")
		return nil, toolset.Invalid("format", req.Format, expected).With("nearest", "rows")
	}
	t, err := e.traces.get(ctx, req.TraceID)
	if err != nil {
		return nil, err
	}
	if req.Kind == "matched" || req.Kind == "unscanned" {
		t = e.ordered(ctx, t)
	}
	h, err := t.hits(req)
	if err != nil {
		return nil, err
	}
	if err := e.describe(ctx, t, h, req); err != nil {
		return nil, err
	}
	return h, h.fit(req)
}

// hits returns a page of rows with the data of the trace only.
func (t *Trace) hits(req HitsRequest) (*Hits, error) {
	h := &Hits{TraceID: t.ID, Kind: req.Kind, Offset: req.Offset, Limit: req.Limit, Items: []Row{}}
	switch req.Kind {
	case "candidates":
		h.candidates(t, t.Candidates, req)
	case "matched":
		h.matched(t, req)
	case "integrated_top":
		h.candidates(t, t.integrated(), req)
	case "gaps":
		h.Total = len(t.Graph.Gaps)
		for _, g := range page(t.Graph.Gaps, req) {
			h.Items = append(h.Items, Row{Facet: string(g.Facet), Missing: g.Missing})
		}
	case "conflicts":
		parts(h, t.Graph.Conflicts, req)
	case "claims":
		parts(h, t.Graph.Claims, req)
	case "evidences":
		parts(h, t.Graph.Evidences, req)
	case "edges":
		parts(h, t.Graph.Edges, req)
	case "skipped":
		parts(h, t.Skipped, req)
	case "unscanned":
		rows := t.unscannedRows()
		h.Likely = t.LikelyCut
		h.Total, h.Items = len(rows), append(h.Items, page(rows, req)...)
	default:
		return nil, toolset.Invalid("kind", req.Kind, "a kind of rows of a trace")
	}
	return h, nil
}

// page cuts one page out of all rows.
func page[T any](all []T, req HitsRequest) []T {
	from := min(req.Offset, len(all))
	return all[from:min(from+req.Limit, len(all))]
}

// parts fills in rows that are encoded unchanged.
func parts[T any](h *Hits, all []T, req HitsRequest) {
	h.Total = len(all)
	for _, p := range page(all, req) {
		h.Items = append(h.Items, Row{Part: p})
	}
}

// integrated returns the first candidates.
func (t *Trace) integrated() []Candidate { return t.Candidates[:min(integratedTop, len(t.Candidates))] }

// candidates fills in candidate rows. If all are in the same manual, it is named once for the page.
func (h *Hits) candidates(t *Trace, all []Candidate, req HitsRequest) {
	h.Total = len(all)
	shared := len(all) > 0 && !slices.ContainsFunc(all, func(c Candidate) bool { return c.ManualID != all[0].ManualID })
	if shared {
		h.ManualID = all[0].ManualID
	}
	h.Items = t.rows(page(all, req), !shared, req.Explain)
}

// rows returns candidates as rows for clients. manual says whether each row names its manual.
func (t *Trace) rows(candidates []Candidate, manual, explain bool) []Row {
	rows := []Row{}
	for _, c := range candidates {
		ref := toolset.Ref{Path: c.Path, StartLine: c.Line}
		r := Row{Ref: &HitRef{Ref: ref, Title: c.Title, Signals: c.Signals}, Score: &c.Score}
		r.ConflictWith, r.GapHint = t.disputes(c), t.hint(c)
		if len(t.Request.Queries) > 1 {
			r.Queries = c.Wordings
		}
		if manual {
			r.Ref.ManualID = c.ManualID
		}
		if explain {
			r.Terms, r.Explain = c.Terms, c.Contributions
		}
		rows = append(rows, r)
	}
	return rows
}

// is reports whether a ref of the claim graph is the candidate.
func (c Candidate) is(r toolset.Ref) bool {
	return r.ManualID == c.ManualID && r.Path == c.Path && r.StartLine == c.Line
}

// disputes returns the sections that contradict a candidate.
func (t *Trace) disputes(c Candidate) []toolset.Ref {
	var out []toolset.Ref
	for _, x := range t.Graph.Conflicts {
		other := x.A.Ref
		if c.is(other) {
			other = x.B.Ref
		} else if !c.is(x.B.Ref) {
			continue
		}
		ref := toolset.Ref{ManualID: other.ManualID, Path: other.Path, StartLine: other.StartLine}
		if !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// hint returns the reference in a candidate's text to something that a claim needs, or "".
func (t *Trace) hint(c Candidate) string {
	for _, e := range t.Graph.Edges {
		if e.Pointer == nil {
			continue
		}
		i := slices.IndexFunc(t.Graph.Evidences, func(w judge.Witness) bool { return w.ID == e.To })
		if i >= 0 && c.is(t.Graph.Evidences[i].Ref) {
			return e.Pointer.Text
		}
	}
	return ""
}

// MostFiles is the maximum number of files that are counted in a reply.
const MostFiles = 20

// matched fills in rows of all matched sections, the likely ones first, each group best first, and counts
// them by file. If all are in the same manual, it is named once for the page.
func (h *Hits) matched(t *Trace, req HitsRequest) {
	var rows, others []Row
	add := func(ref toolset.Ref, score *float64, likely bool) {
		list := &others
		if likely {
			list = &rows
		}
		*list = append(*list, Row{Ref: &HitRef{Ref: ref}, Score: score})
	}
	for i := range t.Candidates {
		c := &t.Candidates[i]
		add(toolset.Ref{ManualID: c.ManualID, Path: c.Path, StartLine: c.Line}, &c.Score, c.likely())
	}
	for _, s := range t.unscannedSections() {
		if s.rank > 0 {
			add(s.ref, nil, int(s.rank) <= t.LikelyCut)
		}
	}
	h.Likely, rows = len(rows), append(rows, others...)
	other := func(r Row) bool { return r.Ref.ManualID != rows[0].Ref.ManualID }
	shared := len(rows) > 0 && !slices.ContainsFunc(rows, other)
	if shared {
		h.ManualID = rows[0].Ref.ManualID
	}
	count := map[FileCount]int{}
	for _, r := range rows {
		if shared {
			r.Ref.ManualID = ""
		}
		count[FileCount{ManualID: r.Ref.ManualID, Path: r.Ref.Path}]++
	}
	h.AtLeast = t.atLeast()
	h.Total, h.Items = len(rows), append(h.Items, page(rows, req)...)
	if req.Offset > 0 {
		return
	}
	for f, n := range count {
		h.Files = append(h.Files, FileCount{f.ManualID, f.Path, n})
	}
	slices.SortFunc(h.Files, func(a, b FileCount) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.ManualID, b.ManualID), strings.Compare(a.Path, b.Path))
	})
	h.Files = h.Files[:min(MostFiles, len(h.Files))]
}

// filesShare is the divisor for the share of a limited reply that the counts by file may take.
const filesShare = 4

// fit drops the rows for which the reply has no room and sets where the next page begins. It fails
// if not even one row fits.
func (h *Hits) fit(req HitsRequest) error {
	rows := len(h.Items) + len(h.Lines)
	for req.MaxTokens != nil && len(h.Files) > 0 && toolset.Cost(h.Files) > *req.MaxTokens/filesShare {
		h.Files = h.Files[:len(h.Files)-1]
	}
	page := *h
	hold := func(n int) any {
		*h = page
		if h.Items, h.Lines = h.Items[:min(n, len(h.Items))], h.Lines[:min(n, len(h.Lines))]; n < rows {
			h.TruncatedReason = reasonTokens
		}
		if next := h.Offset + n; n > 0 && next < h.Total {
			h.NextOffset = &next
		}
		return h
	}
	return toolset.Fit(req.MaxTokens, rows, hold)
}
