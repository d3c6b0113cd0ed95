package judge

import (
	"context"
	"slices"
	"strings"
)

// reader holds what one judgement has read.
type reader struct {
	ctx       context.Context // of this judgement, which lives as long
	ended     error           // why it ended early
	in        *Input
	evidences []Evidence
	lex       *lexicon
	q         question
	sentences []sentence
	places    []place
	anywhere  uint64    // pieces of the query that any evidence holds, once asked for
	texts     []whole   // once asked for
	weights   []float64 // of the query's pieces, once asked for
	store     []word    // of the sentences' words
}

// place is what surrounds the sentences of an evidence.
type place struct {
	from, to int    // its sentences
	path     []word // words of the heading path
	file     []word // words of its first title, what the file is about
	section  []word // words of its last title
	heading  string // normalised
	pieces   uint64 // of the query, in the heading path
	text     uint64 // of the query, in heading path and sentences

	amounts []quantity // of all its sentences, once asked for
	counted bool
	edition string // once asked for
	dated   bool
}

// stopped reports whether the judgement is to end before it is done. What takes long asks
// for that before each piece of work; what it then gives is not used.
func (r *reader) stopped() bool {
	if r.ended == nil {
		r.ended = r.ctx.Err()
	}
	return r.ended != nil
}

// gather brings the evidences into their order, those that were read ahead and
// those that were not.
func (r *reader) gather(reading *Reading) {
	r.places = make([]place, len(r.evidences))
	pages, size := make([]*page, len(r.evidences)), 0
	for n := range r.evidences {
		if r.stopped() {
			return
		}
		pages[n] = reading.pageOf(&r.evidences[n])
		size += len(pages[n].sentences)
	}
	r.sentences = slices.Grow(r.lex.sentences, size)
	for n, g := range pages {
		r.place(n, g)
		p := &r.places[n]
		p.from = len(r.sentences)
		r.sentences = append(r.sentences, g.sentences...)
		p.to = len(r.sentences)
		for i := p.from; i < p.to; i++ {
			r.sentences[i].evidence = n
		}
	}
}

// wordsOf gives the words of a sentence that bears on the query, else nil.
func (r *reader) wordsOf(s *sentence) []word {
	if s.words == nil && s.bears {
		s.words = r.words(s.norm)
	}
	return s.words
}

// words cuts a normalised text into words.
func (r *reader) words(norm string) []word {
	if cap(r.store)-len(r.store) < mostWords(norm) {
		r.store = make([]word, 0, max(wordsAtOnce, mostWords(norm)))
	}
	first := len(r.store)
	r.store = r.lex.words(r.store, norm)
	return r.store[first:len(r.store):len(r.store)]
}

// wordsAtOnce is for how many words there is room made at a time.
const wordsAtOnce = 512

// mostWords is how many words a text has at most: a kanji is three bytes, a letter
// has a space beside it.
func mostWords(norm string) int { return len(norm)/2 + 1 }

func (r *reader) place(n int, g *page) {
	p := &r.places[n]
	p.heading, p.pieces, p.text = g.heading, g.pieces, g.text
	p.path = r.words(p.heading)
	first, last := strings.Index(p.heading, " > "), strings.LastIndex(p.heading, " > ")
	if first < 0 {
		first = len(p.heading)
	}
	p.file = within(p.path, 0, first)
	p.section = within(p.path, last+1, len(p.heading))
}

// editionOf gives the edition that an evidence belongs to.
func (r *reader) editionOf(n int) string {
	p := &r.places[n]
	if !p.dated {
		p.edition, p.dated = r.evidences[n].edition(), true
	}
	return p.edition
}

// amountsOf gives every number that an evidence states.
func (r *reader) amountsOf(n int) []quantity {
	p := &r.places[n]
	if !p.counted {
		for i := p.from; i < p.to; i++ {
			p.amounts = append(p.amounts, r.sentences[i].amounts()...)
		}
		p.counted = true
	}
	return p.amounts
}

// known gives the pieces of the query that any evidence holds: what none does
// tells no answer from another.
func (r *reader) known() uint64 {
	if r.anywhere == 0 {
		for n := range r.places {
			r.anywhere |= r.places[n].text
		}
	}
	return r.anywhere
}
