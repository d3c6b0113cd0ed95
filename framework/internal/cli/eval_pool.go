package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// pooled is a section that a query found or should have found, with what a model of its relevance may be trained on.
type pooled struct {
	ID        string  `json:"id"`
	Query     string  `json:"query"`
	ManualID  string  `json:"manual_id"`
	Path      string  `json:"path"`
	StartLine int     `json:"start_line"`
	Grade     float64 `json:"grade"` // 0 for a section that nobody judged relevant
	Rank      int     `json:"rank"`  // 0 for a judged section that was not found
	Score     float64 `json:"score"`
	// Features are the raw and the scaled score of each source and its rank in its list.
	Features map[string]float64 `json:"features"`
}

// dumpPool writes what every query finds.
func (e *evaluation) dumpPool(ctx context.Context, base variant) error {
	strategies, err := e.bench.configured(base)
	if err != nil {
		return err
	}
	e.bench.finish()
	engine := engineOf(e.bench.view.Snapshot, strategies, e.bench.traces, e.bench.settingsOf(base))
	e.bench.newest = engine
	return writeFile(e.DumpPool, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		for i, q := range e.queries {
			manual := ""
			if e.Scope {
				manual = q.ManualID
			}
			_, hits, err := candidates(ctx, engine, q.Query, manual, true)
			if err != nil {
				return err
			}
			for _, line := range poolLines(q, hits.Items, hits.ManualID) {
				if err := lines.Encode(line); err != nil {
					return err
				}
			}
			e.run.Progress.Show("pool", i+1, len(e.queries))
		}
		return out.Flush()
	})
}

// poolLines returns the rows of a query, best first, and behind them the judged sections that are not among them.
func poolLines(q eval.Query, rows []search.Row, manual string) (lines []pooled) {
	left := slices.Clone(q.Relevant)
	for i, row := range rows {
		at := target(row, manual)
		line := newPooled(q, at)
		line.Rank, line.Score = i+1, *row.Score
		for _, c := range row.Explain {
			line.Features[c.Source+".raw"], line.Features[c.Source+".scaled"] = c.Raw, c.Scaled
			if c.Rank > 0 {
				line.Features[c.Source+".rank"] = float64(c.Rank)
			}
		}
		left = slices.DeleteFunc(left, func(t eval.Target) bool {
			same := t.ManualID == at.ManualID && t.Path == at.Path &&
				(t.StartLine == at.StartLine || corpus.IsJSON(t.Path)) // a hit on JSON is on any line
			if same {
				line.Grade = t.Grade
			}
			return same
		})
		lines = append(lines, line)
	}
	for _, t := range left {
		line := newPooled(q, t)
		line.Grade = t.Grade
		lines = append(lines, line)
	}
	return lines
}

func newPooled(q eval.Query, at eval.Target) pooled {
	return pooled{
		ID: q.ID, Query: q.Query, ManualID: at.ManualID, Path: at.Path, StartLine: at.StartLine,
		Features: map[string]float64{},
	}
}
