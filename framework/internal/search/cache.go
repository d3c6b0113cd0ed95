package search

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Cache configures the cache of answers.
type Cache struct {
	// Default applies to requests that do not say whether they may be answered from the cache.
	Default bool
	semcache.Options
}

// CacheCounts returns the number of searches by cache mode, including misses, or nil without a cache.
func (e *Engine) CacheCounts() map[semcache.Mode]int {
	if e.cache == nil {
		return nil
	}
	return e.cache.Counts()
}

// lookup is the result of looking a search up in the cache.
type lookup struct {
	scope semcache.Scope
	key   semcache.Key
	found semcache.Found[*Trace]
}

// hit reports whether the cache answers the search.
func (l lookup) hit() bool { return l.found.Mode.Hit() }

// lookUp looks the search up in the cache. Searches of unscanned sections, searches with several
// queries, and searches while files are still to be indexed bypass the cache.
func (e *Engine) lookUp(ctx context.Context, p plan, scope Scope, view index.View) lookup {
	wanted := e.Cache != nil && e.Cache.Default
	if p.request.UseCache != nil {
		wanted = *p.request.UseCache
	}
	if e.cache == nil || !wanted || p.request.OnlyUnscanned != "" || len(p.wordings) > 1 || len(view.Lacking) > 0 {
		return lookup{found: semcache.Found[*Trace]{Mode: semcache.Bypass}}
	}
	strategies, _ := e.Strategies.Strategies(ctx) // the search reports failures
	l := lookup{key: semcache.KeyOf(p.query), scope: semcache.Scope{
		ManualID: scope.Manual, ExpandScope: p.request.ExpandScope,
		MaxCandidates: p.request.MaxCandidates, TimeMS: p.request.TimeMS,
		Recipe: semcache.Recipe(strategies, p.settings), Fingerprint: view.Snapshot.Fingerprint(),
	}}
	l.found = e.cache.Lookup(l.scope, l.key, func() bool { return e.fetched(ctx, l, view.Snapshot) })
	return l
}

// recall returns a copy of a cached trace for this request: with a new id, this request's words,
// and the files that currently cannot be searched, which the content fingerprint does not cover.
func recall(old *Trace, id string, p plan, scope Scope, view index.View) *Trace {
	t := *old
	t.Skipped = scope.Skipped
	if old.Manual != scope.Manual { // the search continued in other manuals
		t.Skipped = view.Skipped
	}
	if old.Request.Query == p.request.Query && old.Request.ManualID == p.request.ManualID &&
		slices.Equal(old.Skipped, t.Skipped) {
		t.same = old.ID
	}
	if old.Request.Query != p.request.Query || old.Request.Passages != p.request.Passages {
		t.sources = nil
	}
	t.ID, t.Created, t.Request, t.Words = id, time.Now(), p.request, p.words()
	t.Warnings = slices.Concat(p.warnings, scope.Warnings) // a cached trace has no warnings
	return &t
}

// remember puts a search into the cache if it was complete.
func (e *Engine) remember(l lookup, t *Trace, took time.Duration) {
	mode := l.found.Mode
	if mode != semcache.Miss && mode != semcache.Revalidate || t.Left[reasonTime] > 0 || len(t.Warnings) > 0 {
		return
	}
	e.cache.Put(l.scope, l.key, entryOf(t, took))
	if e.Answers != nil {
		e.traces.writes.Go(func() error { e.shareAnswer(l, t, took); return nil })
	}
}

func entryOf(t *Trace, took time.Duration) semcache.Entry[*Trace] {
	return semcache.Entry[*Trace]{
		Payload: t, Gaps: len(t.Graph.Gaps), Conflicts: len(t.Graph.Conflicts), Latency: took,
		Weight: len(t.Candidates), Alike: t.Graph.Alike,
	}
}

// answered is the record of a search that servers share: the trace with the answer, and the queries that it answers.
// Its name is a hash of the query, the scope, the index and the settings, so that a change of any of them misses.
type answered struct {
	Trace   string        `json:"trace"`
	Exact   []byte        `json:"exact"`
	Intent  sdk.Intent    `json:"intent"`
	Alike   []sdk.Intent  `json:"alike"`
	Latency time.Duration `json:"latency"`
}

// sharedSession is the session under which servers share these records.
const sharedSession = "answers"

// shareAnswer shares a trace, so that other servers can answer from it.
func (e *Engine) shareAnswer(l lookup, t *Trace, took time.Duration) {
	data, err := json.Marshal(answered{t.ID, l.key.Exact[:], l.key.Intent, t.Graph.Alike, took})
	if err == nil {
		err = e.Answers.Put(context.Background(), sharedSession, l.key.Name(l.scope), data)
	}
	if err != nil {
		e.Logger.Debug("other servers do not hear of an answer", "error", err)
	}
}

// fetched reports whether it could put another server's answer to the search into the cache.
func (e *Engine) fetched(ctx context.Context, l lookup, snap *snapshot.Snapshot) bool {
	if e.Answers == nil {
		return false
	}
	err := e.fetch(ctx, l, snap)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		e.Logger.Debug("no answer of another server", "error", err)
	}
	return err == nil
}

func (e *Engine) fetch(ctx context.Context, l lookup, snap *snapshot.Snapshot) error {
	data, err := e.Answers.Get(ctx, sharedSession, l.key.Name(l.scope))
	if err != nil {
		return err
	}
	var a answered
	if err := json.Unmarshal(data, &a); err != nil {
		return err
	}
	t, err := e.traces.read(ctx, a.Trace)
	if err != nil {
		return err
	}
	t.Scanned = t.Size // only complete searches are shared
	for i := range t.Candidates {
		c := &t.Candidates[i]
		if id, ok := Locate(snap, c.ManualID, c.Path, c.Line); ok {
			c.Section, _ = snap.Section(id)
			*c = c.detach(snap)
		}
	}
	key := semcache.Key{Meaning: l.key.Meaning, Intent: a.Intent}
	copy(key.Exact[:], a.Exact)
	entry := entryOf(t, a.Latency)
	entry.Alike = a.Alike
	e.cache.Put(l.scope, key, entry)
	return nil
}
