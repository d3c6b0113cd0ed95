package testbed

import (
	"context"
	"errors"
	"maps"
	"os"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/bench"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Ours returns the parts of the product that measurements of speed call directly.
func Ours(ctx context.Context, options app.Options) bench.Ours {
	return bench.Ours{
		BM25: bareBM25(ctx, options.Strategies),
		Pipelines: func(ctx context.Context, h *bench.Home) (*bench.Pipelines, error) {
			return pipelines(ctx, options, h)
		},
	}
}

// bareBM25 returns the base strategy without what it adds to BM25: phrases and proximity. It includes planning the
// query and the exact set of matched sections.
func bareBM25(
	ctx context.Context, strategies app.Strategies,
) func(context.Context, *snapshot.Snapshot, string, int) ([]uint32, error) {
	configured := sync.OnceValues(func() (sdk.Strategy, error) {
		return strategies.Configured(ctx, "normalized", new(dict.Folder),
			map[string]any{"proximity": 0, "phrase": 0, "word_proximity": 0, "word_phrase": 0})
	})
	return func(ctx context.Context, snap *snapshot.Snapshot, query string, k int) ([]uint32, error) {
		s, err := configured()
		if err != nil {
			return nil, err
		}
		plan := search.Plan(query, search.DefaultSettings().MatchThreshold)
		found, err := s.Search(ctx, &sdk.Request{Query: plan, Corpus: snap, Limit: k})
		if err != nil {
			return nil, err
		}
		ids := make([]uint32, len(found.Candidates))
		for i, c := range found.Candidates {
			ids[i] = c.Section
		}
		return ids, nil
	}
}

// pipelines opens the search of a home twice over one snapshot: with all strategies in this process, and with each in a
// process of its own.
func pipelines(ctx context.Context, options app.Options, h *bench.Home) (_ *bench.Pipelines, err error) {
	values := maps.Clone(options.Sources.Flags.Values)
	delete(values, "WORKSPACE_ROOT")
	delete(values, "MANUALS_ROOT")
	options.Sources = workspace.LoadOptions{Flags: workspace.Flags{Values: values}, Getenv: h.Getenv}
	a, err := app.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	a.Unhurried()
	view, err := app.Module[*manuals.Module](a).View(ctx, index.UntilComplete)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	p := &bench.Pipelines{Close: func() error { view.Release(); return a.Close() }}
	strategies, err := localStrategies(ctx, a)
	if err == nil {
		p.Local, err = searching(a, strategies, view.Snapshot, h.Dir)
	}
	if err == nil {
		p.Remote, err = searching(a, a.Host, view.Snapshot, h.Dir)
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// timed is a search that returns how long its answer took.
type timed = func(ctx context.Context, query string) (time.Duration, error)

// localStrategies returns the bundled strategies in this process, configured as in their own.
func localStrategies(ctx context.Context, a *app.App) (*host.Local, error) {
	var all []sdk.Strategy
	for _, name := range a.Strategies.Of(snapshot.KindManual).Ordinary().Names() {
		s, err := a.Configured(ctx, name, nil)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return host.InProcess(all...), nil
}

// searching returns a search of a snapshot with the given strategies. It is timed until the answer, and returns when
// the trace is stored.
func searching(a *app.App, strategies search.Strategies, snap *snapshot.Snapshot, home string) (timed, error) {
	dir, err := os.MkdirTemp(home, "traces-")
	if err != nil {
		return nil, err
	}
	traces := store.Open(dir, a.Workspace.TraceMaxKeep, a.Workspace.TraceTTL())
	e := newEngine(snap, strategies, traces, a.Settings())
	return func(ctx context.Context, query string) (time.Duration, error) {
		begin := time.Now()
		_, err := e.Find(ctx, search.Request{Query: query, ExpandScope: true, MaxCandidates: 200, TimeMS: 60_000})
		took := time.Since(begin)
		e.Close() // waits for the rest of the search
		return took, err
	}, nil
}
