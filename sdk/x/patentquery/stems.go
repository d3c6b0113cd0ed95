package patentquery

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// stemTail is the maximum number of letters at the end of a stem that may differ from its word:
// stabl is the stem of stability, capabl of capability.
const stemTail = 2

// words yields the words with the pattern's stem. It does not tokenise the whole of a text without
// camelCase: spaces separate words, and a word starts like its stem or one of the stem's family.
func (p *Pattern) words(t *text.Text, yield func(int, int) bool) {
	if p.whole(t) {
		p.wordsIn(t, yield)
		return
	}
	p.wordsFrom(t.Norm, 0, yield)
}

// wordsFrom yields the words with the stem, starting with the piece of text that contains a byte.
func (p *Pattern) wordsFrom(norm string, at int, yield func(int, int) bool) {
	for {
		words, from, to := p.nextPiece(norm, at)
		for _, w := range words {
			if !yield(from+w.start, from+w.end) {
				return
			}
		}
		if at = to; at == len(norm) {
			return
		}
	}
}

// nextPiece finds the next piece of text at or after a byte in which a word with the stem may start, and the words
// with the stem in it. If there is none, the piece is empty, at the end of the text.
func (p *Pattern) nextPiece(norm string, at int) (words []span, from, to int) {
	for {
		if at = nextStart(norm, at, p.leads); at == len(norm) {
			return nil, at, at
		}
		if to = at + len(p.needle); p.alone(norm, at, to) {
			return p.itself, at, to
		}
		if p.mayStart(norm, at) {
			from, to = around(norm, at)
			return p.inPiece(norm[from:to]), from, to
		}
		at++
	}
}

// alone reports whether the needle is at [from, to) between spaces.
func (p *Pattern) alone(norm string, from, to int) bool {
	return (from == 0 || norm[from-1] == ' ') && (to == len(norm) || to < len(norm) && norm[to] == ' ') &&
		norm[from:to] == p.needle
}

// begin prepares for calls of after on a text.
func (p *Pattern) begin(t *text.Text) {
	if p.listed = p.listed[:0]; p.stem != "" && p.whole(t) {
		p.wordsIn(t, func(start, end int) bool {
			p.listed = append(p.listed, span{start, end})
			return true
		})
	}
}

// after returns the first occurrence that starts at or after a byte, or none.
func (p *Pattern) after(t *text.Text, at int) span {
	switch {
	case p.stem == "":
		start, stop := p.find(t.Norm, at)
		return span{start, stop}
	case p.whole(t):
		for len(p.listed) > 0 && p.listed[0].start < at {
			p.listed = p.listed[1:]
		}
		if len(p.listed) == 0 {
			return none
		}
		return p.listed[0]
	}
	for to := at; to < len(t.Norm); {
		words, from, end := p.nextPiece(t.Norm, to)
		for _, w := range words {
			if from+w.start >= at {
				return span{from + w.start, from + w.end}
			}
		}
		to = end
	}
	return none
}

// whole reports whether the whole text must be tokenised to find words with the stem.
func (p *Pattern) whole(t *text.Text) bool { return p.odd || t.Camel() }

// mostPieces is the maximum number of pieces in a pattern's cache. A full cache is emptied.
const mostPieces = 4096

// inPiece returns the words with the stem in a piece of text. It caches results, since the same few pieces recur.
func (p *Pattern) inPiece(piece string) []span {
	if words, ok := p.pieces[piece]; ok {
		return words
	}
	var words []span
	p.wordsIn(&text.Text{Norm: piece}, func(start, end int) bool {
		words = append(words, span{start, end})
		return true
	})
	if p.pieces == nil || len(p.pieces) == mostPieces {
		p.pieces = map[string][]span{}
	}
	p.pieces[strings.Clone(piece)] = words
	return words
}

// around returns the piece of text that contains a byte, between spaces or Japanese characters.
// Words in different pieces do not affect each other.
func around(norm string, at int) (from, to int) {
	from = pieceStart(norm, at)
	for to = at; to < len(norm) && norm[to] != ' '; {
		if norm[to] < utf8.RuneSelf {
			to++
			continue
		}
		r, n := utf8.DecodeRuneInString(norm[to:])
		if text.IsCJK(r) {
			break
		}
		to += n
	}
	return from, to
}

// pieceStart returns where the piece of text before a byte starts.
func pieceStart(norm string, at int) int {
	for at > 0 && norm[at-1] != ' ' {
		if norm[at-1] < utf8.RuneSelf {
			at--
			continue
		}
		r, n := utf8.DecodeLastRuneInString(norm[:at])
		if text.IsCJK(r) {
			break
		}
		at -= n
	}
	return at
}

// wordsIn yields the words with the stem of a text, which it tokenises as a whole.
func (p *Pattern) wordsIn(t *text.Text, yield func(int, int) bool) {
	for tok := range p.z.Tokens(t) {
		if tok.Term == p.stem && !yield(tok.Start, tok.End) {
			return
		}
	}
}

// plainByte reports whether b is a lower-case ASCII letter or a digit.
func plainByte(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

// mayStart reports whether a word with the stem may start at a byte.
func (p *Pattern) mayStart(norm string, at int) bool {
	if at > 0 && isLetter(rune(norm[at-1])) && isLetter(rune(norm[at])) {
		return false
	}
	return slices.ContainsFunc(p.starts, func(start string) bool { return startsAs(norm, at, start) })
}

// sure returns the number of leading letters of a stem that are certain to be in its words.
func sure(stem string) int { return max(1, len(stem)-stemTail) }

// startsAs reports whether a word at a byte starts like a stem. Both the parts of an identifier and the
// joined parts are words, so marks between parts are skipped.
func startsAs(norm string, at int, stem string) bool {
	for i, k := at, 0; k < sure(stem); i++ {
		switch {
		case i == len(norm) || norm[i] == ' ':
			return false
		case norm[i] == stem[k]:
			k++
		case plainByte(norm[i]):
			return false
		}
	}
	return true
}
