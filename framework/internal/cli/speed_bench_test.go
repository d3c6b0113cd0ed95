package cli

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/eval/testbed"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/plugins"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Benchmarks run on the sample and, where it is, on the large Japanese set. Their
// names stay, so that benchstat can compare runs of two versions.

// eachCorpus runs a benchmark on each corpus with its judged queries.
func eachCorpus(b *testing.B, run func(b *testing.B, manuals string, queries []eval.Query)) {
	shared := cmp.Or(os.Getenv("SAGASU_SHARED"), filepath.Join(repository(b), "..", "shared"))
	for _, c := range []struct{ name, manuals, queries string }{
		{"sample", filepath.Join(sample(b), "manuals"), filepath.Join(repository(b), "testdata", "gold.jsonl")},
		{"scale_ja", filepath.Join(shared, "eval", "scale_ja", "corpus"), filepath.Join(shared, "eval", "scale_ja", "queries.jsonl")},
	} {
		b.Run(c.name, func(b *testing.B) {
			if _, err := os.Stat(c.queries); err != nil {
				b.Skip("the set is not here: ", err)
			}
			queries, err := eval.ReadQueryFile(c.queries)
			if err != nil {
				b.Fatal(err)
			}
			run(b, c.manuals, queries)
		})
	}
}

// indexed indexes manuals and gives the snapshot.
func indexed(b *testing.B, manuals string) *snapshot.Snapshot {
	b.Helper()
	x, err := index.Open(index.Options{
		Dir: b.TempDir(), Source: corpus.ManualSource{},
		Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(manuals, nil) },
	})
	if err != nil {
		b.Fatal(err)
	}
	v, err := x.View(b.Context(), index.UntilComplete)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { v.Release(); x.Close() })
	return v.Snapshot
}

// BenchmarkTerms is one query by BM25 alone, best 10.
func BenchmarkTerms(b *testing.B) {
	eachCorpus(b, func(b *testing.B, manuals string, queries []eval.Query) {
		snap, bm25, i := indexed(b, manuals), testbed.Ours(b.Context(), app.Options{Strategies: plugins.Bundled()}).BM25, 0
		b.ReportAllocs()
		for b.Loop() {
			if _, err := bm25(b.Context(), snap, queries[i%len(queries)].Query, 10); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
}

// BenchmarkIndex builds an index of manuals: read, cut, write, publish.
func BenchmarkIndex(b *testing.B) {
	eachCorpus(b, func(b *testing.B, manuals string, _ []eval.Query) {
		x, err := index.Open(index.Options{
			Dir: b.TempDir(), Source: corpus.ManualSource{},
			Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(manuals, nil) },
		})
		if err != nil {
			b.Fatal(err)
		}
		defer x.Close()
		b.ReportAllocs()
		for b.Loop() {
			report, err := x.Build(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(report.Bytes)
		}
	})
}

// BenchmarkMCP is manual_find over standard input and output with everything in
// its process, searched anew and from the cache.
func BenchmarkMCP(b *testing.B) {
	eachCorpus(b, func(b *testing.B, manuals string, queries []eval.Query) {
		c := connect(b, environment(b), "--manuals", manuals)
		must[search.Answer](c, "manual_find", map[string]any{"query": queries[0].Query}) // indexed now
		for _, cached := range []bool{false, true} {
			name := map[bool]string{false: "anew", true: "cached"}[cached]
			b.Run(name, func(b *testing.B) {
				i := 0
				for b.Loop() {
					q := queries[0]
					if !cached {
						q = queries[i%len(queries)]
					}
					must[search.Answer](c, "manual_find", map[string]any{"query": q.Query, "use_cache": cached})
					i++
				}
			})
		}
	})
}

// BenchmarkStart is a server from its start past its first answer to its end,
// where there is an index.
func BenchmarkStart(b *testing.B) {
	eachCorpus(b, func(b *testing.B, manuals string, queries []eval.Query) {
		env := environment(b)
		start := func() {
			c := connect(b, env, "--manuals", manuals)
			must[search.Answer](c, "manual_find", map[string]any{"query": queries[0].Query, "use_cache": false})
			c.in.Close()
			c.cmd.Wait()
		}
		start()
		for b.Loop() {
			start()
		}
	})
}
