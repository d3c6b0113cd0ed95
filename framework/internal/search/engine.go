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
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Options configure an engine.
type Options struct {
	// View returns the newest snapshot. While an index is being built, it waits for at most maxWait.
	View func(ctx context.Context, maxWait time.Duration) (index.View, error)
	// Collection, if not nil, is searched instead.
	Collection *collection.Collection
	Strategies Strategies
	Traces     store.Store
	// StoreFirst delays an answer until its trace is stored, so that another process can use
	// the trace at once.
	StoreFirst bool
	Settings   Settings
	// Cache, if not nil, configures the cache of answers.
	Cache *Cache
	// Answers, if not nil, is the store in which servers share their cached answers.
	Answers store.Store
	// Recorder, if not nil, keeps statistics of searches and of how their results are used, and
	// adapts thresholds to them. The engine does not close it.
	Recorder *adapt.Recorder
	// DefaultManual is searched when a request names no manual.
	DefaultManual string
	// Tool is the tool that an error about a trace suggests to call again; "" means manual_find.
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

	bare  lexical.Cache // sections without text
	cuts  cuts
	build func(context.Context, judge.Input) (*judge.Graph, error)
}

// New returns an engine with a new session for its traces. Close the engine after use.
func New(opts Options) *Engine {
	e := &Engine{Options: opts, build: judge.Build, traces: traceStore{
		store: opts.Traces, session: randomID(4), logger: opts.Logger, first: opts.StoreFirst,
		tool: cmp.Or(opts.Tool, adapt.Tool), pending: map[string]*Trace{},
	}}
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

// watcher is called with the trace of a search, what the phases left out of it, and the answer, while the snapshot of
// the search is open.
type watcher func(ctx context.Context, t *Trace, left leftOut, answer *Answer) error

// find is like Find, but calls watch if it is not nil.
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

// questionOf returns the query of a request, or all of its queries in one text, for the trace.
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

// namingDefault makes an error about the default manual name its setting, since no caller gave a manual.
func namingDefault(err error) error {
	bad, ok := errors.AsType[*toolset.Error](err)
	if !ok || bad.Details["parameter"] != "manual_id" {
		return err
	}
	bad.Message = "DEFAULT_MANUAL_ID: " + bad.Message + "; correct the setting, or give manual_id"
	return bad.With("parameter", "DEFAULT_MANUAL_ID").With("expected", "the id of a manual")
}

// retryCorrupt repeats a search once if the index was damaged: opening the index repairs it.
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

// judgeReserve is how much longer than the search deadline the judgement may take, so that sections
// found just before the deadline are judged too. This usually takes a tenth of it.
const judgeReserve = 200 * time.Millisecond

// search answers from the newest snapshot: from the cache, or phase by phase. A watched search bypasses the cache
// and is not counted in the statistics of use.
func (e *Engine) search(ctx context.Context, req Request, watch watcher) (*Answer, error) {
	p := newPlan(req, e.tuned())
	view, end, err := e.viewFor(ctx, req, p)
	if err != nil {
		return nil, err
	}
	release := view.Release // until the trace takes over the view
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
		if watch == nil {
			cached = e.lookUp(ctx, p, scope, view.View)
		}
		if cached.hit() {
			t = recall(cached.found.Entry.Payload, id, p, scope, view.View)
		} else if t, left, err = e.phases(caller, ctx, judging, id, p, scope, view.View); err != nil {
			return err
		}
		if answer, err = e.answer(judging, p, scope.Manual, view.View, t); err != nil {
			return err
		}
		if watch != nil {
			return watch(caller, t, left, answer)
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
		err := snap.Guard(func() error { left.fill(t); return nil })
		if err == nil {
			e.remember(cached, t, took)
		}
		return err
	})
	answer.Warnings = append(answer.Warnings, e.storeWarnings(lost)...)
	return answer, nil
}

// phases runs a search from retrieving to judging and returns its trace. ctx ends with the time of the search, judging
// a little later, and caller when the answer is no longer wanted.
func (e *Engine) phases(
	caller, ctx, judging context.Context, id string, p plan, scope Scope, view index.View,
) (*Trace, leftOut, error) {
	r, n := e.begin(ctx, p, scope, view)
	found := retrieve(ctx, r, scope, n)
	// strategies also fail because their caller gave up or the index is damaged
	if err := cmp.Or(caller.Err(), r.snap.Err(), found.err()); err != nil {
		return nil, leftOut{}, err
	}
	t, left := e.newTrace(id, r, rankAndJudge(ctx, judging, r, found))
	return t, left, caller.Err()
}

// storeWarnings returns warnings about data of a search that cannot be stored. trace is that of [traceStore.put].
func (e *Engine) storeWarnings(trace string) (warnings []string) {
	if trace != "" {
		warnings = append(warnings, trace)
	}
	if err := e.Recorder.Failure(); err != nil {
		warnings = append(warnings, fmt.Sprintf("statistics of use are not kept: %v", rootfs.Cause(err)))
	}
	return warnings
}

// rankAndJudge orders and judges the retrieved sections, and expands the search if they are not enough. The judgement
// costs more than the rest, so it runs once, on the final order. Only if it shows a conflict that calls for expanding
// are fusing, reranking and judging repeated over all results. judging ends later than ctx.
func rankAndJudge(ctx, judging context.Context, r *run, in retrieved) judged {
	order := fuse(r, in)
	if reasons := reasonsToExpand(r, order); len(reasons) > 0 {
		wider, grown := expand(ctx, r, order)
		order.retrieved = wider
		if grown {
			order = fuse(r, wider)
		}
		return rerankAndJudge(ctx, judging, r, order, reasons)
	}
	out := rerankAndJudge(ctx, judging, r, order, nil)
	reasons := conflictReason(r, out)
	if len(reasons) == 0 {
		return out
	}
	wider, grown := expand(ctx, r, out.fused)
	if grown {
		return rerankAndJudge(ctx, judging, r, fuse(r, wider), reasons)
	}
	out.retrieved, out.escalation = wider, reasons
	return out
}

// rerankAndJudge reranks and judges an order. reasons say why the search was expanded, if it was.
func rerankAndJudge(ctx, judging context.Context, r *run, order fused, reasons []string) judged {
	out := judgeAnswers(ctx, judging, r, rerank(ctx, judging, r, order))
	out.escalation = reasons
	return out
}
