package lexical

import (
	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// lengths is how many field lengths have a precomputed norm; longer fields
// count as this long.
const lengths = 1 << 12

// scorer accumulates scores a window at a time, term by term.
type scorer struct {
	query  Query
	k1     float32
	norms  [][]float32 // per field and length: weight / (1 − b + b·len/avglen)
	terms  []weighted
	share  coverage
	accept *roaring.Bitmap // nil when every section is searched

	seg     *snapshot.Segment
	lens    [][]uint16
	cursors []cursor

	scores [window]float32
	slots  [window]uint64

	top      *top
	matched  *roaring.Bitmap
	hits     []uint32 // matched sections of the window, kept to add them in bulk
	examined int
}

// weighted is a term with its weight and idf multiplied.
type weighted struct {
	text   string
	weight float32
	slot   uint64 // mask, 0 for none
}

// cursor is a term's place in the postings of the present segment.
type cursor struct {
	term     int
	postings snapshot.Postings
	pos      int // next entry of the decoded block
	done     bool
}

func newScorer(snap *snapshot.Snapshot, scope *roaring.Bitmap, q Query, p Params, limit int) *scorer {
	s := &scorer{
		query: q, k1: float32(p.K1), norms: norms(snap, p), share: newCoverage(q.Share),
		accept: accept(snap, scope), top: newTop(limit), matched: roaring.New(),
	}
	n := snap.Live().GetCardinality()
	for _, t := range q.Terms {
		w := weighted{text: t.Text, weight: float32(t.Weight * IDF(int(n), snap.DocFreq(t.Text)))}
		if t.Slot >= 0 {
			w.slot = 1 << t.Slot
		}
		s.terms = append(s.terms, w)
	}
	return s
}

// accept is the part of the scope that is live, nil when that is everything.
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

func norms(snap *snapshot.Snapshot, p Params) [][]float32 {
	out := make([][]float32, len(snap.Fields()))
	for f := range out {
		avg, table := max(snap.AvgLen(f), 1), make([]float32, lengths)
		for n := range table {
			table[n] = float32(p.Weight[f] / (1 - p.B[f] + p.B[f]*float64(n)/avg))
		}
		out[f] = table
	}
	return out
}

// open moves every term to the start of its postings in seg.
func (s *scorer) open(seg *snapshot.Segment) {
	s.seg, s.lens = seg, s.lens[:0]
	for f := range s.norms {
		s.lens = append(s.lens, seg.Lengths(f))
	}
	if s.cursors == nil {
		s.cursors = make([]cursor, len(s.terms))
	}
	for i := range s.cursors {
		c := &s.cursors[i]
		c.term, c.pos = i, 0
		c.done = !seg.Postings(s.terms[i].text, &c.postings) || !c.postings.Next()
	}
}

// window scores the local sections [lo, hi) and collects the matched ones.
func (s *scorer) window(lo, hi uint32) {
	base := s.seg.Base()
	if s.accept == nil {
		s.examined += int(hi - lo)
	} else {
		n := s.accept.CardinalityInRange(uint64(base+lo), uint64(base+hi))
		if n == 0 {
			return
		}
		s.examined += int(n)
	}
	for i := range s.cursors {
		s.accumulate(&s.cursors[i], lo, hi)
	}
	s.collect(lo, hi)
}

// accumulate adds a term's part to the scores of [lo, hi).
func (s *scorer) accumulate(c *cursor, lo, hi uint32) {
	if c.done {
		return
	}
	p := &c.postings
	if last := p.Docs[len(p.Docs)-1]; last < lo {
		if !p.NextAt(lo) {
			c.done = true
			return
		}
		c.pos = 0
	}
	term := &s.terms[c.term]
	for {
		for ; c.pos < len(p.Docs); c.pos++ {
			doc := p.Docs[c.pos]
			if doc >= hi {
				return
			}
			if doc < lo {
				continue
			}
			var x float32
			for f, freqs := range p.Freqs {
				if freqs != nil && freqs[c.pos] != 0 {
					x += float32(freqs[c.pos]) * s.norms[f][min(s.lens[f][doc], lengths-1)]
				}
			}
			if x == 0 {
				continue
			}
			s.scores[doc-lo] += term.weight * x / (s.k1 + x)
			s.slots[doc-lo] |= term.slot
		}
		if !p.Next() {
			c.done = true
			return
		}
		c.pos = 0
	}
}

// collect takes the matched sections of [lo, hi) and clears the accumulators.
func (s *scorer) collect(lo, hi uint32) {
	base, threshold := s.seg.Base(), float32(s.query.Threshold)-1e-4
	s.hits = s.hits[:0]
	for i, score := range s.scores[:hi-lo] {
		if score == 0 {
			continue
		}
		slots := s.slots[i]
		s.scores[i], s.slots[i] = 0, 0
		section := base + lo + uint32(i)
		if s.accept != nil && !s.accept.Contains(section) {
			continue
		}
		covered := s.share.of(slots)
		if covered < threshold && !s.must(section, slots) {
			continue
		}
		s.hits = append(s.hits, section)
		s.top.offer(Hit{Section: section, Score: float64(score), Coverage: float64(min(covered, 1)), Slots: slots})
	}
	s.matched.AddMany(s.hits)
}

// must reports whether the section holds a must term.
func (s *scorer) must(section uint32, slots uint64) bool {
	for i, mask := range s.query.Must {
		if slots&mask == mask && s.query.Verify(section, i) {
			return true
		}
	}
	return false
}

func (s *scorer) result(finished bool) Result {
	return Result{Hits: s.top.sorted(), Matched: s.matched, Examined: s.examined, Finished: finished}
}
