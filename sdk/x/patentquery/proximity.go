package patentquery

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Proximity finds a Near in text. It is not safe for concurrent use.
type Proximity struct {
	Left, Right []*Pattern
	near        Near
	left, right flank
}

// NewProximity prepares to find a proximity.
func NewProximity(n Near) *Proximity {
	return &Proximity{Left: patterns(n.Left), Right: patterns(n.Right), near: n}
}

func patterns(terms []Term) []*Pattern {
	out := make([]*Pattern, len(terms))
	for i, t := range terms {
		out[i] = NewPattern(t)
	}
	return out
}

// In reports whether a text holds the proximity. The two occurrences do not overlap.
func (x *Proximity) In(t *text.Text) bool {
	_, _, ok := x.Find(t)
	return ok
}

// Find returns where a text holds the proximity first, from one side to the end of its other, in bytes of
// the normalised text. It reads no further than that.
func (x *Proximity) Find(t *text.Text) (start, end int, ok bool) {
	left, right := &x.left, &x.right
	if left.open(x.Left, t); left.ended {
		return 0, 0, false
	}
	if right.open(x.Right, t); right.ended {
		return 0, 0, false
	}
	for {
		from, to, counts := left, right, true // from was met before
		if right.ended || !left.ended && left.at.start < right.at.start {
			from, to, counts = right, left, !x.near.Ordered
		}
		if to.ended || to == left && right.ended && x.near.Ordered {
			return 0, 0, false
		}
		from.pass(to.at.start)
		near := from.met && x.spans(t.Norm[from.last.end:to.at.start])
		if near && counts {
			return from.last.start, to.at.end, true
		}
		if from.ended && !near && len(from.ahead) == 0 { // what follows is further away
			return 0, 0, false
		}
		to.step(t)
	}
}

// span is where a pattern stands, in bytes.
type span struct{ start, end int }

// flank is one side of a proximity on its way through a text.
type flank struct {
	patterns []*Pattern
	next     []span // of each pattern; none behind its last
	at       span   // the first of next
	ended    bool   // there is none

	last  span // of those that were passed whole, the one that ends last
	met   bool // there is one
	ahead []span
}

func (s *flank) open(patterns []*Pattern, t *text.Text) {
	s.patterns, s.next, s.ahead, s.met = patterns, s.next[:0], s.ahead[:0], false
	for _, p := range patterns {
		p.begin(t)
		s.next = append(s.next, p.after(t, 0))
	}
	s.first()
}

var none = span{-1, -1}

// first finds the first of next.
func (s *flank) first() {
	s.at = none
	for _, one := range s.next {
		if one != none && (s.at == none || one.start < s.at.start) {
			s.at = one
		}
	}
	s.ended = s.at == none
}

// step goes past the occurrence at hand.
func (s *flank) step(t *text.Text) {
	s.ahead = append(s.ahead, s.at)
	for i, one := range s.next {
		if one == s.at {
			s.next[i] = s.patterns[i].after(t, one.start+1)
		}
	}
	s.first()
}

// pass settles which occurrences end before a byte.
func (s *flank) pass(at int) {
	s.ahead = slices.DeleteFunc(s.ahead, func(one span) bool {
		if one.end > at {
			return false
		}
		if !s.met || one.end > s.last.end {
			s.last, s.met = one, true
		}
		return true
	})
}

// spans reports whether what lies between two occurrences is within the distance.
func (x *Proximity) spans(gap string) bool {
	if !x.near.Words {
		return len(gap) <= utf8.UTFMax*x.near.Distance && utf8.RuneCountInString(gap) <= x.near.Distance
	}
	words, within := 0, false
	for _, r := range gap {
		cjk := text.IsCJK(r) && unicode.IsLetter(r)
		if cjk || inWord(r) && !within {
			if words++; words > x.near.Distance {
				return false
			}
		}
		within = inWord(r) || within && r == '.' // 3.5 is one
	}
	return true
}
