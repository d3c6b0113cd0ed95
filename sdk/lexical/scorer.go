package lexical

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sort"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// scorer first scans the terms that count for coverage, one window of sections at a time: they
// decide which sections match. The other terms, often those with the longest lists, then score only
// the matched sections that can still be among the best.
type scorer struct {
	snap      *snapshot.Snapshot
	query     Query
	threshold float32
	k1        float32
	norms     norms
	terms     []weighted // the terms that decide which sections match, then the others
	deciding  int        // number of deciding terms
	share     coverage
	enough    uint64          // slots that each alone reach the threshold
	accept    *roaring.Bitmap // nil when every section is searched

	seg     *snapshot.Segment
	lens    [][]uint16
	cursors []cursor

	scores  [window]float32
	slots   [window]uint64
	touched [window / 64]uint64         // a bit for each section that has a score or slots
	impact  [snapshot.BlockSize]float32 // of the entries of a block
	leaders Top                         // the best sections by their scores so far
	scoped  []partial                   // the sections of a window if few are accepted

	found    []partial // the matched sections, ascending
	matched  []uint64  // the same as a bit set
	limit    int
	examined int
}

// partial is a section with its score so far.
type partial struct {
	section uint32
	score   float32
	slots   uint64
}

// weighted is a term with the product of its weight and idf, an upper bound of its contribution to
// a score.
type weighted struct {
	text   string
	weight float32
	slot   uint64 // mask; 0 for no slot
}

// scorers holds idle scorers, whose accumulators are zero.
var scorers = sync.Pool{New: func() any { return new(scorer) }}

func newScorer(snap *snapshot.Snapshot, scope *roaring.Bitmap, q Query, p Params, limit int) *scorer {
	s := scorers.Get().(*scorer)
	s.snap, s.query, s.k1, s.threshold = snap, q, float32(p.K1), float32(q.Threshold)-1e-4
	s.norms.set(snap, p)
	s.share, s.enough = newCoverage(q.Share), 0
	for slot, share := range q.Share {
		if float32(share) >= s.threshold {
			s.enough |= 1 << slot
		}
	}
	s.accept, s.limit, s.examined = accept(snap, scope), max(limit, 0), 0
	s.found = s.found[:0]
	words := (int(snap.Bound()) + 63) / 64
	s.matched = slices.Grow(s.matched[:0], words)[:words]
	clear(s.matched)
	s.weigh(snap, q.Terms)
	return s
}

// weigh sets the weighted terms.
func (s *scorer) weigh(snap *snapshot.Snapshot, terms []Term) {
	n := snap.Population()
	s.terms = s.terms[:0]
	for _, t := range terms {
		w := weighted{text: t.Text, weight: float32(t.Weight * IDF(n, t.docFreq(snap)))}
		if t.Slot >= 0 {
			w.slot = 1 << t.Slot
		}
		s.terms = append(s.terms, w)
	}
	s.deciding = len(s.terms)
	if s.threshold <= 0 {
		return // every term makes a section match
	}
	slices.SortStableFunc(s.terms, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(min(b.slot, 1), min(a.slot, 1)), cmp.Compare(b.weight, a.weight))
	})
	s.deciding = slices.IndexFunc(s.terms, func(w weighted) bool { return w.slot == 0 })
	if s.deciding < 0 {
		s.deciding = len(s.terms)
	}
}

// accept returns the live sections of the scope, or nil if every section is accepted.
func accept(snap *snapshot.Snapshot, scope *roaring.Bitmap) *roaring.Bitmap {
	live := snap.Live()
	switch {
	case scope != nil:
		return roaring.And(scope, live)
	case live.GetCardinality() < uint64(snap.Bound()):
		return live
	}
	return nil
}

// open moves terms to the start of their postings in seg.
func (s *scorer) open(seg *snapshot.Segment, terms []weighted) {
	s.seg, s.lens = seg, s.lens[:0]
	for f := range s.norms.tables {
		s.lens = append(s.lens, seg.Lengths(f))
	}
	s.cursors = slices.Grow(s.cursors[:0], len(terms))[:len(terms)]
	for i := range s.cursors {
		s.cursors[i].open(seg, &terms[i])
	}
}

