package search

import (
	"context"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
)

// Cache says how answers are remembered.
type Cache struct {
	// Default is for requests that do not say whether they may be answered from memory.
	Default bool
	semcache.Options
}

// repeat is a search as the cache knows it.
type repeat struct {
	scope semcache.Scope
	key   semcache.Key
	found semcache.Found[*trace]
}

// lookup looks the search up in the cache. One of what was left out, and one of
// files that are not all indexed, pass it by.
func (s *search) lookup(ctx context.Context) (repeat, error) {
	e := s.engine
	wanted := e.Cache != nil && e.Cache.Default
	if s.req.UseCache != nil {
		wanted = *s.req.UseCache
	}
	if e.cache == nil || !wanted || s.req.OnlyUnscanned != "" || len(s.allLacking) > 0 {
		return repeat{found: semcache.Found[*trace]{Mode: semcache.Bypass}}, nil
	}
	strategies, _ := e.Strategies.Strategies(ctx) // those that fail are met by the search
	recipe, err := semcache.Recipe(strategies, s.settings)
	if err != nil {
		return repeat{}, err
	}
	q := repeat{key: semcache.KeyOf(s.query), scope: semcache.Scope{
		ManualID: s.manual, ExpandScope: s.req.ExpandScope, MaxCandidates: s.req.MaxCandidates, TimeMS: s.req.TimeMS,
		Strategies: recipe, Fingerprint: s.snap.Fingerprint(),
	}}
	q.found = e.cache.Lookup(q.scope, q.key)
	return q, nil
}

// recall gives a remembered search as one of its own: under a new id, and in the
// words of this request.
func (s *search) recall(old *trace, id string) *trace {
	t := *old
	if old.Request.Query == s.req.Query && old.Request.ManualID == s.req.ManualID {
		t.same = old.ID
	}
	t.ID, t.Created, t.Request, t.Words = id, time.Now(), s.req, s.words()
	t.Warnings = s.warnings // of the query alone: what was remembered has none
	s.unexamined = roaring.New()
	return &t
}

// remember puts a complete search into the cache. What is partial is searched
// for again.
func (s *search) remember(q repeat, t *trace, took time.Duration) {
	mode := q.found.Mode
	if mode != semcache.Miss && mode != semcache.Revalidate || t.Left[reasonTime] > 0 || len(t.Warnings) > 0 {
		return
	}
	s.engine.cache.Put(q.scope, q.key, semcache.Entry[*trace]{
		Payload: t, Gaps: len(t.Graph.Gaps), Conflicts: len(t.Graph.Conflicts), Latency: took,
	})
}
