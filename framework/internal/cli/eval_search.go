package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// depth is how many sections a ranking holds when it is measured.
const depth = 200

// testbed holds what all searches of an evaluation share: one snapshot, so that
// every variant sees the same sections, and the strategies.
type testbed struct {
	view         index.View
	collection   *collection.Collection // searched instead of the view, nil for none
	strategies   searcher
	descriptions []sdk.Description
	settings     search.Settings
	entries      app.Strategies
	dict         *dict.Folder
	memory       *memory
	dir          string // holds the traces of the newest search
	traces       *store.Dir
	newest       *search.Engine         // nil before the first search
	local        map[string]*host.Local // strategies with another configuration, by name and configuration
	guests       []*guest               // the same of those that run in a process
	restart      func(name string, keys map[string]any) (*host.Host, error)
}

// openTestbed puts an evaluation together with the strategies and settings of the
// workspace. Close ends it.
func openTestbed(ctx context.Context, a *app.App) (b *testbed, err error) {
	a.Unhurried()
	far := app.Module[*manuals.Module](a).Collection()
	view := index.View{Release: func() {}}
	if far == nil {
		if view, err = app.Module[*manuals.Module](a).View(ctx, index.UntilComplete); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			view.Release()
		}
	}()
	descriptions, failures := a.Host.Start(ctx)
	if len(failures) > 0 {
		return nil, fmt.Errorf("strategy %s cannot be measured: %w", failures[0].Name, failures[0])
	}
	descriptions = slices.DeleteFunc(descriptions, func(d sdk.Description) bool { return d.Stage == sdk.StageGather })
	if far == nil {
		if err := prepare(ctx, a.Host, descriptions, view.Snapshot); err != nil {
			return nil, err
		}
	}
	if b, err = newTestbed(view, a.Host, descriptions, a.Settings()); err != nil {
		return nil, err
	}
	b.dict, b.entries, b.restart, b.collection = a.Dictionary, a.Strategies, a.Reconfigured, far
	return b, nil
}

// prepare waits until the strategies of a corpus have prepared for it: a query that came
// before would be measured without them.
func prepare(ctx context.Context, strategies *host.Host, descriptions []sdk.Description,
	corpus *snapshot.Snapshot) error {
	errs := guard.Each(len(descriptions), func(i int) error {
		d := descriptions[i]
		if len(d.Corpora) > 0 && !slices.Contains(d.Corpora, corpus.Kind()) {
			return nil
		}
		err := strategies.OpenOne(ctx, d.Name, corpus)
		if err == nil && d.Stage == sdk.StageRetrieve {
			err = strategies.Complete(ctx, d.Name, corpus, func(int, int) {})
		}
		if err != nil {
			return fmt.Errorf("strategy %s cannot be measured: %w", d.Name, err)
		}
		return nil
	})
	return cmp.Or(errs...)
}

func newTestbed(
	view index.View, strategies searcher, descriptions []sdk.Description, settings search.Settings,
) (*testbed, error) {
	dir, err := os.MkdirTemp("", "sagasu-eval-")
	if err != nil {
		return nil, err
	}
	traces := store.Open(dir, 1, time.Hour)
	return &testbed{
		view: view, strategies: strategies, descriptions: descriptions, settings: settings,
		dict: new(dict.Folder), memory: newMemory(), dir: dir, traces: traces,
		local: map[string]*host.Local{},
	}, nil
}

// Close ends the searches and lets the snapshot go.
func (b *testbed) Close() error {
	var errs []error
	b.finish()
	for _, l := range b.local {
		errs = append(errs, l.Close())
	}
	errs = append(errs, b.dismiss(nil, 0))
	b.view.Release()
	return errors.Join(append(errs, os.RemoveAll(b.dir))...)
}

// finish waits until the newest search has stored its trace.
func (b *testbed) finish() {
	if b.newest != nil {
		b.newest.Close()
	}
}

// search returns the search by a variant.
func (b *testbed) search(v variant) (eval.Search, error) {
	strategies, err := b.configured(v)
	if err != nil {
		return nil, err
	}
	return ranking(b.engine(v, strategies)), nil
}

// remembering returns the search by a variant that shares lists with the variants
// before. An error is that of every search.
func (b *testbed) remembering(v variant) eval.Search {
	strategies, err := b.configured(v)
	if err != nil {
		return func(context.Context, string, string) (eval.Found, error) { return eval.Found{}, err }
	}
	return ranking(b.engine(v, remembered{strategies, b.memory, v}))
}

