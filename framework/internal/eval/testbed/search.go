package testbed

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// depth is the number of sections in a ranking that is measured.
const depth = 200

// newEngine returns an engine that searches one snapshot, whatever happens to the index.
func newEngine(
	snap *snapshot.Snapshot, strategies search.Strategies, traces *store.Dir, settings search.Settings,
) *search.Engine {
	return search.New(search.Options{
		View: func(context.Context, time.Duration) (index.View, error) {
			return index.View{Snapshot: snap, Since: time.Now(), Release: func() {}}, nil
		},
		Strategies: strategies, Traces: traces, Settings: settings, Logger: hclog.NewNullLogger(),
	})
}

// candidates searches and lists the candidates. A search within a manual does not widen, since that would leave the
// manual.
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

// cut reports whether a section matched but was not kept, and so is unscanned.
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

// target returns the section of a row; shared is the manual of rows that name none.
func target(row search.Row, shared string) eval.Target {
	t := eval.Target{ManualID: cmp.Or(row.Ref.ManualID, shared), Path: row.Ref.Path, StartLine: row.Ref.StartLine,
		Heading: row.Ref.Title}
	if corpus.IsJSON(t.Path) {
		t.StartLine = 1 // line of the section; the row has its best line
	}
	return t
}
