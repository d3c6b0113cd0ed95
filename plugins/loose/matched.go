package loose

import (
	"math/bits"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// found is what holds enough of the query.
type found struct {
	all  *roaring.Bitmap
	best []lexical.Hit
}

// matched gives the sections whose coverage reaches the threshold or that hold
// a must term, and the best limit of them.
func matched(needles []needle, threshold float64, limit int) found {
	const rounding = 1e-9
	s := sums{least: threshold - rounding, best: lexical.NewTop(limit)}
	last := uint32(0)
	holders := make([]runs, len(needles))
	for i, n := range needles {
		holders[i].rest = n.holders.ManyIterator()
		if !n.holders.IsEmpty() {
			last = max(last, n.holders.Maximum())
		}
	}
	s.matched = make([]uint64, (last/window+1)*window/64)
	for s.from = 0; s.from <= last; s.from += window {
		for i := range needles {
			s.add(&needles[i], &holders[i])
		}
		s.decide()
	}
	return found{all: roaring.FromDense(s.matched, false), best: s.best.Sorted()}
}

// window is how many sections are summed up at a time: their sums stay in the
// second-level cache.
const window = 1 << 12

// sums adds up what the sections hold, a window at a time.
type sums struct {
	least   float64 // coverage of a matched section
	from    uint32  // the window's first section
	held    [window]held
	touched [window / 64]uint64 // the window's sections that hold anything, a bit each
	matched []uint64            // sections, a bit each
	best    *lexical.Top
}

// held is what a section has of the needles.
type held struct {
	score, coverage float64
	must            bool
}

// add adds a needle.
func (s *sums) add(n *needle, holders *runs) {
	for run := holders.below(s.from + window); len(run) > 0; run = holders.below(s.from + window) {
		for _, section := range run {
			i := (section - s.from) % window
			h := &s.held[i]
			h.coverage = min(h.coverage+n.coverage, 1)
			h.score += n.weight
			h.must = h.must || n.must
			s.touched[i/64] |= 1 << (i % 64)
		}
	}
}

// decide takes what matches of the window.
func (s *sums) decide() {
	for word, rest := range s.touched {
		for ; rest != 0; rest &= rest - 1 {
			bit := bits.TrailingZeros64(rest)
			i := uint32(word*64 + bit)
			if h := s.held[i]; h.must || h.coverage >= s.least {
				s.matched[int(s.from)/64+word] |= 1 << bit
				s.best.Offer(lexical.Hit{Section: s.from + i, Score: h.score, Coverage: h.coverage})
			}
			s.held[i] = held{}
		}
		s.touched[word] = 0
	}
}

// runs reads ascending sections in pieces.
type runs struct {
	rest   roaring.ManyIntIterable
	ahead  []uint32 // read, not given yet
	buffer [256]uint32
}

// below gives the next sections below end, none where there are no more of them.
func (r *runs) below(end uint32) []uint32 {
	if len(r.ahead) == 0 {
		r.ahead = r.buffer[:r.rest.NextMany(r.buffer[:])]
	}
	n := len(r.ahead)
	if n > 0 && r.ahead[n-1] >= end {
		n, _ = slices.BinarySearch(r.ahead, end)
	}
	run := r.ahead[:n]
	r.ahead = r.ahead[n:]
	return run
}
