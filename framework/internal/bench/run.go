package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Options select what a run measures.
type Options struct {
	// Binary is the sagasu binary that is started as a server.
	Binary string
	// Before is the binary of an earlier version to measure as well, or "".
	Before string
	// Manuals are searched and never written.
	Manuals []corpus.Manual
	// Queries are judged; at least one.
	Queries []eval.Query
	// Limit is the maximum number of queries, ≥ 1.
	Limit int
	// Rounds is how often an index is built and a server started, ≥ 1.
	Rounds int
	// Only names the parts to measure, see [Parts]; empty means all.
	Only []string
	// Rest is how long a server is idle before its memory is measured again; 0 means once only.
	Rest time.Duration
	// Peer is the command line of a program that speaks the protocol of cmd/sagasu-bench/peers; empty means no peers.
	Peer []string
	// Growth holds further corpora for the same queries.
	Growth []Grown
	// Ours are the parts of the product that a run calls itself.
	Ours Ours
	// Progress may be nil.
	Progress eval.Progress
}

// Grown is a corpus that is measured besides the main one.
type Grown struct {
	Name    string
	Manuals []corpus.Manual
}

// Ours are the parts of the product that a run calls in this process.
type Ours struct {
	// BM25 returns the best k sections of a snapshot by their terms alone.
	BM25 func(ctx context.Context, snap *snapshot.Snapshot, query string, k int) ([]uint32, error)
	// Pipelines opens the whole search over the index of a home twice: with all strategies in this process, and with
	// each in a process of its own.
	Pipelines func(ctx context.Context, h *Home) (*Pipelines, error)
}

// Pipelines are two ways to do the same search.
type Pipelines struct {
	// Local and Remote search without a cache and return when no work of the search is left. The time is that until the
	// answer.
	Local, Remote func(ctx context.Context, query string) (time.Duration, error)
	Close         func() error
}

// warmup is the number of queries that are asked before anything is timed.
const warmup = 20

const method = "wall time; what is compared is asked the same query in turn, in changing order; the first %d queries " +
	"are asked once before, unmeasured; no cache, no tuning; between searches manual_hits is called, unmeasured, as " +
	"an agent does"

// parts are the parts of a run, in order.
var parts = []struct {
	name    string
	measure func(r *run) error
}{
	{"build", (*run).reportBuilds},
	{"bm25", (*run).terms},
	{"border", (*run).border},
	{"find", served((*run).find)},
	{"cpu", (*run).cpu},
	{"growth", (*run).growth},
	{"start", (*run).start},
	{"command", (*run).command},
	{"edit", served((*run).edits)},
	{"memory", served((*run).memory)},
	{"cache", served((*run).cache)},
}

// Parts returns the names of the parts, in order.
func Parts() []string {
	var out []string
	for _, p := range parts {
		out = append(out, p.name)
	}
	return out
}

// run is a run in progress.
type run struct {
	Options
	ctx     context.Context
	report  *Report
	dir     string // private, removed at the end
	home    *Home
	peer    *peer // nil if there is none
	engines []engine

	targets  []eval.Target // places of the sections, by their number in every index
	parsing  time.Duration
	builds   []builds // ours, then each engine's
	snapshot *snapshot.Snapshot
}

// Run measures and returns a report. Everything that it writes is in a private folder that is removed before it
// returns, and no process is left.
func Run(ctx context.Context, o Options) (_ *Report, err error) {
	r := &run{Options: o, ctx: ctx}
	r.report = &Report{Machine: machine(), Load: [2]string{load()}, Method: fmt.Sprintf(method, warmup)}
	r.Queries = spaced(o.Queries, o.Limit)
	if r.dir, err = os.MkdirTemp("", "sagasu-bench-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.dir)) }()
	if r.home, err = newHome(r.dir, o.Manuals); err != nil {
		return nil, err
	}
	if err := r.startPeer(); err != nil {
		return nil, err
	}
	if r.peer != nil {
		defer func() { err = cmp.Or(err, r.peer.close()) }()
	}
	if err := r.index(); err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, r.snapshot.Close()) }()
	for _, p := range parts {
		if len(o.Only) > 0 && !slices.Contains(o.Only, p.name) {
			continue
		}
		if err := cmp.Or(ctx.Err(), p.measure(r)); err != nil {
			return nil, err
		}
	}
	r.report.Load[1] = load()
	return r.report, nil
}

// spaced returns n queries at even distances.
func spaced(queries []eval.Query, n int) []eval.Query {
	if n >= len(queries) {
		return queries
	}
	out := make([]eval.Query, n)
	for i := range out {
		out[i] = queries[i*len(queries)/n]
	}
	return out
}

// ask asks one query and returns how long it took.
type ask = func(query string) (time.Duration, error)

// inTurn asks all asks each query in turn, in changing order, and returns the times of each. The first queries are
// asked once before.
func (r *run) inTurn(step string, asks ...ask) ([]times, error) {
	out := make([]times, len(asks))
	before := min(warmup, len(r.Queries))
	for n, q := range slices.Concat(r.Queries[:before], r.Queries) {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		for i := range asks {
			at := (i + n) % len(asks)
			took, err := asks[at](q.Query)
			if err != nil {
				return nil, fmt.Errorf("%s, query %s: %w", step, q.ID, err)
			}
			if n >= before {
				out[at] = append(out[at], took)
			}
		}
		r.Progress.Show(step, max(n+1-before, 0), len(r.Queries))
	}
	return out, nil
}

// besidePeers asks ours and each peer every query in turn, and returns the times in that order.
func (r *run) besidePeers(step string, ours ask) ([]times, error) {
	asks := []ask{ours}
	for _, e := range r.engines {
		asks = append(asks, func(query string) (time.Duration, error) {
			took, _, err := r.peer.query(e.Name, query, top)
			return took, err
		})
	}
	return r.inTurn(step, asks...)
}
