package find

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/fault"
)

// Kinds are the kinds of rows that a trace serves.
var Kinds = []string{"candidates", "unscanned", "conflicts", "gaps", "integrated_top", "claims", "evidences", "edges"}

// integratedTop is how many candidates the kind integrated_top serves.
const integratedTop = 20

// Hits serves a page of a trace.
func (e *Engine) Hits(_ context.Context, req HitsRequest) (*Hits, error) {
	if !slices.Contains(Kinds, req.Kind) {
		return nil, fault.Parameter("kind", req.Kind, "one of candidates, unscanned, conflicts, gaps, integrated_top, claims, evidences, edges")
	}
	t, err := e.archive.get(req.TraceID)
	if err != nil {
		return nil, err
	}
	h := &Hits{TraceID: t.ID, Kind: req.Kind, Offset: req.Offset, Limit: req.Limit, Items: []Row{}}
	switch req.Kind {
	case "candidates":
		h.candidates(t.Candidates, req)
	case "integrated_top":
		h.candidates(t.Candidates[:min(integratedTop, len(t.Candidates))], req)
	case "gaps":
		h.Total = len(t.Gaps)
		for _, g := range page(t.Gaps, req) {
			h.Items = append(h.Items, Row{Facet: string(g.Facet), Missing: g.Missing})
		}
	case "unscanned":
		rows := unscannedRows(t)
		h.Total, h.Items = len(rows), append(h.Items, page(rows, req)...)
	}
	return h, nil
}

// page cuts one page out of all rows.
func page[T any](all []T, req HitsRequest) []T {
	from := min(req.Offset, len(all))
	return all[from:min(from+req.Limit, len(all))]
}

// candidates fills in candidate rows; a manual that all of them share is named once.
func (h *Hits) candidates(all []candidate, req HitsRequest) {
	h.Total = len(all)
	shared := len(all) > 0 && !slices.ContainsFunc(all, func(c candidate) bool { return c.ManualID != all[0].ManualID })
	if shared {
		h.ManualID = all[0].ManualID
	}
	h.Items = candidateRows(page(all, req), !shared, req.Explain)
}

func candidateRows(candidates []candidate, manual, explain bool) []Row {
	rows := []Row{}
	for _, c := range candidates {
		r := Row{Ref: &Ref{Path: c.Path, StartLine: c.Line, Title: c.Title, Signals: c.Signals}, Score: &c.Score}
		if manual {
			r.Ref.ManualID = c.ManualID
		}
		if explain {
			for _, x := range c.Contributions {
				r.Explain = append(r.Explain, Contribution{Source: x.Source, Rank: x.Rank, Raw: x.Raw, Weight: x.Weight, Contribution: x.Amount})
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// unscannedRows lists sections first and whole manuals after them.
func unscannedRows(t *trace) []Row {
	var rows []Row
	for _, f := range t.refs() {
		if f.whole() {
			rows = append(rows, Row{Ref: &Ref{Target: "manual", ManualID: f.ManualID, Path: f.Path}, Reason: f.Reason})
		}
		for _, line := range f.Lines {
			rows = append(rows, Row{Ref: &Ref{Target: "manual", ManualID: f.ManualID, Path: f.Path, StartLine: line}, Reason: f.Reason})
		}
	}
	for _, m := range t.Manuals {
		rows = append(rows, Row{Ref: &Ref{Target: "manual", ManualID: m.ManualID}, Reason: reasonStage, Sections: m.Sections})
	}
	return rows
}
