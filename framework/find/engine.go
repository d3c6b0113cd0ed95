package find

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/fusion"
	"github.com/sagasu-search/sagasu/framework/host"
	"github.com/sagasu-search/sagasu/framework/index"
	"github.com/sagasu-search/sagasu/framework/store"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Strategies calls strategies, wherever they run.
type Strategies interface {
	// Strategies describes those that can be called and names those that cannot.
	Strategies(ctx context.Context) ([]sdk.Description, []host.Failure)
	Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error)
}

// Settings are the figures of the search; see [DefaultSettings].
type Settings struct {
	Method fusion.Method
	// Weights override the strategies' own by name; 0 switches one off.
	Weights map[string]float64
	// CoverageWeight and HeadingWeight scale the bonuses of fusion.
	CoverageWeight float64
	HeadingWeight  float64
	// MatchThreshold is τ, the least coverage of a matched section.
	MatchThreshold float64
	// CandidateLow is the number of matched sections below which the tables of
	// contents fill up.
	CandidateLow int
	// RerankTop is how many of the best sections the rerankers see; 0 for none.
	RerankTop int
}

// DefaultSettings are the figures that ship.
func DefaultSettings() Settings {
	return Settings{
		Method: fusion.Weighted, CoverageWeight: 0.35, HeadingWeight: 0.05,
		MatchThreshold: 0.05, CandidateLow: 3, RerankTop: 50,
	}
}

// Options is what an engine is made of.
type Options struct {
	// View gives the newest snapshot. While an index is being built it may wait
	// so long for what is lacking.
	View       func(ctx context.Context, patience time.Duration) (index.View, error)
	Strategies Strategies
	Traces     *store.Dir
	Settings   Settings
	// DefaultManual is searched when a request names no manual.
	DefaultManual string
	Logger        hclog.Logger
}

// Engine answers searches and serves their traces. Safe for concurrent use.
type Engine struct {
	Options
	archive archive
	sizes   sizes
}

// New returns an engine. Its traces belong to a session of their own.
// Close ends it.
func New(opts Options) *Engine {
	return &Engine{Options: opts, archive: archive{store: opts.Traces, session: randomID(4), logger: opts.Logger}}
}

// Close waits until every trace is stored.
func (e *Engine) Close() { e.archive.close() }

// randomID gives 2n hexadecimal digits.
func randomID(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// searchReserve is what a search keeps of its time for itself while it waits
// for the index.
const searchReserve = 2 * time.Second

// Find answers a search.
func (e *Engine) Find(ctx context.Context, req Request) (*Answer, error) {
	if strings.TrimSpace(req.Query) == "" {
		return nil, fault.Parameter("query", req.Query, "a text that is not empty").With("example", map[string]any{"query": "初期化 手順"})
	}
	if !utf8.ValidString(req.Query) {
		return nil, fault.Parameter("query", "bytes that are not UTF-8", "valid UTF-8")
	}
	if req.ManualID == "" && req.OnlyUnscanned == "" {
		req.ManualID = e.DefaultManual
	}
	answer, err := e.search(ctx, req)
	if _, damaged := errors.AsType[*snapshot.CorruptError](err); damaged {
		return e.search(ctx, req) // on the index as it was repaired
	}
	return answer, err
}

// search searches the newest snapshot once.
func (e *Engine) search(ctx context.Context, req Request) (*Answer, error) {
	budget := time.Duration(req.TimeMS) * time.Millisecond
	view, err := e.View(ctx, budget-min(budget/2, searchReserve))
	if err != nil {
		return nil, err
	}
	caller := ctx
	ctx, cancel := context.WithDeadline(ctx, view.Since.Add(budget))
	defer cancel()
	s := &search{engine: e, snap: view.Snapshot, req: req, query: Plan(req.Query, e.Settings.MatchThreshold)}
	var t *trace
	var answer *Answer
	if err := s.snap.Guard(func() error {
		if err := s.narrow(view.Lacking); err != nil {
			return err
		}
		s.retrieve(ctx)
		if err := errors.Join(caller.Err(), s.helpless()); err != nil {
			return err
		}
		s.rank(ctx)
		t = s.trace(e.archive.session + "-" + randomID(8))
		answer = s.answer(t)
		return nil
	}); err != nil {
		view.Release()
		return nil, err
	}
	e.archive.put(t, func() error {
		defer view.Release()
		return s.snap.Guard(func() error { return t.fill(s) })
	})
	return answer, nil
}
