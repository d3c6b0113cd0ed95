package vault

import (
	"context"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// memory records what a session has scanned, cited and audited, to compute the gain of further
// scanning. It is safe for concurrent use.
type memory struct {
	single bool // it serves one call, which belongs to no session
	mu     sync.Mutex
	files  recent[string, effort]
	audits recent[pair, audit.Earlier]
}

// pair is an artifact and its source.
type pair struct{ artifact, source string }

// effort is the amount scanned of a file since its lines were last cited.
type effort struct {
	cited  []toolset.Range
	seen   []toolset.Range // lines that were read
	tokens int
	chars  int
	gained bool    // lines were cited newly at least once
	before float64 // the gain in characters of the last chunk that brought enough
	low    int     // chunks in a row that brought too little since
	judged bool    // what was scanned so far is judged
}

// remembered returns the memory of the session, an empty one for a call without a session.
func remembered(ctx context.Context) *memory {
	if m := toolset.Remembered(ctx, func() *memory { return &memory{} }); m != nil {
		return m
	}
	return &memory{single: true}
}

// gain is the benefit of scanning.
type gain struct {
	Value  *float64 // newly cited lines per token; nil until lines were cited newly
	Lines  int      // cited newly
	Tokens int      // scanned since lines were last cited
	Low    int      // chunks in a row below the minimum
}

// cite records which lines of a file are cited now and returns the gain of the chunks since
// the last citation. A chunk brings too little when the share of its characters that is cited
// newly is below the minimum and has fallen to less than half.
func (m *memory) cite(d *document, merged []toolset.Range, minimum float64) gain {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, known := m.files.of(d.path)
	if !known {
		e.cited = merged
		return gain{}
	}
	lines := added(e.cited, merged)
	e.gained = e.gained || lines > 0 && e.tokens > 0
	if !e.gained || e.tokens == 0 {
		e.cited = toolset.MergeRanges(append(e.cited, merged...))
		return gain{Low: e.low}
	}
	g := gain{Value: new(adapt.Gain(lines, e.tokens)), Lines: lines, Tokens: e.tokens}
	all := toolset.MergeRanges(slices.Concat(e.cited, merged))
	share := adapt.Gain(d.characters(all)-d.characters(toolset.MergeRanges(e.cited)), e.chars)
	switch {
	case share >= minimum || share >= e.before/2:
		e.low, e.before = 0, share
	case !e.judged:
		e.low++
	}
	g.Low, e.judged = e.low, true
	if lines > 0 {
		e.cited, e.tokens, e.chars = all, 0, 0
	}
	return g
}

// added returns the number of lines of merged ranges that others do not hold.
func added(others, merged []toolset.Range) int {
	all := toolset.MergeRanges(slices.Concat(others, merged))
	return toolset.CountLines(all) - toolset.CountLines(toolset.MergeRanges(others))
}

// scanned records that a piece of a file was read, with the lines that end in it, and reports
// whether some of these had not been read before.
func (m *memory) scanned(path string, p piece, ended *toolset.Range) (fresh bool) {
	if p.text == "" {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e, _ := m.files.of(path)
	chars := utf8.RuneCountInString(p.text)
	e.chars += chars
	e.tokens += adapt.EstTokens(0, chars)
	e.judged = false
	if ended != nil {
		fresh = !m.single && added(e.seen, []toolset.Range{*ended}) > 0
		e.seen = toolset.MergeRanges(append(e.seen, *ended))
	}
	for of, last := range m.audits.items {
		if of.source == path {
			last.Scanned = toolset.MergeRanges(append(last.Scanned, p.lines))
		}
	}
	return fresh
}

// unseen returns the first line of some ranges that was not read, 0 for none or without a
// session.
func (m *memory) unseen(path string, ranges []toolset.Range) int {
	if m.single {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e, _ := m.files.of(path)
	for _, r := range ranges {
		for _, rest := range toolset.UncoveredRanges(e.seen, r.EndLine) {
			if rest.EndLine >= r.StartLine {
				return max(rest.StartLine, r.StartLine)
			}
		}
	}
	return 0
}

// earlier returns the last audit of a pair and what was scanned of its source since, nil for
// none.
func (m *memory) earlier(p pair) *audit.Earlier {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := m.audits.items[p]
	if last == nil {
		return nil
	}
	return &audit.Earlier{Cited: last.Cited, Scanned: slices.Clone(last.Scanned)}
}

// audited records which lines of its source a pair cites.
func (m *memory) audited(p pair, cited []toolset.Range) {
	m.mu.Lock()
	defer m.mu.Unlock()
	last, _ := m.audits.of(p)
	*last = audit.Earlier{Cited: cited}
}

// maxItems is the maximum number of items of each kind in a memory.
const maxItems = 1000

// recent holds the items that were made last.
type recent[K comparable, V any] struct {
	items map[K]*V
	order []K // oldest first
}

// of returns the item of a key, which it makes when it is not known.
func (r *recent[K, V]) of(key K) (item *V, known bool) {
	if item, known = r.items[key]; known {
		return item, true
	}
	if r.items == nil {
		r.items = map[K]*V{}
	}
	item = new(V)
	r.items[key], r.order = item, append(r.order, key)
	if len(r.order) > maxItems {
		delete(r.items, r.order[0])
		r.order = r.order[1:]
	}
	return item, false
}
