package lexical

import "github.com/sagasu-search/sagasu/sdk/snapshot"

// cursor is a position in a term's postings in the current segment.
type cursor struct {
	term     *weighted
	postings snapshot.Postings
	pos      int // next entry of the decoded block
	done     bool
}

func (c *cursor) open(seg *snapshot.Segment, term *weighted) {
	c.term, c.pos = term, 0
	c.done = !seg.Postings(term.text, &c.postings) // no block yet: it may be skipped
}

// seek moves to the first entry at or after doc and reports whether there is one.
func (c *cursor) seek(doc uint32) bool {
	p := &c.postings
	if c.done {
		return false
	}
	if n := len(p.Docs); n == 0 || p.Docs[n-1] < doc {
		c.pos = 0
		if c.done = !p.NextAt(doc); c.done {
			return false
		}
	}
	for p.Docs[c.pos] < doc {
		c.pos++
	}
	return true
}

// next decodes the next block and reports whether there was one.
func (c *cursor) next() bool {
	c.pos, c.done = 0, !c.postings.Next()
	return !c.done
}

// scan adds a term's contribution to the scores of the local sections [lo, hi).
func (s *scorer) scan(c *cursor, lo, hi uint32) {
	p := &c.postings
	for ok := c.seek(lo); ok; ok = c.next() {
		to := len(p.Docs)
		for p.Docs[to-1] >= hi {
			if to--; to == c.pos {
				return
			}
		}
		s.weighBlock(p, c.pos, to)
		weight, impact := c.term.weight, s.impact[:to-c.pos]
		for i, doc := range p.Docs[c.pos:to] {
			if x := impact[i]; x > 0 {
				at := (doc - lo) % window
				s.scores[at] += weight * x / (s.k1 + x)
				s.slots[at] |= c.term.slot
				s.touched[at/64] |= 1 << (at % 64)
			}
		}
		if to < len(p.Docs) {
			c.pos = to
			return
		}
	}
}

// weighBlock returns the weighted and normalised frequencies of the entries [from, to) of a block.
func (s *scorer) weighBlock(p *snapshot.Postings, from, to int) {
	impact, docs := s.impact[:to-from], p.Docs[from:to]
	clear(impact)
	for f, table := range s.norms.tables {
		freqs, lens := p.Freqs(f), s.lens[f]
		if freqs == nil {
			continue
		}
		for i, n := range freqs[from:to] { // adds 0 where n is 0, because a branch costs more
			impact[i] += float32(n) * table[min(lens[docs[i]], lengths-1)]
		}
	}
}

// probe adds a term's contribution to the scores of sections, which are in ascending order.
func (s *scorer) probe(c *cursor, sections []partial) {
	base := s.seg.Base()
	for i := 0; i < len(sections); i++ {
		p := &sections[i]
		doc := p.section - base
		if !c.seek(doc) {
			return
		}
		if at := c.postings.Docs[c.pos]; at != doc {
			for i+1 < len(sections) && sections[i+1].section-base < at {
				i++
			}
			continue
		}
		if x := s.weighOne(&c.postings, c.pos, doc); x > 0 {
			p.score += c.term.weight * x / (s.k1 + x)
			p.slots |= c.term.slot
		}
	}
}

// weighOne is like weighBlock, but for one entry.
func (s *scorer) weighOne(p *snapshot.Postings, i int, doc uint32) (x float32) {
	for f, table := range s.norms.tables {
		if n := p.Freq(f, i); n != 0 {
			x += float32(n) * table[min(s.lens[f][doc], lengths-1)]
		}
	}
	return x
}
