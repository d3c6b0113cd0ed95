package search

import (
	"context"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
)

// Cache says how answers are remembered.
type Cache struct {
	// Default is for requests that do not say whether they may be answered from memory.
	Default bool
	semcache.Options
}

// CacheCounts returns how many searches the cache answered, by mode, and how many it did not; none where there is
// no cache.
func (e *Engine) CacheCounts() map[semcache.Mode]int {
	if e.cache == nil {
		return nil
	}
	return e.cache.Counts()
}

// lookup is a search as the cache knows it.
type lookup struct {
	scope semcache.Scope
	key   semcache.Key
	found semcache.Found[*Trace]
}

// hit reports whether the search is answered from memory.
func (l lookup) hit() bool { return l.found.Mode.Hit() }

// lookUp looks the search up in the cache. Searches of what another left out, of several queries, and
// those while files are not indexed yet, bypass it.
func (e *Engine) lookUp(ctx context.Context, p plan, scope Scope, view index.View) lookup {
	wanted := e.Cache != nil && e.Cache.Default
	if p.request.UseCache != nil {
		wanted = *p.request.UseCache
	}
	if e.cache == nil || !wanted || p.request.OnlyUnscanned != "" || len(p.wordings) > 1 || len(view.Lacking) > 0 {
		return lookup{found: semcache.Found[*Trace]{Mode: semcache.Bypass}}
	}
	strategies, _ := e.Strategies.Strategies(ctx) // the search reports those that fail
	l := lookup{key: semcache.KeyOf(p.query), scope: semcache.Scope{
		ManualID: scope.Manual, ExpandScope: p.request.ExpandScope,
		MaxCandidates: p.request.MaxCandidates, TimeMS: p.request.TimeMS,
		Recipe: semcache.Recipe(strategies, p.settings), Fingerprint: view.Snapshot.Fingerprint(),
	}}
	l.found = e.cache.Lookup(l.scope, l.key, e.fetcher(ctx, l, view.Snapshot))
	return l
}

// recall returns a remembered search as one of its own: under a new id, in the words of this
// request, and with the files that cannot be searched by now, which the fingerprint of the
// content does not cover.
func recall(old *Trace, id string, p plan, scope Scope, view index.View) *Trace {
	t := *old
	t.Skipped = scope.Skipped
	if old.Manual != scope.Manual { // the search had left it
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
	t.Warnings = slices.Concat(p.warnings, scope.Warnings) // what was remembered has none
	return &t
}

// remember puts a complete search into the cache. A partial one is searched for again.
func (e *Engine) remember(l lookup, t *Trace, took time.Duration) {
	mode := l.found.Mode
	if mode != semcache.Miss && mode != semcache.Revalidate || t.Left[reasonTime] > 0 || len(t.Warnings) > 0 {
		return
	}
	e.cache.Put(l.scope, l.key, entryOf(t, took))
	if e.Answers != nil {
		e.traces.writes.Go(func() error { e.tell(l, t, took); return nil })
	}
}

func entryOf(t *Trace, took time.Duration) semcache.Entry[*Trace] {
	return semcache.Entry[*Trace]{
		Payload: t, Gaps: len(t.Graph.Gaps), Conflicts: len(t.Graph.Conflicts), Latency: took,
		Weight: len(t.Candidates), Alike: t.Graph.Alike,
	}
}
