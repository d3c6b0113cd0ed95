package eval

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Search answers a query, in one manual or in all (""), best first.
type Search func(ctx context.Context, query, manual string) ([]Target, error)

// Options choose how a run is done.
type Options struct {
	// Scope searches the manual that a query names instead of everything.
	Scope bool
	// Progress is called after each query; nil for none.
	Progress func(done, total int)
}

// Report is the outcome of a run.
type Report struct {
	Queries int `json:"queries"`
	Measures
	File  Measures `json:"file"` // the same measures over files, a file ranking where its best section does
	P50MS float64  `json:"p50_ms"`
	P95MS float64  `json:"p95_ms"`
	// ByKind gives section measures per query kind, where queries have one.
	ByKind map[string]Measures `json:"by_kind,omitempty"`
	// PerQuery holds each query's section measures, for paired comparison.
	PerQuery []Outcome `json:"per_query"`
}

// Outcome is one query's result.
type Outcome struct {
	ID      string  `json:"id"`
	Kind    string  `json:"kind,omitempty"`
	NDCG10  float64 `json:"ndcg@10"`
	Recall  float64 `json:"recall@100"`
	Elapsed float64 `json:"ms"`
}

// Run measures search on queries, one after the other.
func Run(ctx context.Context, queries []Query, search Search, opts Options) (*Report, error) {
	r := &Report{Queries: len(queries), PerQuery: []Outcome{}}
	var sections, files []Measures
	var elapsed []float64
	kinds := make(map[string][]Measures)
	for i, q := range queries {
		manual := ""
		if opts.Scope {
			manual = q.ManualID
		}
		start := time.Now()
		ranking, err := search(ctx, q.Query, manual)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		ms := float64(time.Since(start).Microseconds()) / 1000
		section, file := judge(q, ranking)
		sections, files, elapsed = append(sections, section), append(files, file), append(elapsed, ms)
		if q.Kind != "" {
			kinds[q.Kind] = append(kinds[q.Kind], section)
		}
		r.PerQuery = append(r.PerQuery, Outcome{q.ID, q.Kind, section.NDCG10, section.Recall100, ms})
		if opts.Progress != nil {
			opts.Progress(i+1, len(queries))
		}
	}
	r.Measures, r.File = mean(sections), mean(files)
	r.P50MS, r.P95MS = percentile(elapsed, 0.50), percentile(elapsed, 0.95)
	for kind, all := range kinds {
		if r.ByKind == nil {
			r.ByKind = make(map[string]Measures)
		}
		r.ByKind[kind] = mean(all)
	}
	return r, nil
}

// judge measures one ranking by section and by file, excluded files left out.
func judge(q Query, ranking []Target) (section, file Measures) {
	excluded := make(map[string]bool)
	for _, x := range q.Exclude {
		excluded[x.file()] = true
	}
	ranking = slices.DeleteFunc(slices.Clone(ranking), func(t Target) bool { return excluded[t.file()] })
	return measure(keys(ranking, Target.section), grades(q.Relevant, Target.section)),
		measure(keys(ranking, Target.file), grades(q.Relevant, Target.file))
}

// keys maps a ranking to distinct keys, each at its best rank.
func keys(ranking []Target, key func(Target) string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, t := range ranking {
		if k := key(t); !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}

// grades maps each key to its best grade.
func grades(targets []Target, key func(Target) string) map[string]float64 {
	out := make(map[string]float64)
	for _, t := range targets {
		out[key(t)] = max(out[key(t)], t.Grade)
	}
	return out
}
