package lexical

import (
	"cmp"
	"math"
	"slices"
)

// node is an expression at work on a window at a time. The sets that it gives are its own
// and may hold more than what was asked for.
type node interface {
	// open moves to the start of a segment.
	open(e *evaluator)
	// look gives what among may hold the expression as far as terms tell.
	look(e *evaluator, among *set) *set
	// settle gives what among does hold it; it comes after look, for sections that look was
	// asked for. It is false when time is up.
	settle(e *evaluator, among *set) (*set, bool)
	// count marks what of among, which was settled, its terms add to the score of.
	count(e *evaluator, among *set)
	// size bounds how many sections hold it.
	size() int
	// exact tells that look says all.
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
	case Together:
		return e.newTogether(x, scored)
	}
	return e.shareLeaf(x.(Holds), scored)
}

func (e *evaluator) compileAll(parts []Expr, scored bool) []node {
	out := make([]node, len(parts))
	for i, p := range parts {
		out[i] = e.compile(p, scored)
	}
	return out
}

// byEffort puts first what narrows the search for little work.
func byEffort(a, b node) int { return cmp.Compare(a.size(), b.size()) }

// leafKey tells leaves apart.
type leafKey struct {
	key    string
	fields Fields
	scored bool
}

func (e *evaluator) shareLeaf(h Holds, scored bool) *leaf {
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

// allOf is an AllOf at work.
type allOf struct {
	parts []node
	held  set
}

func (a *allOf) open(e *evaluator) { openAll(e, a.parts) }

func (a *allOf) look(e *evaluator, among *set) *set {
	a.held = *among
	for _, p := range a.parts {
		if a.held.empty() {
			break
		}
		a.held.and(p.look(e, &a.held))
	}
	return &a.held
}

func (a *allOf) settle(e *evaluator, among *set) (*set, bool) {
	a.held.and(among)
	for _, p := range a.parts {
		if a.held.empty() {
			break
		}
		held, ok := p.settle(e, &a.held)
		if !ok {
			return nil, false
		}
		a.held.and(held)
	}
	return &a.held, true
}

func (a *allOf) count(e *evaluator, among *set) {
	both := *among
	both.and(&a.held)
	if both.empty() {
		return
	}
	for _, p := range a.parts {
		p.count(e, &both)
	}
}

func (a *allOf) size() int   { return slices.MinFunc(a.parts, byEffort).size() }
func (a *allOf) exact() bool { return allExact(a.parts) }

// oneOf is a OneOf at work.
type oneOf struct {
	parts []node
	held  set
}

func (o *oneOf) open(e *evaluator) { openAll(e, o.parts) }

func (o *oneOf) look(e *evaluator, among *set) *set {
	o.held = set{}
	for _, p := range o.parts {
		o.held.or(p.look(e, among))
	}
	o.held.and(among)
	return &o.held
}

func (o *oneOf) settle(e *evaluator, among *set) (*set, bool) {
	o.held = set{}
	for _, p := range o.parts {
		held, ok := p.settle(e, among)
		if !ok {
			return nil, false
		}
		o.held.or(held)
	}
	o.held.and(among)
	return &o.held, true
}

func (o *oneOf) count(e *evaluator, among *set) {
	for _, p := range o.parts {
		p.count(e, among)
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

// noneOf is a NoneOf at work.
type noneOf struct {
	part node
	held set
}

func (n *noneOf) open(e *evaluator) { n.part.open(e) }

func (n *noneOf) look(e *evaluator, among *set) *set {
	out := n.part.look(e, among)
	n.held = *among
	if n.part.exact() {
		n.held.andNot(out)
	}
	return &n.held
}

func (n *noneOf) settle(e *evaluator, among *set) (*set, bool) {
	out, ok := n.part.settle(e, among)
	if !ok {
		return nil, false
	}
	n.held = *among
	n.held.andNot(out)
	return &n.held, true
}

func (*noneOf) count(*evaluator, *set) {}
func (*noneOf) size() int              { return allSections }
func (n *noneOf) exact() bool          { return n.part.exact() }

func openAll(e *evaluator, parts []node) {
	for _, p := range parts {
		p.open(e)
	}
}

func allExact(parts []node) bool {
	return !slices.ContainsFunc(parts, func(p node) bool { return !p.exact() })
}
