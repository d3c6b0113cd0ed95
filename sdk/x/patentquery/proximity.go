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

// In reports whether a text contains the proximity. The two occurrences do not overlap.
func (x *Proximity) In(t *text.Text) bool {
	_, _, ok := x.Find(t)
	return ok
}

// Find returns the byte range in the normalised text of the first match, from the start of one side to
// the end of the other. It reads no further than that.
func (x *Proximity) Find(t *text.Text) (start, end int, ok bool) {
	left, right := &x.left, &x.right
	if left.open(x.Left, t, 0); left.ended {
		return 0, 0, false
	}
	if right.open(x.Right, t, x.reach(t.Norm, left.at.start, x.Right)); right.ended {
		return 0, 0, false
	}
	for {
		from, to, counts := left, right, true // from was met earlier
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
		least := 0
		if !near && len(from.ahead) == 0 && from.at.start-to.at.end > worthReach {
			least = x.reach(t.Norm, from.at.start, to.patterns) // it can only pair with occurrences that from has ahead
		}
		to.step(t, least)
	}
}

// worthReach is the minimum distance of the sides in bytes at which computing what to skip is faster.
const worthReach = 128

// reach returns an offset. Occurrences of the patterns that start before it cannot end before byte at and within the
// distance of it.
func (x *Proximity) reach(norm string, at int, patterns []*Pattern) int {
	most := 0
	for _, p := range patterns {
		most = max(most, p.size)
	}
	end := pieceStart(norm, x.back(norm, at, x.near.Distance))
	return pieceStart(norm, x.back(norm, end, most))
}

// back goes back over at most n units of the distance, and over characters that do not count.
func (x *Proximity) back(norm string, at, n int) int {
	for c := (counter{each: !x.near.Words}); at > 0; {
		size := 1
		if b := norm[at-1]; b < utf8.RuneSelf {
			c.ascii(b)
		} else {
			var r rune
			r, size = utf8.DecodeLastRuneInString(norm[:at])
			c.count(r)
		}
		if c.n > n {
			break
		}
		at -= size
	}
	return at
}

// span is the byte range of an occurrence.
type span struct{ start, end int }

// flank is the state of one side of a proximity during a search.
type flank struct {
	patterns []*Pattern
	next     []span // for each pattern; none after its last occurrence
	at       span   // the first of next
	ended    bool   // there are no further occurrences

	last  span // the passed occurrence that ends last
	met   bool // last is valid
	ahead []span
}

func (s *flank) open(patterns []*Pattern, t *text.Text, least int) {
	s.patterns, s.next, s.ahead, s.met = patterns, s.next[:0], s.ahead[:0], false
	for _, p := range patterns {
		p.begin(t)
		s.next = append(s.next, p.after(t, least))
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

// step skips the current occurrence, and all that start before a byte.
func (s *flank) step(t *text.Text, least int) {
	s.ahead = append(s.ahead, s.at)
	for i, one := range s.next {
		if one == s.at {
			s.next[i] = s.patterns[i].after(t, max(one.start+1, least))
		}
	}
	s.first()
}

// pass updates last with the occurrences that end before a byte.
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

// spans reports whether the gap between two occurrences is within the distance.
func (x *Proximity) spans(gap string) bool {
	if !x.near.Words {
		return len(gap) <= utf8.UTFMax*x.near.Distance && utf8.RuneCountInString(gap) <= x.near.Distance
	}
	var c counter
	for _, r := range gap {
		if r < utf8.RuneSelf {
			c.ascii(byte(r))
		} else {
			c.count(r)
		}
		if c.n > x.near.Distance {
			return false
		}
	}
	return true
}

// counter counts words, in either direction; each Japanese character is one.
type counter struct {
	each   bool // all characters
	n      int
	within bool // inside a word
}

// ascii counts an ASCII character. It is small enough to be inlined.
func (c *counter) ascii(b byte) {
	in := inASCIIWord(b)
	if c.each || in && !c.within {
		c.n++
	}
	c.within = in || c.within && b == '.' // 3.5 is one word
}

// count counts any other character.
func (c *counter) count(r rune) {
	in := inWord(r)
	if c.each || in && !c.within || text.IsCJK(r) && unicode.IsLetter(r) {
		c.n++
	}
	c.within = in
}
