package lexical

// spread is what a segment holds of a group of many terms.
type spread struct {
	by     [][]uint64 // by field and section
	impact []float32  // by section
}

// open reads the terms one after the other.
func (s *spread) open(e *evaluator, terms []weighted, fields Fields) {
	n := (int(e.seg.Len())+window-1)/window*setWords + setWords
	for f := range s.by {
		s.by[f] = make([]uint64, n)
	}
	s.impact = make([]float32, e.seg.Len())
	var c cursor
	for i := range terms {
		if i%64 == 0 && e.ctx.Err() != nil {
			return // as is the window, then
		}
		for c.open(e.seg, &terms[i]); !c.done; c.next() {
			s.take(e, &c, fields)
		}
	}
}

// take adds a block.
func (s *spread) take(e *evaluator, c *cursor, fields Fields) {
	docs := c.postings.Docs
	for f := range e.fields {
		freqs := c.postings.Freqs(f)
		if !fields.Has(f) || freqs == nil {
			continue
		}
		for i, n := range freqs {
			if n != 0 {
				s.by[f][docs[i]/64] |= 1 << (docs[i] % 64)
				s.impact[docs[i]] += e.fields[f].of(n, docs[i])
			}
		}
	}
}

// find copies the present window.
func (s *spread) find(e *evaluator, x *finding) {
	at := e.lo / 64
	for f, have := range s.by {
		part := (*set)(have[at : at+setWords])
		if x.by != nil {
			x.by[f] = *part
		}
		x.held.or(part)
	}
	if x.impact != nil {
		copy(x.impact.sums[:], s.impact[e.lo:e.hi])
	}
}
