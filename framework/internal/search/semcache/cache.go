package semcache

import (
	"container/list"
	"crypto/sha256"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
)

// Mode is the outcome of a lookup.
type Mode string

const (
	// Bypass: the cache was not used.
	Bypass Mode = "bypass"
	// Miss: no valid answer is cached; search and [Cache.Put].
	Miss Mode = "miss"
	// Exact: the same query was answered before.
	Exact Mode = "exact"
	// Semantic: another query that asks the same was answered before.
	Semantic Mode = "semantic"
	// Revalidate: an answer is cached, but it has more gaps or conflicts than [Guard] allows; search again and
	// [Cache.Put].
	Revalidate Mode = "guard_revalidate"
)

// Hit reports whether the lookup returned a payload to serve.
func (m Mode) Hit() bool { return m == Exact || m == Semantic }

// Guard limits which answers may be served from the cache. An answer with more gaps or conflicts is
// searched for again, since the manuals may have improved. A negative limit is off.
type Guard struct{ MaxGaps, MaxConflicts int }

func (g Guard) stops(gaps, conflicts int) bool {
	return g.MaxGaps >= 0 && gaps > g.MaxGaps || g.MaxConflicts >= 0 && conflicts > g.MaxConflicts
}

// Options bound a cache.
type Options struct {
	TTL  time.Duration // counted from Put
	Keep int           // maximum number of entries, ≥ 1; the least recently used is evicted first
	// Weight is the maximum total weight of the entries; 0 means no limit. An entry that
	// exceeds it by itself is not kept.
	Weight int
	Guard  Guard
}

// Entry is a cached answer. The payload is shared and must not change after [Cache.Put].
type Entry[T any] struct {
	Payload T
	// Gaps and Conflicts are the summary's gap_count and conflict_count.
	Gaps, Conflicts int
	// Latency is the duration of the search, which a hit saves except for its own time.
	Latency time.Duration
	// Weight is a measure of the payload's size in memory.
	Weight int
	// Alike lists the other intents for which the same words have this answer.
	Alike []sdk.Intent
}

// Found is the outcome of a lookup.
type Found[T any] struct {
	Mode  Mode
	Entry Entry[T] // set when Mode.Hit()
}

// Cache caches payloads. It is safe for concurrent use.
type Cache[T any] struct {
	options Options
	now     func() time.Time

	mu        sync.Mutex
	byExact   map[slot]*list.Element
	byMeaning map[slot]*list.Element
	recent    *list.List // of *remembered[T], most recently used first
	weight    int        // of all of them
	counts    map[Mode]int
}

// slot is a form of a query within its scope.
type slot struct {
	scope Scope
	form  [sha256.Size]byte
}

type remembered[T any] struct {
	Entry[T]
	exact, meaning slot
	intent         sdk.Intent
	put            time.Time
}

// answers reports whether the entry answers its words with an intent.
func (r *remembered[T]) answers(intent sdk.Intent) bool {
	return r.intent == intent || slices.Contains(r.Alike, intent)
}

// New returns an empty cache.
func New[T any](o Options) *Cache[T] {
	return &Cache[T]{
		options: o, now: time.Now, recent: list.New(),
		byExact: make(map[slot]*list.Element), byMeaning: make(map[slot]*list.Element), counts: map[Mode]int{},
	}
}

// Lookup finds an answer to the same question in the same scope: first to the same query, then to another query
// that asks the same. On a miss it calls fetch, if not nil, which reports whether it has put an entry that may
// answer, and looks again.
func (c *Cache[T]) Lookup(scope Scope, key Key, fetch func() bool) Found[T] {
	found := c.lookup(scope, key)
	if found.Mode == Miss && fetch != nil && fetch() {
		found = c.lookup(scope, key)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[found.Mode]++
	return found
}

func (c *Cache[T]) lookup(scope Scope, key Key) Found[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.valid(c.byExact[slot{scope, key.Exact}]); e != nil {
		return c.serve(e, Exact)
	}
	if e := c.valid(c.byMeaning[slot{scope, key.Meaning}]); e != nil && e.Value.(*remembered[T]).answers(key.Intent) {
		return c.serve(e, Semantic)
	}
	return Found[T]{Mode: Miss}
}

// Counts returns how many lookups ended in each mode.
func (c *Cache[T]) Counts() map[Mode]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.counts)
}

// valid returns e if it has not expired. Otherwise it removes e and returns nil.
func (c *Cache[T]) valid(e *list.Element) *list.Element {
	if e != nil && c.now().Sub(e.Value.(*remembered[T]).put) > c.options.TTL {
		c.remove(e)
		return nil
	}
	return e
}

func (c *Cache[T]) serve(e *list.Element, mode Mode) Found[T] {
	r := e.Value.(*remembered[T])
	if c.options.Guard.stops(r.Gaps, r.Conflicts) {
		return Found[T]{Mode: Revalidate}
	}
	c.recent.MoveToFront(e)
	return Found[T]{mode, r.Entry}
}

// Put stores an answer. It replaces the answer to the same query, and other wordings of the question get it from now
// on.
func (c *Cache[T]) Put(scope Scope, key Key, entry Entry[T]) {
	r := &remembered[T]{entry, slot{scope, key.Exact}, slot{scope, key.Meaning}, key.Intent, c.now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.byExact[r.exact]; old != nil {
		c.remove(old)
	}
	if most := c.options.Weight; most > 0 && r.Weight > most {
		return
	}
	e := c.recent.PushFront(r)
	c.byExact[r.exact], c.byMeaning[r.meaning] = e, e
	c.weight += r.Weight
	for c.recent.Len() > c.options.Keep || c.options.Weight > 0 && c.weight > c.options.Weight {
		c.remove(c.recent.Back())
	}
}

func (c *Cache[T]) remove(e *list.Element) {
	r := c.recent.Remove(e).(*remembered[T])
	c.weight -= r.Weight
	delete(c.byExact, r.exact)
	if c.byMeaning[r.meaning] == e {
		delete(c.byMeaning, r.meaning)
	}
}
