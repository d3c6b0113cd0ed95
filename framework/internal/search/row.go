package search

import (
	"cmp"
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// HitsRequest is one manual_hits call.
type HitsRequest struct {
	TraceID string `json:"trace_id" required:"the trace_id of a manual_find" filled:"" minLength:"1" doc:"From manual_find."`
	Kind    string `json:"kind,omitempty" enum:"candidates,matched,unscanned,skipped,conflicts,gaps,integrated_top,claims,evidences,edges" default:"candidates"`
	Format  string `json:"format,omitempty" enum:"rows,lines" default:"rows" doc:"lines: path:line breadcrumb: best sentence; for matched, candidates, integrated_top and unscanned."`
	Offset  int    `json:"offset" min:"0" default:"0"`            // rows to leave out
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

// FileCount counts the rows of a file.
type FileCount struct {
	ManualID string `json:"manual_id,omitempty"`
	Path     string `json:"path"`
	Count    int    `json:"count"`
}

// Counters implements [toolset.Counter].
func (h *Hits) Counters() []any {
	return []any{"kind", h.Kind, "items", len(h.Items) + len(h.Lines), "total", h.Total}
}

// Row is one item of a page; which members are set depends on the kind.
type Row struct {
	Ref    *HitRef  `json:"ref,omitempty"`
	Score  *float64 `json:"score,omitempty"`
	Reason string   `json:"reason,omitempty"`
	// Lines are the first and last line of a section's own text, such as 12-18.
	Lines      string `json:"lines,omitempty"`
	Breadcrumb string `json:"breadcrumb,omitempty"` // title and headings
	// Changed says that the file has changed since the search.
	Changed bool `json:"changed,omitempty"`
	// Sections is the number of sections that a row stands for: of a whole manual, or beyond a gathered part.
	Sections int `json:"sections,omitempty"`
	// Cursor is the engine's cursor after the gathered part of a collection.
	Cursor  string                `json:"cursor,omitempty"`
	Explain []fusion.Contribution `json:"explain,omitempty"`
	// Queries holds the numbers of the queries that found the section, from 0, if there were several.
	Queries []int `json:"queries,omitempty"`
	// Terms are the terms that any strategy matched, normalised; set with Explain.
	Terms []string `json:"terms,omitempty"`
	// Facet and Missing describe a gap.
	Facet   string   `json:"facet,omitempty"`
	Missing []string `json:"missing_terms,omitempty"`
	// ConflictWith are the sections that contradict a candidate.
	ConflictWith []toolset.Ref `json:"conflict_with,omitempty"`
	// GapHint is where a candidate's text refers to for what it does not say itself.
	GapHint string `json:"gap_hint,omitempty"`
	// Part replaces the whole row if it is a part of the claim graph, a [judge.Claim],
	// [judge.Witness], [judge.Edge] or [judge.Conflict], or a [toolset.Skip].
	Part any `json:"-"`
}

// MarshalJSON encodes the part that replaces a row, with its place, and scores with 3 decimals.
func (r Row) MarshalJSON() ([]byte, error) {
	type plain Row
	if r.Score != nil {
		r.Score = new(math.Round(*r.Score*1000) / 1000)
	}
	own, err := toolset.Marshal(plain(r))
	if r.Part == nil || err != nil {
		return own, err
	}
	part, err := toolset.Marshal(r.Part)
	if err != nil || len(own) <= len("{}") {
		return part, err
	}
	return append(append(part[:len(part)-1], ','), own[1:]...), nil
}

// HitRef is a ref as a row of hits carries it.
type HitRef struct {
	toolset.Ref
	Title   string   `json:"title,omitempty"`
	Signals []string `json:"signals,omitempty"`
}