// windows scores one window of sections after another as long as more returns true. It returns false if ctx ended
// first.
func (s *scorer) windows(ctx context.Context, more func() bool) bool {
	for _, seg := range s.snap.Segments() {
		s.open(seg, s.terms[:s.deciding])
		for lo := uint32(0); lo < seg.Len(); lo += window {
			if !more() {
				return true
			}
			if ctx.Err() != nil {
				return false
			}
			s.window(lo, min(lo+window, seg.Len()))
		}
	}
	return true
}

// sparse is the number of accepted sections of a window below which they are looked up one by one.
const sparse = window / 16

// window scores the local sections [lo, hi) and collects the matched ones.
func (s *scorer) window(lo, hi uint32) {
	n := int(hi - lo)
	if s.accept != nil {
		base := uint64(s.seg.Base())
		n = int(s.accept.CardinalityInRange(base+uint64(lo), base+uint64(hi)))
	}
	s.examined += n
	switch {
	case n == 0:
		return
	case s.accept != nil && n < sparse:
		s.scoreSparse(lo, hi)
	default:
		s.scoreDense(lo, hi)
	}
}

// scoreDense scores a window in which many sections are accepted.
func (s *scorer) scoreDense(lo, hi uint32) {
	for i := range s.cursors {
		s.scan(&s.cursors[i], lo, hi)
	}
	base := s.seg.Base() + lo
	for word, rest := range s.touched {
		if rest == 0 {
			continue
		}
		s.touched[word] = 0
		for ; rest != 0; rest &= rest - 1 {
			i := uint32(word*64 + bits.TrailingZeros64(rest))
			p := partial{base + i, s.scores[i], s.slots[i]}
			s.scores[i], s.slots[i] = 0, 0
			if p.score != 0 && (s.accept == nil || s.accept.Contains(p.section)) {
				s.match(p)
			}
		}
	}
}

// scoreSparse scores a window of few accepted sections.
func (s *scorer) scoreSparse(lo, hi uint32) {
	base := s.seg.Base()
	it := s.accept.Iterator()
	it.AdvanceIfNeeded(base + lo)
	s.scoped = s.scoped[:0]
	for it.HasNext() && it.PeekNext() < base+hi {
		s.scoped = append(s.scoped, partial{section: it.Next()})
	}
	for i := range s.cursors {
		s.probe(&s.cursors[i], s.scoped)
	}
	for _, p := range s.scoped {
		if p.score != 0 {
			s.match(p)
		}
	}
}

// match adds a section to the matched ones if its coverage reaches the threshold or it contains a must term.
func (s *scorer) match(p partial) {
	if p.slots&s.enough != 0 || s.share.of(p.slots) >= s.threshold || s.must(p.section, p.slots) {
		s.found = append(s.found, p)
		s.matched[p.section/64] |= 1 << (p.section % 64)
	}
}

// must reports whether the section contains a must term.
func (s *scorer) must(section uint32, slots uint64) bool {
	for i, mask := range s.query.Must {
		if slots&mask == mask && s.query.Verify(section, i) {
			return true
		}
	}
	return false
}

// result returns the result and releases the scorer.
func (s *scorer) result(finished bool) Result {
	var floor float32
	if rest := s.terms[s.deciding:]; len(rest) > 0 && s.limit > 0 {
		floor = s.floor(rest)
		s.found = s.complete(s.found, rest, floor)
	}
	out := Result{Hits: s.hits(floor), Examined: s.examined, Finished: finished}
	out.Matched = roaring.FromDense(s.matched, true)
	s.snap, s.query, s.accept, s.seg = nil, Query{}, nil, nil
	scorers.Put(s)
	return out
}

// hits returns the best of the matched sections.
func (s *scorer) hits(floor float32) []Hit {
	var top Top
	top.reset(s.limit, make([]Hit, 0, min(s.limit, len(s.found))))
	s.best(&top, floor)
	best := top.Sorted()
	for i := range best {
		best[i].Coverage = float64(min(s.share.of(best[i].Slots), 1))
	}
	return best
}

