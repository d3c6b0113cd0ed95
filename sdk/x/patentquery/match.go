package patentquery

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Matcher reports whether texts hold what a query asks for. It is not safe for
// concurrent use.
type Matcher struct{ match matcher }

// Texts returns the text of a field, the empty text for none. It is asked again and again.
type Texts func(Field) *text.Text

type matcher func(Texts) bool

// Compile prepares a query. Terms without a field are looked for in the fields of scope,
// in all where there are none; a field that the query names stands whatever the scope.
func Compile(n Node, scope ...Field) *Matcher {
	if len(scope) == 0 {
		scope = Fields[:]
	}
	return &Matcher{compile(n, scope)}
}

// Match looks at every field that the query concerns, from the start to the first
// occurrence.
func (m *Matcher) Match(texts Texts) bool { return m.match(texts) }

func compile(n Node, scope []Field) matcher {
	switch n := n.(type) {
	case And:
		return all(compileAll(n.Nodes, scope), true)
	case Or:
		return all(compileAll(n.Nodes, scope), false)
	case Not:
		inner := compile(n.Node, scope)
		return func(t Texts) bool { return !inner(t) }
	case Term:
		return someField(n.Field, scope, NewPattern(n).In)
	case Near:
		return someField(n.Field, scope, NewProximity(n).In)
	}
	return func(Texts) bool { return false }
}

func compileAll(nodes []Node, scope []Field) []matcher {
	out := make([]matcher, len(nodes))
	for i, n := range nodes {
		out[i] = compile(n, scope)
	}
	return out
}

// all holds when each part does, or, for want false, when one does.
func all(parts []matcher, want bool) matcher {
	return func(t Texts) bool {
		for _, part := range parts {
			if part(t) != want {
				return !want
			}
		}
		return want
	}
}

func someField(f Field, scope []Field, in func(*text.Text) bool) matcher {
	if f != Any {
		scope = []Field{f}
	}
	return func(texts Texts) bool {
		for _, f := range scope {
			if in(texts(f)) {
				return true
			}
		}
		return false
	}
}

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
	if x.left = spans(x.left[:0], x.Left, t); len(x.left) == 0 {
		return false
	}
	x.right = spans(x.right[:0], x.Right, t)
	return x.follows(t.Norm, x.left, x.right) || !x.near.Ordered && x.follows(t.Norm, x.right, x.left)
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

// follows reports whether one of the later spans starts within the distance after one of
// the earlier ones. The first that starts behind it is the nearest.
func (x *Proximity) follows(norm string, earlier, later []span) bool {
	for _, a := range earlier {
		i, _ := slices.BinarySearchFunc(later, a.end, func(b span, at int) int { return cmp.Compare(b.start, at) })
		if i == len(later) {
			continue
		}
		gap := norm[a.end:later[i].start]
		if len(gap) <= utf8.UTFMax*x.near.Distance && utf8.RuneCountInString(gap) <= x.near.Distance {
			return true
		}
	}
	return false
}
