package judge

import (
	"slices"
	"strings"
)

// reader holds what one judgement has read.
type reader struct {
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

// shortSentence is a length in bytes that most sentences exceed.
const shortSentence = 100

// read cuts the evidences into sentences, and those that may bear on the query
// into words.
func (r *reader) read() {
	r.places = make([]place, len(r.evidences))
	size := 0
	for n := range r.evidences {
		size += len(r.evidences[n].Text)
	}
	r.sentences = slices.Grow(r.lex.sentences, size/shortSentence)
	for n := range r.evidences {
		r.place(n)
		p := &r.places[n]
		p.from = len(r.sentences)
		if e := &r.evidences[n]; e.json() {
			r.sentences = members(r.sentences, &r.lex.folder, n, e)
		} else {
			r.sentences = sentences(r.sentences, &r.lex.folder, n, e)
		}
		p.to = len(r.sentences)
		p.text = p.pieces | r.q.in(r.lex.folder.Fold(placeMarks.Replace(r.evidences[n].ManualID+" "+r.evidences[n].Path)))
		for i := p.from; i < p.to; i++ {
			s := &r.sentences[i]
			s.sift()
			s.terms = r.q.held(s.norm, &s.pairs)
			if s.quotes { // what is quoted is said, if by somebody else
				s.terms |= r.q.in(r.lex.folder.Fold(s.source))
			}
			p.text |= s.terms
		}
		for i := p.from; i < p.to; i++ {
			s := &r.sentences[i]
			s.near = s.terms | p.pieces
			if s.follows && i > 0 {
				s.near |= r.sentences[i-1].terms
			}
			s.bears = len(r.q.pieces) == 0 || s.near != 0 || i+1 < p.to && r.sentences[i+1].follows && r.sentences[i+1].terms != 0
			if s.bears && s.kind == states {
				s.kind = s.does()
			}
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

func (r *reader) place(n int) {
	e, p := &r.evidences[n], &r.places[n]
	p.heading = r.lex.folder.Fold(e.Heading)
	p.pieces = r.q.in(p.heading)
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
