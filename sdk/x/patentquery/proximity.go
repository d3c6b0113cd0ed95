package patentquery

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Proximity finds a Near in text. It is not safe for concurrent use.
type Proximity struct {
	Left, Right []*Pattern
	near        Near
	left, right []span // of the text that is looked at
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

// Find returns where a text holds the proximity, from its first side to the end of its other, in bytes of
// the normalised text.
func (x *Proximity) Find(t *text.Text) (start, end int, ok bool) {
	if x.left = spans(x.left[:0], x.Left, t); len(x.left) == 0 {
		return 0, 0, false
	}
	x.right = spans(x.right[:0], x.Right, t)
	if start, end, ok = x.follows(t.Norm, x.left, x.right); ok || x.near.Ordered {
		return start, end, ok
	}
	return x.follows(t.Norm, x.right, x.left)
}

// span is where a pattern stands, in bytes.
type span struct{ start, end int }

// spans appends where one of the patterns stands, in order of the starts.
func spans(out []span, patterns []*Pattern, t *text.Text) []span {
	for _, p := range patterns {
		for start, end := range p.All(t) {
			out = append(out, span{start, end})
		}
	}
	if len(patterns) > 1 {
		slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	}
	return out
}

// follows finds one of the later spans that starts within the distance after one of the earlier ones. The
// first that starts behind it is the nearest.
func (x *Proximity) follows(norm string, earlier, later []span) (start, end int, ok bool) {
	for _, a := range earlier {
		i, _ := slices.BinarySearchFunc(later, a.end, func(b span, at int) int { return cmp.Compare(b.start, at) })
		if i == len(later) {
			continue
		}
		if x.spans(norm[a.end:later[i].start]) {
			return a.start, later[i].end, true
		}
	}
	return 0, 0, false
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
