package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Kinds are the kinds of rows that a trace serves.
var Kinds = []string{
	"candidates", "matched", "unscanned", "skipped", "conflicts", "gaps", "integrated_top", "claims", "evidences",
	"edges",
}

// listed are the kinds whose rows are sections and can be formatted as lines.
var listed = []string{"matched", "candidates", "integrated_top", "unscanned"}

// integratedTop is the number of candidates of the kind integrated_top.
const integratedTop = 20

// formatLines is the format that gives a line of text per row.
const formatLines = "lines"

// Hits serves a page of a trace.
func (e *Engine) Hits(ctx context.Context, req HitsRequest) (*Hits, error) {
	if !slices.Contains(Kinds, req.Kind) {
		return nil, toolset.Invalid("kind", req.Kind, "one of "+strings.Join(Kinds, ", "))
	}
	if req.Format == formatLines && !slices.Contains(listed, req.Kind) {
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
	h := t.hits(req)
	if err := e.describe(ctx, t, h, req); err != nil {
		return nil, err
	}
	return h, h.fit(req)
}

// hits returns a page of rows with the data of the trace only.
func (t *Trace) hits(req HitsRequest) *Hits {
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
	}
	return h
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
		if !slices.ContainsFunc(out, func(r toolset.Ref) bool {
			of := toolset.Ref{Target: other.Target, ManualID: r.ManualID, Path: r.Path, StartLine: r.StartLine}
			return of == other
		}) {
			out = append(out, toolset.Ref{ManualID: other.ManualID, Path: other.Path, StartLine: other.StartLine})
		}
	}
	return out
}

// hint returns where a candidate's text refers to for what a claim needs, or "".
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

// unscannedSection is a section that was not scanned, or a whole file with line 0.
type unscannedSection struct {
	ref    toolset.Ref
	reason string
	rank   uint32 // rank among those that were cut, from 1; 0 for none
}

// left lists the unscanned sections: first those that matched, in the order of the trace and then by file, then the
// others by file.
func (t *Trace) left() []unscannedSection {
	var cut, others []unscannedSection
	for _, f := range t.refs() {
		ref, list := toolset.Ref{ManualID: f.ManualID, Path: f.Path}, &others
		if f.cut() {
			list = &cut
		}
		if f.whole() {
			*list = append(*list, unscannedSection{ref: ref, reason: f.Reason})
		}
		for _, line := range f.Lines {
			ref.StartLine = int(line)
			*list = append(*list, unscannedSection{ref: ref, reason: f.Reason})
		}
	}
	out := make([]unscannedSection, 0, len(cut)+len(others))
	place := func(s *unscannedSection) {
		if s.rank == 0 {
			s.rank = uint32(len(out) + 1)
			out = append(out, *s)
		}
	}
	for _, n := range t.Order {
		place(&cut[n])
	}
	for i := range cut {
		place(&cut[i])
	}
	return append(out, others...)
}

// UnscannedRows lists what a search did not scan, according to its trace: sections that matched, best first, then
// other sections, then whole manuals.
func (e *Engine) UnscannedRows(ctx context.Context, t *Trace) []Row {
	return e.ordered(ctx, t).unscannedRows()
}

func (t *Trace) unscannedRows() []Row {
	var rows []Row
	add := func(ref toolset.Ref, reason string, sections int) {
		ref.Target = "manual"
		rows = append(rows, Row{Ref: &HitRef{Ref: ref}, Reason: reason, Sections: sections})
	}
	for _, s := range t.left() {
		add(s.ref, s.reason, 0)
	}
	for _, m := range t.Manuals {
		add(toolset.Ref{ManualID: m.ManualID}, reasonStage, m.Sections)
	}
	if row, any := t.beyondRow(); any {
		rows = append(rows, row)
	}
	return rows
}

// mostFiles is the maximum number of files that are counted in a reply.
const mostFiles = 20

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
		add(c.ref(), &c.Score, c.likely())
	}
	for _, s := range t.left() {
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
	h.Files = h.Files[:min(mostFiles, len(h.Files))]
}
