package lexical

import "github.com/sagasu-search/sagasu/sdk/snapshot"

// group reads the postings of alternative terms.
type group struct {
	terms   []weighted
	cursors []cursor
	df      int // upper bound of the number of sections that have one of the terms

	mergedGroup *mergedGroup // for groups of more than mostCursors terms
}

// mostCursors is the number of alternatives that are read in parallel. Larger groups, which only
// wildcards have, are read term by term when a segment is opened.
const mostCursors = 32

func (e *evaluator) newGroup(terms []string) *group {
	g := &group{}
	for _, t := range terms {
		if df := e.snap.DocFreq(t); df > 0 || len(g.terms) == 0 {
			g.terms = append(g.terms, weighted{text: t})
			g.df += df
		}
	}
	if g.df = min(g.df, e.sections); len(g.terms) > mostCursors {
		g.mergedGroup = &mergedGroup{by: make([][]uint64, len(e.fields))}
	} else {
		g.cursors = make([]cursor, len(g.terms))
	}
	return g
}

func (g *group) open(e *evaluator, fields Fields) {
	if g.mergedGroup != nil {
		g.mergedGroup.open(e, g.terms, fields)
	}
	for i := range g.cursors {
		g.cursors[i].open(e.seg, &g.terms[i])
	}
}

// impacts are the weighted and normalised term frequencies of a group in a window.
type impacts struct {
	sums [window]float32
	has  set
}

// add adds the impact of one more term to a section.
func (x *impacts) add(i uint32, sum float32) {
	if i &= window - 1; x.has.has(i) {
		sum += x.sums[i]
	}
	x.sums[i] = sum
	x.has.add(i)
}

// windowMatches is a request to find matches in a window, and the matches found.
type windowMatches struct {
	fields Fields
	among  *set     // only these need to be found; others may be found too
	by     []set    // by field; nil if every field counts
	impact *impacts // nil if not scored

	held set
}

// find fills in the matches. Matches of the first term also go to proven unless it is nil.
func (g *group) find(e *evaluator, x *windowMatches, proven []set) {
	x.held = set{}
	clear(x.by)
	if x.impact != nil {
		x.impact.has = set{}
	}
	few := x.among.len() < sparse
	for i := range g.cursors {
		if few {
			e.probe(&g.cursors[i], x)
		} else {
			e.scan(&g.cursors[i], x)
		}
		if i == 0 && proven != nil {
			copy(proven, x.by)
		}
	}
	if g.mergedGroup != nil {
		g.mergedGroup.find(e, x)
	}
	for f := range x.by {
		x.held.or(&x.by[f])
	}
	x.held.and(x.among)
}

// scan reads all postings of a term in the window.
func (e *evaluator) scan(c *cursor, x *windowMatches) {
	p := &c.postings
	for ok := c.seek(e.lo); ok; ok = c.next() {
		to := len(p.Docs)
		for p.Docs[to-1] >= e.hi {
			if to--; to == c.pos {
				return
			}
		}
		e.take(p, c.pos, to, x)
		if to < len(p.Docs) {
			c.pos = to
			return
		}
	}
}

// take records the entries [from, to) of a block.
func (e *evaluator) take(p *snapshot.Postings, from, to int, x *windowMatches) {
	docs := p.Docs[from:to]
	sums := e.sums[:len(docs)]
	clear(sums)
	for f := range e.fields {
		if !x.fields.Has(f) || x.by == nil && x.impact == nil {
			continue
		}
		freqs := p.Freqs(f)
		if freqs == nil {
			continue
		}
		freqs = freqs[from:to]
		if x.impact != nil {
			e.fields[f].sum(sums, freqs, docs)
		}
		if x.by != nil {
			by := &x.by[f]
			for i, n := range freqs {
				if n != 0 {
					by.add(docs[i] - e.lo)
				}
			}
		}
	}
	if x.impact != nil {
		for i, doc := range docs {
			x.impact.add(doc-e.lo, sums[i])
		}
	}
	if x.by == nil {
		for _, doc := range docs {
			x.held.add(doc - e.lo)
		}
	}
}

// probe reads the postings of a term for a few sections.
func (e *evaluator) probe(c *cursor, x *windowMatches) {
	for i := range x.among.all() {
		if !c.seek(e.lo + i) {
			return
		}
		if c.postings.Docs[c.pos] == e.lo+i {
			e.takeOne(&c.postings, c.pos, i, x)
		}
	}
}

// takeOne is like take, but for one entry.
func (e *evaluator) takeOne(p *snapshot.Postings, at int, i uint32, x *windowMatches) {
	sum := float32(0)
	for f := range e.fields {
		if !x.fields.Has(f) {
			continue
		}
		n := p.Freq(f, at)
		if n == 0 {
			continue
		}
		sum += e.fields[f].of(n, e.lo+i)
		if x.by != nil {
			x.by[f].add(i)
		}
	}
	if x.impact != nil {
		x.impact.add(i, sum)
	}
	if x.by == nil {
		x.held.add(i)
	}
}

// field normalises a term frequency by the length of the field.
type field struct {
	weight, fixed, perToken float32
	lens                    []uint16
}

func (f *field) of(n uint8, doc uint32) float32 {
	return f.weight * float32(n) / (f.fixed + f.perToken*float32(f.lens[doc]))
}

func (f *field) sum(sums []float32, freqs []uint8, docs []uint32) {
	sums, docs = sums[:len(freqs)], docs[:len(freqs)]
	for i, n := range freqs { // without a branch on n, which would be mispredicted often
		sums[i] += f.weight * float32(n) / (f.fixed + f.perToken*float32(f.lens[docs[i]]))
	}
}

// mergedGroup holds the merged postings of a large group in a segment.
type mergedGroup struct {
	by     [][]uint64 // by field and section
	impact []float32  // by section
}

// open reads the postings of the terms one after the other.
func (s *mergedGroup) open(e *evaluator, terms []weighted, fields Fields) {
	n := (int(e.seg.Len()) + window - 1) / window * setWords
	for f := range s.by {
		s.by[f] = make([]uint64, n)
	}
	s.impact = make([]float32, e.seg.Len())
	var c cursor
	for i := range terms {
		if i%64 == 0 && e.ctx.Err() != nil {
			return // then so is the window
		}
		for c.open(e.seg, &terms[i]); !c.done; c.next() {
			s.take(e, &c, fields)
		}
	}
}

// take adds a block.
func (s *mergedGroup) take(e *evaluator, c *cursor, fields Fields) {
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

// find copies the current window.
func (s *mergedGroup) find(e *evaluator, x *windowMatches) {
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
