package eval

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Search answers a query, in one manual or in all ("").
type Search func(ctx context.Context, query, manual string) (Found, error)

// Found is the result of a search.
type Found struct {
	Ranking []Target // best first
	Matched int      // sections that matched, ranked or not
	// Holds reports whether a section that is not ranked matched; nil means never. It is called before the next search,
	// and not timed.
	Holds    func(Target) (bool, error)
	Warnings []string
}

// Progress is called after each query with the progress of a step.
type Progress func(step string, done, total int)

// Show calls p unless it is nil.
func (p Progress) Show(step string, done, total int) {
	if p != nil {
		p(step, done, total)
	}
}

// Options configure a run.
type Options struct {
	// K is the cut-off of nDCG and MRR; 0 means 10.
	K int
	// Scope searches the manual that a query names instead of everything.
	Scope bool
	// Text returns a section's text for counting tokens. If it is nil, tokens are not counted.
	Text func(Target) string
	// Step names the run to Progress.
	Step     string
	Progress Progress // may be nil
	// Gone is the number of queries with a section that is gone, see [Present].
	Gone int
}

// tally collects the results of a run's queries.
type tally struct {
	sections, files   []Measures
	kinds             map[string][]Measures
	relevant, matched int
}

// Run measures search on queries, one by one.
func Run(ctx context.Context, queries []Query, search Search, opts Options) (*Report, error) {
	if opts.K == 0 {
		opts.K = 10
	}
	r := &Report{Queries: len(queries), K: opts.K, PerQuery: []Outcome{}, Warnings: map[string]int{}}
	if opts.Gone > 0 {
		r.Warnings[gone] = opts.Gone
	}
	t := tally{kinds: make(map[string][]Measures)}
	for i, q := range queries {
		start := time.Now()
		found, err := search(ctx, q.Query, q.Within(opts.Scope))
		elapsed := time.Since(start)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		outcome, err := t.judge(q, found, opts)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		outcome.MS = float64(elapsed.Microseconds()) / 1000
		r.PerQuery = append(r.PerQuery, outcome)
		for _, w := range found.Warnings {
			r.Warnings[w]++
		}
		opts.Progress.Show(opts.Step, i+1, len(queries))
	}
	t.sum(r)
	return r, nil
}

// judge measures one ranking by section and by file, without excluded files.
func (t *tally) judge(q Query, found Found, opts Options) (Outcome, error) {
	ranking := unique(without(found.Ranking, q.Exclude), Target.section)
	relevant := grades(q.Relevant, Target.section)
	section := measure(keys(ranking, Target.section), relevant, opts.K)
	t.sections = append(t.sections, section)
	t.files = append(t.files, measure(keys(ranking, Target.file), grades(q.Relevant, Target.file), opts.K))
	for _, kind := range q.Kinds {
		t.kinds[kind] = append(t.kinds[kind], section)
	}
	matched, err := found.among(unique(q.Relevant, Target.section))
	t.relevant, t.matched = t.relevant+len(relevant), t.matched+matched
	isRelevant := func(x Target) bool { _, ok := relevant[x.section()]; return ok }
	rank := slices.IndexFunc(ranking, isRelevant) + 1
	return Outcome{
		ID: q.ID, Query: q.Query, Kinds: q.Kinds, NDCG: section.NDCG, MRR: section.MRR, Recall100: section.Recall100,
		Rank: rank, Tokens: readingCost(ranking, rank, opts.Text), Matched: found.Matched, RelevantMatched: matched,
		Expected: q.Relevant, Ranked: ranking[:min(opts.K, len(ranking))],
	}, err
}

// among counts the targets that matched.
func (f *Found) among(targets []Target) (n int, err error) {
	for _, t := range targets {
		held := slices.ContainsFunc(f.Ranking, func(x Target) bool { return x.section() == t.section() })
		if !held && f.Holds != nil {
			if held, err = f.Holds(t); err != nil {
				return n, err
			}
		}
		if held {
			n++
		}
	}
	return n, nil
}

// sum sets the report's means.
func (t *tally) sum(r *Report) {
	r.Measures, r.File, r.Tokens = mean(t.sections), mean(t.files), tokens(r.PerQuery)
	elapsed := r.column(func(o Outcome) float64 { return o.MS })
	r.P50MS, r.P95MS = Percentile(elapsed, 0.50), Percentile(elapsed, 0.95)
	r.Matched = Matched{
		PerQuery: average(r.column(func(o Outcome) float64 { return float64(o.Matched) })),
		Relevant: float64(t.matched) / float64(max(1, t.relevant)),
	}
	for kind, all := range t.kinds {
		if r.ByKind == nil {
			r.ByKind = make(map[string]Kind)
		}
		r.ByKind[kind] = Kind{len(all), mean(all)}
	}
}