// engine returns the engine of a variant. The one before is not used any more.
func (b *testbed) engine(v variant, strategies searcher) *search.Engine {
	b.finish()
	b.newest = engineOf(b.view.Snapshot, strategies, b.traces, b.settingsOf(v))
	b.newest.Collection = b.collection
	return b.newest
}

// engineOf searches one snapshot, whatever becomes of the index.
func engineOf(
	snap *snapshot.Snapshot, strategies searcher, traces *store.Dir, settings search.Settings,
) *search.Engine {
	return search.New(search.Options{
		View: func(context.Context, time.Duration) (index.View, error) {
			return index.View{Snapshot: snap, Since: time.Now(), Release: func() {}}, nil
		},
		Strategies: strategies, Traces: traces, Settings: settings, Logger: hclog.NewNullLogger(),
	})
}

// candidates searches and lists the candidates. A search within a manual does not
// widen, for that would lead out of it.
func candidates(ctx context.Context, e *search.Engine, query, manual string, explain bool) (
	answer *search.Answer, hits *search.Hits, err error,
) {
	answer, err = e.Find(ctx, search.Request{Query: query, ManualID: manual, ExpandScope: manual == "",
		MaxCandidates: depth, TimeMS: 600_000})
	if err == nil {
		hits, err = e.Hits(ctx, search.HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: depth,
			Explain: explain})
	}
	return answer, hits, err
}

// ranking returns a search whose candidates are measured.
func ranking(e *search.Engine) eval.Search {
	return func(ctx context.Context, query, manual string) (eval.Found, error) {
		answer, hits, err := candidates(ctx, e, query, manual, false)
		if err != nil {
			return eval.Found{}, err
		}
		found := eval.Found{Matched: answer.Summary.Matched, Warnings: answer.Warnings}
		for _, row := range hits.Items {
			found.Ranking = append(found.Ranking, target(row, hits.ManualID))
		}
		found.Holds = func(t eval.Target) (bool, error) { return cut(ctx, e, answer, t) }
		return found, nil
	}
}

// cut reports whether a section matched and was not kept: then it is unscanned
// for that reason.
func cut(ctx context.Context, e *search.Engine, answer *search.Answer, t eval.Target) (bool, error) {
	if answer.Summary.Matched == answer.Summary.Candidates {
		return false, nil
	}
	left, err := e.Hits(ctx, search.HitsRequest{TraceID: answer.TraceID, Kind: "unscanned",
		Limit: answer.Summary.Matched})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(left.Items, func(row search.Row) bool {
		return row.Reason == "candidate_cap" && target(row, left.ManualID).Is(t)
	}), nil
}

// present returns queries with their judged sections where they are now, and how many name one that is gone.
func (b *testbed) present(queries []eval.Query) ([]eval.Query, int) {
	if b.view.Snapshot == nil { // of a collection
		return queries, 0
	}
	return eval.Present(b.view.Snapshot, queries)
}

// target returns the section of a row; shared is the manual of rows that name none.
func target(row search.Row, shared string) eval.Target {
	t := eval.Target{ManualID: cmp.Or(row.Ref.ManualID, shared), Path: row.Ref.Path, StartLine: row.Ref.StartLine,
		Heading: row.Ref.Title}
	if corpus.IsJSON(t.Path) {
		t.StartLine = 1 // of the section; the row has its best line
	}
	return t
}

// text returns a section's title and own text.
func (b *testbed) text(t eval.Target) string {
	snap := b.view.Snapshot
	if snap == nil { // of a collection
		return ""
	}
	if id, ok := search.Locate(snap, t.ManualID, t.Path, t.StartLine); ok {
		return t.Heading + "\n" + snap.Source(id, snapshot.FieldBody)
	}
	return ""
}

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
	strategies, err := e.testbed.configured(base)
	if err != nil {
		return err
	}
	engine := e.testbed.engine(base, strategies)
	return writeFile(e.DumpPool, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		for i, q := range e.queries {
			_, hits, err := candidates(ctx, engine, q.Query, q.Within(e.Scope), true)
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
			if t.Is(at) {
				line.Grade = t.Grade
			}
			return t.Is(at)
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
