package judge

import (
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
)

// Reading reads evidences for a query, in any order and before it is known which of
// them are judged: all of a judgement for which an evidence need not be held against
// another. Not safe for concurrent use. One that no judgement is made of may be dropped.
type Reading struct {
	lex    *lexicon
	q      question
	drafts []sentence // of all pages
}

// page is an evidence as it is read for a query. Its sentences do not know yet which
// evidence they are of.
type page struct {
	reading   *Reading
	sentences []sentence
	heading   string // normalised
	pieces    uint64 // of the query, in the heading path
	text      uint64 // of the query, in heading path and sentences
}

// NewReading begins to read for a query; kept may be nil.
func NewReading(q *sdk.Query, kept *Lexicons) *Reading {
	r := reader{lex: kept.take()}
	r.ask(q)
	return &Reading{lex: r.lex, q: r.q, drafts: r.lex.drafts}
}

// Read reads an evidence ahead of its judgement by [Build] with this Reading. Signals
// and Score may still change, and so may the order of the evidences.
func (x *Reading) Read(e *Evidence) { e.page = x.read(e) }

// pageOf gives an evidence as it is read for the query.
func (x *Reading) pageOf(e *Evidence) *page {
	if e.page != nil && e.page.reading == x {
		return e.page
	}
	return x.read(e)
}

// shortSentence is a length in bytes that most sentences exceed.
const shortSentence = 100

// read cuts an evidence into sentences.
func (x *Reading) read(e *Evidence) *page {
	fold := &x.lex.folder
	g := &page{reading: x, heading: fold.Fold(e.Heading)}
	g.pieces = x.q.in(g.heading)
	x.drafts = slices.Grow(x.drafts, len(e.Text)/shortSentence)
	from := len(x.drafts)
	if e.json() {
		x.drafts = members(x.drafts, fold, e)
	} else {
		x.drafts = sentences(x.drafts, fold, e)
	}
	g.sentences = x.drafts[from:len(x.drafts):len(x.drafts)]
	g.text = g.pieces | x.q.in(fold.Fold(placeMarks.Replace(e.ManualID+" "+e.Path)))
	for i := range g.sentences {
		s := &g.sentences[i]
		s.sift()
		s.terms = x.q.held(s.norm, &s.pairs)
		if s.quotes { // what is quoted is said, if by somebody else
			s.terms |= x.q.in(fold.Fold(s.source))
		}
		g.text |= s.terms
	}
	x.bear(g)
	return g
}

// bear finds out which sentences of a page may bear on the query, and what those say.
func (x *Reading) bear(g *page) {
	all := len(x.q.pieces) == 0
	for i := range g.sentences {
		s := &g.sentences[i]
		s.near = s.terms | g.pieces
		if s.follows && i > 0 {
			s.near |= g.sentences[i-1].terms
		}
		s.bears = all || s.near != 0 || i+1 < len(g.sentences) && g.sentences[i+1].follows && g.sentences[i+1].terms != 0
		if s.bears && s.kind == states {
			s.kind = s.does()
		}
		if s.kind == states && (all || s.terms != 0) {
			s.amounts() // will be asked for, see statements
		}
	}
}
