package cli

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/plugins"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// engines gives two engines over one index of the sample: with the bundled
// strategies in this process, and each in a process of its own.
func engines(t testing.TB) (local, remote *search.Engine) {
	t.Helper()
	x, indexDir := indexOf(t, filepath.Join(sample(t), "manuals"))
	var strategies []sdk.Strategy
	var entries []host.Entry
	for _, b := range app.Strategies(plugins.Bundled()).Of(snapshot.KindManual).Ordinary() {
		strategies, entries = append(strategies, b.New()), append(entries, host.Entry{Name: b.Name})
	}
	h, err := host.New(host.Options{
		Entries: entries, IndexDir: indexDir, StateDir: t.TempDir(),
		Bundled: func(names ...string) []string { return append([]string{"plugin", "serve"}, names...) },
		// The race detector reserves more than a strategy may.
		MemoryLimit: -1,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	if _, failed := h.Start(t.Context()); len(failed) > 0 {
		t.Fatal(failed)
	}
	return engineOver(t, x, host.InProcess(strategies...)), engineOver(t, x, h)
}

// indexOf returns the index of a folder of manuals, and where it lies.
func indexOf(t testing.TB, manuals string) (*index.Index, string) {
	t.Helper()
	dir := t.TempDir()
	x, err := index.Open(index.Options{
		Dir: dir, Source: corpus.ManualSource{},
		Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(manuals, nil) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x, dir
}

func engineOver(t testing.TB, x *index.Index, s search.Strategies) *search.Engine {
	t.Helper()
	e := search.New(search.Options{
		View: x.View, Strategies: s, Traces: store.Open(t.TempDir(), 100, time.Hour),
		Settings: search.DefaultSettings(), Logger: hclog.NewNullLogger(),
	})
	t.Cleanup(e.Close)
	return e
}

func goldQueries(t testing.TB) []eval.Query {
	t.Helper()
	queries, err := eval.ReadQueryFile(filepath.Join(repository(t), "testdata", "gold.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return queries
}

func TestTheBorderChangesNoResult(t *testing.T) {
	local, remote := engines(t)
	for _, q := range goldQueries(t) {
		want, got := rows(t, local, q.Query), rows(t, remote, q.Query)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: in process and over the border differ:\n%s", q.Query, diff)
		}
	}
}

// rows are all candidates of a search with their contributions.
func rows(t testing.TB, e *search.Engine, query string) []search.Row {
	t.Helper()
	answer, err := e.Find(context.Background(), search.Request{Query: query, ExpandScope: true, MaxCandidates: 200, TimeMS: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Warnings) > 0 {
		t.Fatalf("%q: %q", query, answer.Warnings)
	}
	hits, err := e.Hits(context.Background(), search.HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1000, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	return hits.Items
}

func BenchmarkFind(b *testing.B) {
	local, remote := engines(b)
	queries := goldQueries(b)
	for name, e := range map[string]*search.Engine{"in-process": local, "processes": remote} {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				rows(b, e, queries[i%len(queries)].Query)
				i++
			}
		})
	}
}
