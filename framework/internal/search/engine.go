package search

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// Settings are the weights, thresholds and limits of a search; see [DefaultSettings]. The tags make
// some of them settings of the user.
type Settings struct {
	Method fusion.Method
	// Weights override the strategies' own by name; 0 switches one off.
	Weights map[string]float64
	// CoverageWeight, HeadingWeight and TitleWeight scale the bonuses of fusion: for the
	// share of the query that a section holds, for a match in its headings, and for a
	// title that begins with what must be there.
	CoverageWeight float64 `setting:"SPARSE_QUERY_COVERAGE_WEIGHT" guest:"" min:"0" max:"10" default:"0.35" doc:"weight of query coverage in a score"`
	HeadingWeight  float64
	TitleWeight    float64
	// MatchThreshold is τ, the least coverage of a matched section.
	MatchThreshold float64
	// CandidateLow is the number of matched sections below which the tables of
	// contents fill up and the search expands.
	CandidateLow int `setting:"ADAPTIVE_CANDIDATE_LOW_BASE" guest:"" min:"2" max:"6" default:"3" doc:"candidates below which a search widens, to begin with"`
	// FileBias is the share of the candidates in one file from which on the
	// search expands.
	FileBias   float64 `setting:"ADAPTIVE_FILE_BIAS_BASE" guest:"" min:"0.7" max:"0.9" default:"0.80" doc:"share of the candidates in one file from which on a search widens, to begin with"`
	Corrective Corrective
	// RerankTop is how many of the best sections the rerankers see; 0 for none.
	RerankTop int `setting:"LATE_RERANK_TOP_N" guest:"" min:"1" max:"1000" default:"50" doc:"candidates given to a reranker"`
}

// DefaultSettings returns the settings that ship.
func DefaultSettings() Settings {
	return Settings{
		Method: fusion.Weighted, CoverageWeight: 0.35, HeadingWeight: 0.05, TitleWeight: 0.5,
		MatchThreshold: query.DefaultThreshold, CandidateLow: 3, RerankTop: 50,
		FileBias:   0.80,
		Corrective: Corrective{Enabled: true, CoverageMin: 0.90, MarginMin: 0.15, MinCandidates: 3, OnConflict: true},
	}
}

// Options configure an engine.
type Options struct {
	// View returns the newest snapshot. While an index is being built it may wait, at most
	// for maxWait.
	View func(ctx context.Context, maxWait time.Duration) (index.View, error)
	// Collection, if not nil, is searched instead.
	Collection *collection.Collection
	Strategies Strategies
	Traces     store.Store
	// StoreFirst holds an answer back until its trace is stored, so that another process can
	// go on with it at once.
	StoreFirst bool
	Settings   Settings
	// Cache, if not nil, says how answers are remembered.
	Cache *Cache
	// Answers, if not nil, is where servers tell each other what they remember.
	Answers store.Store
	// Recorder, if not nil, keeps statistics of searches and of the use of what they
	// found, and moves thresholds by them. The engine does not close it.
	Recorder *adapt.Recorder
	// DefaultManual is searched when a request names no manual.
	DefaultManual string
	// Tool is what an error about a trace says to call again, "" for manual_find.
	Tool   string
	Logger hclog.Logger
}

// Engine answers searches and serves their traces. Safe for concurrent use.
type Engine struct {
	Options
	traces   traceStore
	sizes    sizes
	cache    *semcache.Cache[*Trace]
	returned returnedRefs

	bare    lexical.Cache // sections without text
	answers answer.Judge
	build   func(context.Context, judge.Input) (*judge.Graph, error)
}

// New returns an engine. Its traces belong to a session of their own.
// Close ends it.
func New(opts Options) *Engine {
	e := &Engine{Options: opts, build: judge.Build}
	e.traces.store, e.traces.session, e.traces.logger = opts.Traces, randomID(4), opts.Logger
	e.traces.first, e.traces.tool = opts.StoreFirst, cmp.Or(opts.Tool, adapt.Tool)
	if opts.Cache != nil {
		e.cache = semcache.New[*Trace](opts.Cache.Options)
	}
	return e
}

// Close waits until every trace is stored.
func (e *Engine) Close() { e.traces.close() }

