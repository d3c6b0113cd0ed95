package search

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
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
	// CoverageWeight, HeadingWeight and TitleWeight scale the bonuses of fusion: for the
	// share of the query that a section holds, for a match in its headings, and for a
	// title that begins with what must be there.
	CoverageWeight float64
	HeadingWeight  float64
	TitleWeight    float64
	// MatchThreshold is τ, the least coverage of a matched section.
	MatchThreshold float64
	// CandidateLow is the number of matched sections below which the tables of
	// contents fill up and the search expands.
	CandidateLow int
	// FileBias is the share of the candidates in one file from which on the
	// search expands.
	FileBias   float64
	Corrective Corrective
	// RerankTop is how many of the best sections the rerankers see; 0 for none.
	RerankTop int
}

// DefaultSettings are the figures that ship.
func DefaultSettings() Settings {
	return Settings{
		Method: fusion.Weighted, CoverageWeight: 0.35, HeadingWeight: 0.05, TitleWeight: 0.5,
		MatchThreshold: 0.05, CandidateLow: 3, RerankTop: 50,
		FileBias:   0.80,
		Corrective: Corrective{Enabled: true, CoverageMin: 0.90, MarginMin: 0.15, MinCandidates: 3, OnConflict: true},
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
	// Cache, if not nil, says how answers are remembered.
	Cache *Cache
	// Recorder, if not nil, keeps figures of searches and of the use of what they
	// found, and moves thresholds by them. Whoever made it closes it.
	Recorder *adapt.Recorder
	// DefaultManual is searched when a request names no manual.
	DefaultManual string
	// Shelf is what an engine of a vault asks of the vault.
	Shelf  Shelf
	Logger hclog.Logger
}

// Shelf tells what a snapshot of a vault does not hold. Its functions may be nil.
type Shelf struct {
	// Folder is the path as stored of a folder that can be searched.
	Folder func(param, dir string) (string, error)
	// Skipped lists the files that are not in the newest snapshot, and why.
	Skipped func() []toolset.Skip
}

// Engine answers searches and serves their traces. Safe for concurrent use.
type Engine struct {
	Options
	archive archive
	sizes   sizes
	cache   *semcache.Cache[*trace]
	shown   shown

	lexicons judge.Lexicons
	build    func(context.Context, judge.Input) (*judge.Graph, error)
}

// New returns an engine. Its traces belong to a session of their own.
// Close ends it.
func New(opts Options) *Engine {
	e := &Engine{Options: opts, archive: archive{store: opts.Traces, session: randomID(4), logger: opts.Logger}, build: judge.Build}
	e.archive.buffers.New = func() any { return new([]byte) }
	if opts.Cache != nil {
		e.cache = semcache.New[*trace](opts.Cache.Options)
	}
	return e
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

// judgeReserve is how much longer than a search its judgement may take: that mostly takes a
// hundredth of it, and what strategies found when their time was over is judged too.
const judgeReserve = time.Second

// Find answers a search.
func (e *Engine) Find(ctx context.Context, req Request) (*Answer, error) {
	if strings.TrimSpace(req.Query) == "" {
		return nil, toolset.Invalid("query", req.Query, "a text that is not empty").With("example", map[string]any{"query": "初期化 手順"})
	}
	if !utf8.ValidString(req.Query) {
		return nil, toolset.Invalid("query", "bytes that are not UTF-8", "valid UTF-8")
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
	end := view.Since.Add(budget)
	ctx, cancel := context.WithDeadline(caller, end)
	defer cancel()
	judging, cancel := context.WithDeadline(caller, end.Add(judgeReserve))
	defer cancel()
	s := &search{engine: e, snap: view.Snapshot, req: req, settings: e.tuned()}
	s.query, s.warnings = plan(req.Query, s.settings.MatchThreshold)
	begin, id := time.Now(), e.archive.session+"-"+randomID(8)
	var q repeat
	var t *trace
	var answer *Answer
	if err := s.snap.Guard(func() error {
		if err := s.narrow(view.Lacking); err != nil {
			return err
		}
		if q, err = s.lookup(ctx); err != nil {
			return err
		}
		if q.found.Mode.Hit() {
			t = s.recall(q.found.Entry.Payload, id)
		} else {
			s.retrieve(ctx)
			if err := errors.Join(caller.Err(), s.helpless()); err != nil {
				return err
			}
			s.rank(ctx, judging)
			if err := caller.Err(); err != nil {
				return err
			}
			t = s.trace(id)
		}
		answer = s.answer(t)
		return e.record(q, t, answer, time.Since(begin))
	}); err != nil {
		view.Release()
		return nil, err
	}
	took := time.Since(begin)
	e.archive.put(t, func() error {
		defer view.Release()
		if q.found.Mode.Hit() {
			return nil
		}
		err := s.snap.Guard(func() error { return t.fill(s) })
		if err == nil {
			s.remember(q, t, took)
		}
		return err
	})
	return answer, nil
}
