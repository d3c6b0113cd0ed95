package search

import (
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Kinds are the kinds of rows that a trace serves.
var Kinds = []string{
	"candidates", "unscanned", "skipped", "conflicts", "gaps", "integrated_top", "claims", "evidences", "edges",
}

// integratedTop is how many candidates the kind integrated_top serves.
const integratedTop = 20

// Hits serves a page of a trace.
func (e *Engine) Hits(_ context.Context, req HitsRequest) (*Hits, error) {
	if !slices.Contains(Kinds, req.Kind) {
		return nil, toolset.Invalid("kind", req.Kind, "one of "+strings.Join(Kinds, ", "))
	}
	t, err := e.traces.get(req.TraceID)
	if err != nil {
		return nil, err
	}
	h := &Hits{TraceID: t.ID, Kind: req.Kind, Offset: req.Offset, Limit: req.Limit, Items: []Row{}}
	switch req.Kind {
	case "candidates":
		h.candidates(t, t.Candidates, req)
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
		rows := t.UnscannedRows()
		h.Total, h.Items = len(rows), append(h.Items, page(rows, req)...)
	}
	return h, nil
}

// page cuts one page out of all rows.
func page[T any](all []T, req HitsRequest) []T {
	from := min(req.Offset, len(all))
	return all[from:min(from+req.Limit, len(all))]
}

// parts fills in rows that are written as they are.
func parts[T any](h *Hits, all []T, req HitsRequest) {
	h.Total = len(all)
	for _, p := range page(all, req) {
		h.Items = append(h.Items, Row{Part: p})
	}
}

// integrated are the first candidates in the order of the judgement.
func (t *Trace) integrated() []Candidate {
	var out []Candidate
	for _, i := range t.Graph.Top[:min(integratedTop, len(t.Graph.Top))] {
		out = append(out, t.Candidates[i])
	}
	return out
}

// candidates fills in candidate rows; a manual that all of them share is named once.
func (h *Hits) candidates(t *Trace, all []Candidate, req HitsRequest) {
	h.Total = len(all)
	shared := len(all) > 0 && !slices.ContainsFunc(all, func(c Candidate) bool { return c.ManualID != all[0].ManualID })
	if shared {
		h.ManualID = all[0].ManualID
	}
	h.Items = t.rows(page(all, req), !shared, req.Explain)
}

// rows are candidates as a client sees them; manual says whether each names its manual.
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

// is reports whether a part of the claim graph speaks of the candidate.
func (c Candidate) is(r toolset.Ref) bool {
	return r.ManualID == c.ManualID && r.Path == c.Path && r.StartLine == c.Line
}

// disputes are the sections that contradict a candidate.
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

// hint is where a candidate's text points for what a claim needs, "" for nowhere.
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

// UnscannedRows lists what was not scanned: sections first and whole manuals after them.
func (t *Trace) UnscannedRows() []Row {
	var rows []Row
	add := func(ref toolset.Ref, reason string, sections int) {
		ref.Target = "manual"
		rows = append(rows, Row{Ref: &HitRef{Ref: ref}, Reason: reason, Sections: sections})
	}
	for _, f := range t.refs() {
		if f.whole() {
			add(toolset.Ref{ManualID: f.ManualID, Path: f.Path}, f.Reason, 0)
		}
		for _, line := range f.Lines {
			add(toolset.Ref{ManualID: f.ManualID, Path: f.Path, StartLine: int(line)}, f.Reason, 0)
		}
	}
	for _, m := range t.Manuals {
		add(toolset.Ref{ManualID: m.ManualID}, reasonStage, m.Sections)
	}
	return rows
}