// randomID returns 2n hexadecimal digits.
func randomID(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// Find answers a search.
func (e *Engine) Find(ctx context.Context, req Request) (*Answer, error) {
	return e.find(ctx, req, nil)
}

// watcher sees what the phases of a search gave, while its snapshot is open.
type watcher func(ctx context.Context, r *run, done judged, answer *Answer) error

// find is Find; watch may be nil.
func (e *Engine) find(ctx context.Context, req Request, watch watcher) (answer *Answer, err error) {
	if req.Query, err = questionOf(req); err != nil {
		return nil, err
	}
	preset := req.ManualID == "" && req.OnlyUnscanned == ""
	if preset {
		req.ManualID = e.DefaultManual
	}
	err = retryCorrupt(func() error { answer, err = e.search(ctx, req, watch); return err })
	if preset {
		err = namingDefault(err)
	}
	return answer, err
}

// questionOf returns the query of a request, or all of its queries, for what is kept of it.
func questionOf(req Request) (string, error) {
	check := func(name, query string) error {
		switch {
		case strings.TrimSpace(query) == "":
			return toolset.Invalid(name, query, "a text that is not empty").
				With("example", map[string]any{"query": "初期化 手順"})
		case !utf8.ValidString(query):
			return toolset.Invalid(name, "bytes that are not UTF-8", "valid UTF-8")
		}
		return nil
	}
	if len(req.Queries) == 0 {
		return req.Query, check("query", req.Query)
	}
	for i, query := range req.Queries {
		if err := check(fmt.Sprintf("queries[%d]", i), query); err != nil {
			return "", err
		}
	}
	return strings.Join(req.Queries, " / "), nil
}

// namingDefault names the setting in an error about a manual that no caller named.
func namingDefault(err error) error {
	bad, ok := errors.AsType[*toolset.Error](err)
	if !ok || bad.Details["parameter"] != "manual_id" {
		return err
	}
	bad.Message = "DEFAULT_MANUAL_ID: " + bad.Message + "; correct the setting, or give manual_id"
	return bad.With("parameter", "DEFAULT_MANUAL_ID").With("expected", "the id of a manual")
}

// retryCorrupt runs a search again if the index was damaged: opening it repairs it.
func retryCorrupt(search func() error) error {
	err := search()
	if _, damaged := errors.AsType[*snapshot.CorruptError](err); damaged {
		return search()
	}
	return err
}

// viewReserve is the part of the budget that is not spent on waiting for the index.
const viewReserve = 2 * time.Second

// viewWithin returns the newest snapshot for a search with a budget in milliseconds, and the
// deadline of the search.
func (e *Engine) viewWithin(ctx context.Context, timeMS int) (index.View, time.Time, error) {
	budget := time.Duration(timeMS) * time.Millisecond
	view, err := e.View(ctx, budget-min(budget/2, viewReserve))
	return view, view.Since.Add(budget), err
}

// judgeReserve is how much longer than a search its judgement may take: what strategies had found at
// the deadline is judged too, which usually takes a tenth of that.
const judgeReserve = 200 * time.Millisecond

// search answers from the newest snapshot: from memory, or phase by phase. A search that is watched is always the
// latter, and counts as no use.
func (e *Engine) search(ctx context.Context, req Request, watch watcher) (*Answer, error) {
	p := newPlan(req, e.tuned())
	view, end, err := e.viewFor(ctx, req, p)
	if err != nil {
		return nil, err
	}
	release := view.Release // the trace takes it over
	defer func() { release() }()
	caller := ctx
	ctx, cancel := context.WithDeadline(caller, end)
	defer cancel()
	judging, cancel := context.WithDeadline(caller, end.Add(judgeReserve))
	defer cancel()
	snap := view.Snapshot
	begin, id, probed := time.Now(), e.traces.newID(), e.traces.probe(ctx)
	var cached lookup
	var t *Trace
	var left leftOut
	var answer *Answer
	if err := snap.Guard(func() error {
		scope, err := e.scopeOf(ctx, req, view)
		if err != nil {
			return err
		}
		var r *run
		var done judged
		if watch == nil {
			cached = e.lookUp(ctx, p, scope, view.View)
		}
		if cached.hit() {
			t = recall(cached.found.Entry.Payload, id, p, scope, view.View)
		} else {
			var n notes
			r, n = e.begin(ctx, p, scope, view.View)
			found := retrieve(ctx, r, scope, n)
			if err := errors.Join(caller.Err(), found.err()); err != nil {
				return err
			}
			done = rank(ctx, judging, r, found)
			if err := caller.Err(); err != nil {
				return err
			}
			t, left = e.newTrace(id, r, done)
		}
		if answer, err = e.answer(judging, p, scope.Manual, view.View, t); err != nil {
			return err
		}
		if watch != nil {
			return watch(caller, r, done, answer)
		}
		return e.record(cached, t, answer, time.Since(begin))
	}); err != nil {
		return nil, err
	}
	took := time.Since(begin)
	wait := min(e.traces.patience(cached.hit()), max(0, time.Until(end.Add(judgeReserve))))
	release = func() {}
	lost := e.traces.put(ctx, t, probed, wait, func() error {
		defer view.Release()
		if cached.hit() {
			return nil
		}
		err := snap.Guard(func() error { e.fill(t, snap, left); return nil })
		if err == nil {
			e.remember(cached, t, took)
		}
		return err
	})
	answer.Warnings = append(answer.Warnings, e.lost(lost)...)
	return answer, nil
}

// lost warns of what cannot be kept of a search; trace is the warning of [traceStore.put].
func (e *Engine) lost(trace string) (warnings []string) {
	if trace != "" {
		warnings = append(warnings, trace)
	}
	if err := e.Recorder.Failure(); err != nil {
		warnings = append(warnings, fmt.Sprintf("statistics of use are not kept: %v", rootfs.Cause(err)))
	}
	return warnings
}

// rank orders and judges what was retrieved, and expands a thin search. The judgement costs
// more than the rest, so it comes once, on the final order. Only a conflict depends on the judgement;
// then fusing, reranking and judging are repeated over the union. judging ends later than ctx.
func rank(ctx, judging context.Context, r *run, in retrieved) judged {
	order := fuse(r, in)
	if reasons := reasonsToExpand(r, order); len(reasons) > 0 {
		wider, grown := expand(ctx, r, order)
		order.retrieved = wider
		if grown {
			order = fuse(r, wider)
		}
		return conclude(ctx, judging, r, order, reasons)
	}
	out := conclude(ctx, judging, r, order, nil)
	reasons := conflictReason(r, out)
	if len(reasons) == 0 {
		return out
	}
	wider, grown := expand(ctx, r, out.fused)
	if grown {
		return conclude(ctx, judging, r, fuse(r, wider), reasons)
	}
	out.retrieved, out.escalation = wider, reasons
	return out
}

// conclude reranks and judges an order that was expanded for reasons.
func conclude(ctx, judging context.Context, r *run, order fused, reasons []string) judged {
	out := judgeAnswers(ctx, judging, r, rerank(ctx, judging, r, order))
	out.escalation = reasons
	return out
}
