package lexical

import (
	"cmp"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Expr is a boolean expression over the sections of a snapshot: [AllOf], [OneOf],
// [NoneOf], [Match], [SameField] or [Within].
type Expr interface{ expr() }

// AllOf matches where all its parts match. It has at least one part.
type AllOf []Expr

// OneOf matches where one of its parts matches. It has at least one part.
type OneOf []Expr

// NoneOf matches where its part does not match.
type NoneOf struct{ Part Expr }

// Match matches where one of the fields has a term of every group and passes Verify. Its term
// frequency in the score is that of the rarest group.
type Match struct {
	// Key identifies the condition: conditions of the same key and fields are evaluated, and
	// scored, once.
	Key string
	// Groups holds lists of alternative dictionary terms. Without a group every section
	// qualifies.
	Groups [][]string
	// Fields are the fields to search.
	Fields Fields
	// Verify checks the text of a field. nil accepts every field that has the terms.
	Verify func(section uint32, field int) bool
	// Proof is a term that makes Verify unnecessary in a field that has it: the first term of the
	// only group, or "".
	Proof string
}

// SameField matches where one of the fields has a match of every side and passes Verify. The Verify
// functions of the sides are not called.
type SameField struct {
	Sides  [][]Match
	Fields Fields
	Verify func(section uint32, field int) bool
	// Fork returns a Verify for use in another goroutine. If nil, one goroutine checks all texts.
	Fork func() func(section uint32, field int) bool
}

// Within matches the sections of a set. It adds nothing to a score.
type Within struct{ Sections *roaring.Bitmap }

// Fields is a set of field indexes.
type Fields uint8

// With returns the set with a field added.
func (f Fields) With(field int) Fields { return f | 1<<field }

// Has reports whether a field is in the set.
func (f Fields) Has(field int) bool { return f>>field&1 == 1 }

func (AllOf) expr()     {}
func (OneOf) expr()     {}
func (NoneOf) expr()    {}
func (Match) expr()     {}
func (SameField) expr() {}
func (Within) expr()    {}

// node evaluates an expression in one window of sections at a time. The sets that it returns belong
// to the node and may contain sections outside among.
type node interface {
	// open moves to the start of a segment.
	open(e *evaluator)
	// candidates returns the sections of among that may match according to their terms.
	candidates(e *evaluator, among *set) *set
	// verify returns the sections of among that match. It is called after candidates, with
	// sections that were passed to candidates. It returns false if the context ended.
	verify(e *evaluator, among *set) (*set, bool)
	// mark marks the verified sections of among as scored by the terms of the node.
	mark(e *evaluator, among *set)
	// size is an upper bound of the number of matching sections.
	size() int
	// exact reports whether the result of candidates needs no verification.
	exact() bool
}

const allSections = math.MaxInt

// compile turns an expression into nodes. Equal conditions become one leaf.
func (e *evaluator) compile(x Expr, scored bool) node {
	switch x := x.(type) {
	case AllOf:
		parts := e.compileAll(x, scored)
		slices.SortStableFunc(parts, byEffort)
		return &allOf{parts: parts}
	case OneOf:
		return &oneOf{parts: e.compileAll(x, scored)}
	case NoneOf:
		return &noneOf{part: e.compile(x.Part, false)}
	case SameField:
		return e.newSameField(x, scored)
	case Within:
		return &within{sections: x.Sections}
	}
	return e.shareLeaf(x.(Match), scored)
}

func (e *evaluator) compileAll(parts []Expr, scored bool) []node {
	out := make([]node, len(parts))
	for i, p := range parts {
		out[i] = e.compile(p, scored)
	}
	return out
}

// byEffort sorts the most selective node first.
func byEffort(a, b node) int { return cmp.Compare(a.size(), b.size()) }

// leafKey identifies equal leaves.
type leafKey struct {
	key    string
	fields Fields
	scored bool
}

func (e *evaluator) shareLeaf(h Match, scored bool) *leaf {
	key := leafKey{h.Key, h.Fields, scored}
	l := e.known[key]
	if l == nil {
		l = e.newLeaf(h, scored)
		e.known[key], e.leaves = l, append(e.leaves, l)
	} else {
		l.shared = true
	}
	return l
}

// allOf evaluates an AllOf.
type allOf struct {
	parts []node
	held  set
}

func (a *allOf) open(e *evaluator) { openAll(e, a.parts) }

func (a *allOf) candidates(e *evaluator, among *set) *set {
	a.held = *among
	for _, p := range a.parts {
		if a.held.empty() {
			break
		}
		a.held.and(p.candidates(e, &a.held))
	}
	return &a.held
}

func (a *allOf) verify(e *evaluator, among *set) (*set, bool) {
	a.held.and(among)
	for _, p := range a.parts {
		if a.held.empty() {
			break
		}
		held, ok := p.verify(e, &a.held)
		if !ok {
			return nil, false
		}
		a.held.and(held)
	}
	return &a.held, true
}

func (a *allOf) mark(e *evaluator, among *set) {
	both := *among
	both.and(&a.held)
	if both.empty() {
		return
	}
	for _, p := range a.parts {
		p.mark(e, &both)
	}
}

func (a *allOf) size() int   { return slices.MinFunc(a.parts, byEffort).size() }
func (a *allOf) exact() bool { return allExact(a.parts) }

// oneOf evaluates a OneOf.
type oneOf struct {
	parts []node
	held  set
}

func (o *oneOf) open(e *evaluator) { openAll(e, o.parts) }

func (o *oneOf) candidates(e *evaluator, among *set) *set {
	o.held = set{}
	for _, p := range o.parts {
		o.held.or(p.candidates(e, among))
	}
	o.held.and(among)
	return &o.held
}

func (o *oneOf) verify(e *evaluator, among *set) (*set, bool) {
	o.held = set{}
	for _, p := range o.parts {
		held, ok := p.verify(e, among)
		if !ok {
			return nil, false
		}
		o.held.or(held)
	}
	o.held.and(among)
	return &o.held, true
}

func (o *oneOf) mark(e *evaluator, among *set) {
	for _, p := range o.parts {
		p.mark(e, among)
	}
}

func (o *oneOf) size() (n int) {
	for _, p := range o.parts {
		if n += p.size(); n < 0 {
			return allSections
		}
	}
	return n
}

func (o *oneOf) exact() bool { return allExact(o.parts) }

// noneOf evaluates a NoneOf.
type noneOf struct {
	part node
	held set
}

func (n *noneOf) open(e *evaluator) { n.part.open(e) }

func (n *noneOf) candidates(e *evaluator, among *set) *set {
	out := n.part.candidates(e, among)
	n.held = *among
	if n.part.exact() {
		n.held.andNot(out)
	}
	return &n.held
}

func (n *noneOf) verify(e *evaluator, among *set) (*set, bool) {
	out, ok := n.part.verify(e, among)
	if !ok {
		return nil, false
	}
	n.held = *among
	n.held.andNot(out)
	return &n.held, true
}

func (*noneOf) mark(*evaluator, *set) {}
func (*noneOf) size() int             { return allSections }
func (n *noneOf) exact() bool         { return n.part.exact() }

// within evaluates a Within.
type within struct {
	sections *roaring.Bitmap
	held     set
}

func (*within) open(*evaluator) {}

func (w *within) candidates(e *evaluator, among *set) *set {
	w.held = set{}
	it := w.sections.Iterator()
	it.AdvanceIfNeeded(e.base0)
	for end := e.base0 + e.hi - e.lo; it.HasNext() && it.PeekNext() < end; {
		w.held.add(it.Next() - e.base0)
	}
	w.held.and(among)
	return &w.held
}

func (w *within) verify(_ *evaluator, among *set) (*set, bool) {
	w.held.and(among)
	return &w.held, true
}

func (*within) mark(*evaluator, *set) {}
func (w *within) size() int           { return int(w.sections.GetCardinality()) }
func (*within) exact() bool           { return true }

func openAll(e *evaluator, parts []node) {
	for _, p := range parts {
		p.open(e)
	}
}

func allExact(parts []node) bool {
	return !slices.ContainsFunc(parts, func(p node) bool { return !p.exact() })
}
