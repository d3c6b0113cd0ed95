package lexical

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// MatchSlots returns the live sections of scope that accepts approves, given the slots whose terms
// a section has. It scores nothing. A strategy can use it to apply its own matching rule before it
// asks [Search] for the best sections. It returns false if ctx ended first; then only the sections
// of lowest id were examined.
func MatchSlots(
	ctx context.Context, snap *snapshot.Snapshot, scope *roaring.Bitmap, terms []Term,
	accepts func(section uint32, slots uint64) bool,
) (*roaring.Bitmap, bool) {
	c := &slotMatcher{accepts: accepts, within: roaring.And(scope, snap.Live()).Iterator(), out: roaring.New()}
	for _, t := range terms {
		if t.Slot >= 0 {
			c.terms = append(c.terms, weighted{text: t.Text, slot: 1 << t.Slot})
		}
	}
	c.cursors = make([]cursor, len(c.terms))
	for _, seg := range snap.Segments() {
		for i := range c.cursors {
			c.cursors[i].open(seg, &c.terms[i])
		}
		for lo := uint32(0); lo < seg.Len(); lo += window {
			if ctx.Err() != nil {
				return c.out, false
			}
			c.window(seg.Base(), lo, min(lo+window, seg.Len()))
		}
	}
	return c.out, true
}

// slotMatcher reads the postings one window of sections at a time.
type slotMatcher struct {
	accepts func(section uint32, slots uint64) bool
	within  roaring.IntPeekable
	terms   []weighted
	cursors []cursor

	asked, held []uint32 // sections of the window
	slots       [window]uint64
	out         *roaring.Bitmap
}

// window examines the local sections [lo, hi).
func (c *slotMatcher) window(base, lo, hi uint32) {
	c.asked, c.held = c.asked[:0], c.held[:0]
	for c.within.HasNext() && c.within.PeekNext() < base+hi {
		c.asked = append(c.asked, c.within.Next())
	}
	if len(c.asked) == 0 {
		return
	}
	clear(c.slots[:hi-lo])
	for i := range c.cursors {
		if len(c.asked) < sparse {
			c.probe(&c.cursors[i], base, lo)
		} else {
			c.scan(&c.cursors[i], lo, hi)
		}
	}
	for _, section := range c.asked {
		if c.accepts(section, c.slots[section-base-lo]) {
			c.held = append(c.held, section)
		}
	}
	c.out.AddMany(c.held)
}

// scan records a term for all sections of the window that have it.
func (c *slotMatcher) scan(at *cursor, lo, hi uint32) {
	for ok := at.seek(lo); ok; ok = at.next() {
		docs := at.postings.Docs
		for ; at.pos < len(docs); at.pos++ {
			if docs[at.pos] >= hi {
				return
			}
			c.slots[(docs[at.pos]-lo)%window] |= at.term.slot
		}
	}
}

// probe records a term for the requested sections that have it.
func (c *slotMatcher) probe(at *cursor, base, lo uint32) {
	for i := 0; i < len(c.asked); i++ {
		doc := c.asked[i] - base
		if !at.seek(doc) {
			return
		}
		next := at.postings.Docs[at.pos]
		if next == doc {
			c.slots[doc-lo] |= at.term.slot
		}
		for i+1 < len(c.asked) && c.asked[i+1]-base < next {
			i++
		}
	}
}
