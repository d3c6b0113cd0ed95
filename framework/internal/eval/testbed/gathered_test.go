package testbed

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/collection/testdata/engine"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// outcomes are the figures of each query.
type outcomes struct{ ndcg, recall []float64 }

// gathered is the result of comparing gathered sections with an index.
type gathered struct {
	here, there  outcomes // by query, in the index and in the collection
	held, listed int      // of the first hundred in the index: those that were gathered, and all
}

// share returns the share of the first hundred that were gathered.
func (g *gathered) share() float64 { return float64(g.held) / float64(max(g.listed, 1)) }

// outcomesOf measures a search, and calls seen with what each query found.
func outcomesOf(
	ctx context.Context, queries []eval.Query, search eval.Search, seen func(query string, found eval.Found),
) (m outcomes, err error) {
	r, err := eval.Run(ctx, queries, func(ctx context.Context, query, manual string) (eval.Found, error) {
		found, err := search(ctx, query, manual)
		found.Holds = nil // not needed, and it takes longer than the search
		seen(query, found)
		return found, err
	}, eval.Options{})
	if err != nil {
		return m, err
	}
	for _, o := range r.PerQuery {
		m.ndcg, m.recall = append(m.ndcg, o.NDCG), append(m.recall, o.Recall100)
	}
	return m, nil
}

// elsewhere returns a testbed whose sections are in an external engine.
func elsewhere(t *testing.T, b *Testbed, e *engine.Engine) *Testbed {
	t.Helper()
	c, err := collection.Open(collection.Options{
		Dir: t.TempDir(), Strategies: host.InProcess(e), Strategy: "engine", Kind: snapshot.KindManual,
		Logger: hclog.NewNullLogger(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	far := *b
	far.collection, far.view.Snapshot = c, nil
	return &far
}

// The pool of a collection has the sections of its engine; there is no snapshot to search.
func TestDumpThePoolOfACollection(t *testing.T) {
	b := localTestbed(t, filepath.Join(sample(t), "manuals"))
	far := elsewhere(t, b, &engine.Engine{Snapshot: b.view.Snapshot, Answered: 3})
	defer far.finish()
	var pool strings.Builder
	queries := []eval.Query{{ID: "q", Query: "warranty period"}}
	if err := far.Evaluation(usual(t, far), queries, eval.Options{}).WritePool(t.Context(), &pool); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(pool.String(), `"rank":1,`) {
		t.Errorf("the pool is %q", &pool)
	}
}

// compareGathered searches an index, and the same sections as a collection.
func compareGathered(t *testing.T, b *Testbed, queries []eval.Query) (out gathered) {
	t.Helper()
	e := &engine.Engine{Snapshot: b.view.Snapshot, Answered: 3}
	keys := map[spot]bool{}
	e.After = func(req *sdk.GatherRequest, found *sdk.Gathered) {
		if req.Sample {
			return
		}
		clear(keys)
		for i := range found.Sections {
			s := &found.Sections[i].Section
			keys[spotAt(s.Group, s.Path, s.Start)] = true
		}
	}
	far := elsewhere(t, b, e)
	defer far.finish()
	first := map[string][]spot{}
	run := func(b *Testbed, seen func(query string, found eval.Found)) outcomes {
		m, err := outcomesOf(t.Context(), queries, searchBy(t, b, usual(t, b), false), seen)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	out.here = run(b, func(query string, found eval.Found) {
		for _, hit := range found.Ranking[:min(100, len(found.Ranking))] {
			first[query] = append(first[query], spotAt(hit.ManualID, hit.Path, hit.StartLine))
		}
	})
	out.there = run(far, func(query string, found eval.Found) {
		for _, place := range first[query] {
			out.listed++
			if keys[place] {
				out.held++
			}
		}
	})
	return out
}

// spot is the start of a section.
type spot struct {
	manual, path string
	line         int
}

// spotAt returns the spot of a section; a JSON file has the same spot on all its lines.
func spotAt(manual, path string, line int) spot {
	if corpus.IsJSON(path) {
		line = 0
	}
	return spot{manual, path, line}
}

// Limits on what a collection may lose: of nDCG@10, and of the first hundred. The sample has many sections that share
// no term with the query: translations, and sections that others refer to.
const (
	mostLost     = 0.005
	leastHeld    = 0.998
	leastSampled = 0.8
)

// TestGatheredAnswers compares an index with a collection of the same sections: on the sample, and on some hundred
// queries of each judged set that SAGASU_SETS names.
func TestGatheredAnswers(t *testing.T) {
	const most = 120
	sets := [][2]string{{filepath.Join(sample(t), "manuals"), filepath.Join(repository(t), "testdata", "gold.jsonl")}}
	for _, dir := range strings.Fields(os.Getenv("SAGASU_SETS")) {
		sets = append(sets, [2]string{filepath.Join(dir, "corpus"), filepath.Join(dir, "queries.jsonl")})
	}
	least := leastSampled
	for _, set := range sets {
		all, err := eval.ReadQueryFile(set[1])
		if err != nil {
			t.Fatal(err)
		}
		var queries []eval.Query
		for i := 0; i < len(all); i += max(1, len(all)/most) {
			queries = append(queries, all[i])
		}
		g := compareGathered(t, localTestbed(t, set[0]), queries)
		difference := eval.Paired(g.there.ndcg, g.here.ndcg)
		t.Logf("%s: %d queries, nDCG@10 %.4f -> %.4f %s, recall@100 %.4f -> %.4f, %.5f of the first hundred gathered", set[0],
			len(queries), mean(g.here.ndcg), mean(g.there.ndcg), difference, mean(g.here.recall), mean(g.there.recall), g.share())
		if difference.Mean < -mostLost || g.share() < least {
			t.Errorf("%s: too much is lost", set[0])
		}
		least = leastHeld
	}
}
