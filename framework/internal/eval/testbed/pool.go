package testbed

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// pooled is a section that a query found or should have found, with data to train a model of its relevance.
type pooled struct {
	ID        string  `json:"id"`
	Query     string  `json:"query"`
	ManualID  string  `json:"manual_id"`
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	Grade     float64 `json:"grade"` // 0 for a section that was not judged relevant
	Rank      int     `json:"rank"`  // 0 for a judged section that was not found
	Score     float64 `json:"score"`
	// Features are the raw and the scaled score of each source, and the rank in its list.
	Features map[string]float64 `json:"features"`
}

// WritePool writes what every query finds, one JSON object per line.
func (e *Evaluation) WritePool(ctx context.Context, w io.Writer) error {
	engine, err := e.testbed.engine(ctx, e.base, false)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for i, q := range e.queries {
		_, hits, err := candidates(ctx, engine, q.Query, q.Within(e.options.Scope), true)
		if err != nil {
			return err
		}
		for _, line := range pool(q, hits) {
			if err := lines.Encode(line); err != nil {
				return err
			}
		}
		e.options.Progress.Show("pool", i+1, len(e.queries))
	}
	return out.Flush()
}

// pool returns the sections that a query found, best first, followed by the judged ones that it did not find.
func pool(q eval.Query, hits *search.Hits) (lines []pooled) {
	add := func(at eval.Target, grade float64) *pooled {
		lines = append(lines, pooled{
			ID: q.ID, Query: q.Query, ManualID: at.ManualID, Path: at.Path, StartLine: at.StartLine, Grade: grade,
			Features: map[string]float64{},
		})
		return &lines[len(lines)-1]
	}
	left := slices.Clone(q.Relevant)
	for i, row := range hits.Items {
		at, grade := target(row, hits.ManualID), 0.0
		left = slices.DeleteFunc(left, func(t eval.Target) bool {
			if t.Is(at) {
				grade = t.Grade
			}
			return t.Is(at)
		})
		line := add(at, grade)
		line.Rank, line.Score = i+1, *row.Score
		for _, c := range row.Explain {
			line.Features[c.Source+".raw"], line.Features[c.Source+".scaled"] = c.Raw, c.Scaled
			if c.Rank > 0 {
				line.Features[c.Source+".rank"] = float64(c.Rank)
			}
		}
	}
	for _, t := range left {
		add(t, t.Grade)
	}
	return lines
}