// best offers the matched sections to top, with their scores so far.
func (s *scorer) best(top *Top, floor float32) {
	for i := range s.found {
		if p := &s.found[i]; p.score >= floor && top.takes(float64(p.score)) {
			top.Offer(Hit{Section: p.section, Score: float64(p.score), Slots: p.slots})
		}
	}
}

// floor returns a score that at least limit sections reach: the lowest full score of the sections
// that lead before the other terms are added. It returns 0 if all sections are kept.
func (s *scorer) floor(rest []weighted) float32 {
	if len(s.found) <= s.limit {
		return 0
	}
	leaders := s.scoped[:0]
	s.leaders.reset(s.limit, s.leaders.heap)
	s.best(&s.leaders, 0)
	for _, h := range s.leaders.heap {
		leaders = append(leaders, partial{section: h.Section, score: float32(h.Score)})
	}
	slices.SortFunc(leaders, func(a, b partial) int { return cmp.Compare(a.section, b.section) })
	s.complete(leaders, rest, 0)
	s.scoped = leaders
	return slices.MinFunc(leaders, func(a, b partial) int { return cmp.Compare(a.score, b.score) }).score
}

// complete adds the remaining terms to the scores of sections, which are in ascending order, and
// returns those that can still reach floor. It reuses the slice.
func (s *scorer) complete(sections []partial, rest []weighted, floor float32) []partial {
	kept := sections[:0]
	for _, seg := range s.snap.Segments() {
		end := seg.Base() + seg.Len()
		n := sort.Search(len(sections), func(i int) bool { return sections[i].section >= end })
		part := sections[:n]
		sections = sections[n:]
		var left float32
		for _, t := range rest {
			left += t.weight
		}
		if len(part) > 0 {
			s.open(seg, rest)
		}
		for i := 0; len(part) > 0 && i < len(rest); i++ {
			part = atLeast(part, floor-left*rounding)
			s.probe(&s.cursors[i], part)
			left -= rest[i].weight
		}
		kept = append(kept, part...)
	}
	return kept
}

// atLeast returns the sections with a score of at least least, in place.
func atLeast(sections []partial, least float32) []partial {
	if least <= 0 {
		return sections
	}
	n := 0
	for _, p := range sections {
		sections[n] = p
		if p.score >= least {
			n++
		}
	}
	return sections[:n]
}

// rounding allows for rounding errors in sums of bounds.
const rounding = 1 + 1e-4

// coverage sums the shares of a set of slots, one byte of the mask at a time.
type coverage [8][256]float32

func newCoverage(share []float64) coverage {
	var c coverage
	for slot, part := range share {
		for set := range 256 {
			if set&(1<<(slot%8)) != 0 {
				c[slot/8][set] += float32(part)
			}
		}
	}
	return c
}

func (c *coverage) of(slots uint64) float32 {
	var sum float32
	for i := 0; slots != 0; i++ {
		sum += c[i][slots&0xff]
		slots >>= 8
	}
	return sum
}

// lengths is the number of field lengths with a precomputed norm. Longer fields get the norm of the longest.
const lengths = 1 << 12

// norms are the factors of a term's frequency by the length of the field: weight / (1 − b +
// b·len/avglen). They are cached until a parameter changes.
type norms struct {
	params Params
	means  []float64
	tables []*[lengths]float32 // per field and length
}

func (n *norms) set(snap *snapshot.Snapshot, p Params) {
	means := make([]float64, len(p.Weight))
	for f := range means {
		means[f] = max(snap.AvgLen(f), 1)
	}
	if slices.Equal(means, n.means) && slices.Equal(p.B, n.params.B) && slices.Equal(p.Weight, n.params.Weight) {
		return
	}
	n.params = Params{B: slices.Clone(p.B), Weight: slices.Clone(p.Weight)}
	n.means, n.tables = means, make([]*[lengths]float32, len(means))
	for f, mean := range means {
		table := new([lengths]float32)
		for l := range table {
			table[l] = float32(p.Weight[f] / (1 - p.B[f] + p.B[f]*float64(l)/mean))
		}
		n.tables[f] = table
	}
}
