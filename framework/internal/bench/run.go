package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Options say what a run measures.
type Options struct {
	// Binary is the sagasu that is started as a server.
	Binary string
	// Manuals are searched and never written.
	Manuals []corpus.Manual
	// Queries are judged ones; none means that headings become queries.
	Queries []eval.Query
	// Limit is how many queries are asked, ≥ 1.
	Limit int
	// Rounds is how often what takes long is done, ≥ 1.
	Rounds int
	// Only names the parts to measure, see [Parts]; none means all.
	Only []string
	// Peer is a program that speaks the protocol of cmd/sagasu-bench/peers; "" for none.
	Peer     string
	PeerArgs []string
	// Growth holds more corpora for the same queries.
	Growth []Grown
	// Ours are the parts of the product that a run calls itself.
	Ours Ours
	// Around, if not nil, runs each part, such as under a profiler.
	Around func(part string, measure func() error) error
	// Progress may be nil.
	Progress Progress
}

// Grown is a corpus that is measured beside the main one.
type Grown struct {
	Name    string
	Manuals []corpus.Manual
}

// Ours are the parts of the product that a run calls in this process.
type Ours struct {
	// BM25 returns the best k sections of a snapshot by their terms alone.
	BM25 func(ctx context.Context, snap *snapshot.Snapshot, query string, k int) ([]uint32, error)
	// Pipelines opens the whole search over the index of a home twice: with its
	// strategies in this process, and each in a process of its own.
	Pipelines func(ctx context.Context, h *Home) (*Pipelines, error)
}

// Pipelines are two ways to do the same search.
type Pipelines struct {
	// Local and Remote search without a cache and return when nothing of the
	// search runs any more; the time is that until its answer was there.
	Local, Remote func(ctx context.Context, query string) (time.Duration, error)
	Close         func() error
}

// Method says how a run measures.
const Method = "wall time; what is compared is asked the same query in turn, in changing order; the first %d queries " +
	"are asked once before, unmeasured; no cache, no tuning; between searches manual_hits is called, unmeasured, as " +
	"an agent does"

// run is one measuring.
type run struct {
	Options
	ctx      context.Context
	report   *Report
	dir      string // private, removed at the end
	home     *Home
	files    []File
	sections [][]corpus.Section
	units    []unit
	language string
	peer     *peer // nil for none
	engines  []Engine
	own      index // of the units
}

// index is our index of pre-cut sections.
type index struct{ dir, name string }

// Run measures everything and reports it. What it writes lies in a private
// folder that is gone when it returns, and no process outlives it.
func Run(ctx context.Context, o Options) (_ *Report, err error) {
	r := &run{Options: o, ctx: ctx, report: &Report{Machine: here(), Method: fmt.Sprintf(Method, warmup)}}
	if r.dir, err = os.MkdirTemp("", "sagasu-bench-"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.dir)) }()
	if err := r.prepare(); err != nil {
		return nil, err
	}
	if r.peer != nil {
		defer func() { err = cmp.Or(err, r.peer.close()) }()
	}
	if err := r.measure(); err != nil {
		return nil, err
	}
	r.report.Machine.After = load()
	return r.report, nil
}

// prepare reads the corpus and starts the peer.
func (r *run) prepare() (err error) {
	r.tell("reading", 0, 1)
	if r.files, err = Read(r.ctx, r.Manuals); err != nil {
		return err
	}
	if r.sections, _, err = cut(r.ctx, r.files); err != nil {
		return err
	}
	r.units = unitsOf(r.files, r.sections)
	if len(r.units) == 0 {
		return errors.New("there is nothing to measure: the manuals hold no section")
	}
	r.language = languageOf(r.units)
	judged := len(r.Queries) > 0
	if !judged {
		r.Queries = fromHeadings(r.units, r.language)
	}
	if r.Queries = spaced(r.Queries, r.Limit); len(r.Queries) == 0 {
		return errors.New("there is nothing to ask: no heading can be a query; give --queries")
	}
	r.report.Data = Data{
		Manuals: len(r.Manuals), Files: len(r.files), Sections: len(r.units), Language: r.language,
		Queries: len(r.Queries), Judged: judged,
	}
	for _, f := range r.files {
		r.report.Data.Bytes += int64(len(f.Text))
	}
	if r.home, err = NewHome(r.dir, r.Manuals); err != nil {
		return err
	}
	return r.startPeer()
}

func (r *run) startPeer() (err error) {
	if r.Peer == "" {
		r.report.leave("peers: build cmd/sagasu-bench/peers and name it with --peers")
		return nil
	}
	if r.peer, err = startPeer(r.ctx, r.Peer, r.PeerArgs...); err != nil {
		return err
	}
	if r.engines, err = r.peer.engines(); err == nil {
		r.report.Peers = r.engines
		r.tell("handing sections to the peer", 0, 1)
		err = r.peer.load(r.units)
	}
	if err != nil {
		_ = r.peer.close() // why it failed says more
	}
	return err
}

func (r *run) tell(step string, done, total int) {
	if r.Progress != nil {
		r.Progress(step, done, total)
	}
}

// temp makes a folder of the run.
func (r *run) temp(name string) (string, error) { return os.MkdirTemp(r.dir, name+"-") }

// warmup is how many queries are asked before anything is timed.
const warmup = 20

// ask asks one query and says how long that took.
type ask func(q *eval.Query) (time.Duration, error)

// inTurn asks every query of each of several things in turn, in changing order,
// and returns the times of each. The first queries are asked once before.
func (r *run) inTurn(step string, asks ...ask) ([]Times, error) {
	times := make([]Times, len(asks))
	before := min(warmup, len(r.Queries))
	for n := range before + len(r.Queries) {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		i := n - before
		q := &r.Queries[n%before]
		if i >= 0 {
			q = &r.Queries[i]
		}
		for j := range asks {
			at := (j + n) % len(asks)
			took, err := asks[at](q)
			if err != nil {
				return nil, fmt.Errorf("%s, query %s: %w", step, q.ID, err)
			}
			if i >= 0 {
				times[at] = append(times[at], took)
			}
		}
		r.tell(step, max(i+1, 0), len(r.Queries))
	}
	return times, nil
}
