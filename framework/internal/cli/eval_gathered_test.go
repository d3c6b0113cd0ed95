package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/collection/testdata/engine"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// outcomes are the figures of each query.
type outcomes struct{ ndcg, recall []float64 }

// gathered is what a comparison of gathered sections with an index found.
type gathered struct {
	here, there   outcomes // by query, of the index and of the collection
	held, listed  int      // of the first hundred of the index, those that were gathered, and all
	build, engine time.Duration
}

// compareGathered searches an index, and the same sections as a collection.
func compareGathered(t *testing.T, b *bench, queries []eval.Query) (out gathered) {
	t.Helper()
	v, err := b.variant(nil, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	e := &engine.Engine{Snapshot: b.view.Snapshot, Answered: 3}
	keys := map[spot]bool{}
	e.After = func(_ *sdk.GatherRequest, found *sdk.Gathered) {
		clear(keys)
		for i := range found.Sections {
			s := &found.Sections[i].Section
			keys[spotAt(s.Group, s.Path, s.Start)] = true
		}
	}
	c, err := collection.Open(collection.Options{
		Dir: t.TempDir(), Gatherer: host.InProcess(e), Strategy: "engine", Kind: snapshot.KindManual,
		Logger: hclog.NewNullLogger(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	far := search.New(search.Options{
		Collection: c, Strategies: b.strategies, Traces: b.traces, Settings: b.settingsOf(v), Logger: hclog.NewNullLogger(),
	})
	defer far.Close()
	near := b.engine(v, b.strategies)
	first := map[string][]spot{}
	run := func(find eval.Search, seen func(query string, found eval.Found)) outcomes {
		r, err := eval.Run(t.Context(), queries, func(ctx context.Context, query, manual string) (eval.Found, error) {
			found, err := find(ctx, query, manual)
			found.Holds = nil
			seen(query, found)
			return found, err
		}, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var m outcomes
		for _, o := range r.PerQuery {
			m.ndcg, m.recall = append(m.ndcg, o.NDCG), append(m.recall, o.Recall100)
		}
		return m
	}
	out.here = run(near, func(query string, found eval.Found) {
		for _, hit := range found.Ranking[:min(100, len(found.Ranking))] {
			first[query] = append(first[query], spotAt(hit.ManualID, hit.Path, hit.StartLine))
		}
	})
	out.there = run(func(ctx context.Context, query, manual string) (eval.Found, error) {
		return ranking(ctx, far, query, manual)
	}, func(query string, found eval.Found) {
		for _, place := range first[query] {
			out.listed++
			if keys[place] {
				out.held++
			}
		}
	})
	return out
}

// spotAt is a section by where it starts, a JSON file on any of its lines.
func spotAt(manual, path string, line int) spot {
	if corpus.IsJSON(path) {
		line = 0
	}
	return spot{manual, path, line}
}

// TestGatheredSets compares an index with a collection on judged sets, which SAGASU_SETS names.
func TestGatheredSets(t *testing.T) {
	dirs := strings.Fields(os.Getenv("SAGASU_SETS"))
	if len(dirs) == 0 {
		t.Skip("SAGASU_SETS names no sets")
	}
	for _, dir := range dirs {
		queries, err := readQueries(filepath.Join(dir, "queries.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if n := 150; len(queries) > n {
			step := len(queries) / n
			var some []eval.Query
			for i := 0; i < len(queries); i += step {
				some = append(some, queries[i])
			}
			queries = some
		}
		b := localBench(t, filepath.Join(dir, "corpus"))
		began := time.Now()
		g := compareGathered(t, b, queries)
		t.Logf("%-18s %4d queries nDCG@10 %.4f -> %.4f %s recall@100 %.4f -> %.4f held %.5f of %d (%v)", filepath.Base(dir),
			len(queries), mean(g.here.ndcg), mean(g.there.ndcg), eval.Paired(g.there.ndcg, g.here.ndcg),
			mean(g.here.recall), mean(g.there.recall), float64(g.held)/float64(g.listed), g.listed, time.Since(began))
	}
}
