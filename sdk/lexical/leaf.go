package lexical

import (
	"cmp"
	"slices"
)

// leaf is a Holds at work. What it found belongs to one window.
type leaf struct {
	Holds
	groups []*group // the rarest first
	apart  bool     // it matters which field has the terms
	scored bool
	shared bool    // it stands in several places of the expression
	weight float32 // idf of the rarest group

	turn    int   // the window that the rest is of
	sure    bool  // what is held passed Verify
	held    set   // has the terms
	by      []set // has the terms in a field, where apart
	proven  []set // has the Proof in a field
	counted set   // where it adds to the score
	impact  *impacts
}

// newLeaf prepares a condition; the document frequencies say which group is read first.
func (e *evaluator) newLeaf(h Holds, scored bool) *leaf {
	l := &leaf{Holds: h, scored: scored, turn: -1}
	l.apart = h.Verify != nil || len(h.Groups) > 1 || h.Fields&e.searchable != e.searchable
	for _, terms := range h.Groups {
		l.groups = append(l.groups, e.newGroup(terms))
	}
	slices.SortStableFunc(l.groups, func(a, b *group) int { return cmp.Compare(a.df, b.df) })
	if scored {
		l.weight, l.impact = float32(IDF(e.sections, l.size())), new(impacts)
	}
	return l
}

// keepFields makes the leaf tell which field has the terms.
func (l *leaf) keepFields() { l.apart = true }

func (l *leaf) size() int {
	if len(l.groups) == 0 {
		return allSections
	}
	return l.groups[0].df
}

func (l *leaf) exact() bool { return l.Verify == nil }

func (l *leaf) open(e *evaluator) {
	if l.by == nil && l.apart {
		l.by = make([]set, len(e.fields))
	}
	if l.proven == nil && l.Proof != "" {
		l.proven = make([]set, len(e.fields))
	}
	for _, g := range l.groups {
		g.open(e, l.Fields)
	}
}

func (l *leaf) look(e *evaluator, among *set) *set {
	if l.turn == e.turn {
		return &l.held
	}
	if l.shared {
		among = &e.base
	}
	l.turn, l.sure, l.counted = e.turn, l.Verify == nil, set{}
	switch {
	case len(l.groups) == 0:
		l.every(among)
	case l.size() == 0:
		l.held = set{}
	default:
		l.search(e, among)
	}
	return &l.held
}

// every takes all sections, to be verified.
func (l *leaf) every(among *set) {
	l.held = *among
	for f := range l.by {
		l.by[f] = *among
	}
	if l.scored {
		l.impact.clear()
	}
}

// search keeps what has all the groups in one field.
func (l *leaf) search(e *evaluator, among *set) {
	found := finding{fields: l.Fields, among: among}
	for i, g := range l.groups {
		found.impact = nil
		if i == 0 && l.scored {
			found.impact = l.impact
		}
		if found.by = nil; l.apart {
			found.by = e.spare
		}
		g.find(e, &found, l.proven)
		if i == 0 {
			l.held = found.held
			copy(l.by, found.by)
			continue
		}
		l.held = set{}
		for f := range l.by {
			l.by[f].and(&found.by[f])
			l.held.or(&l.by[f])
		}
		if among = &l.held; among.empty() {
			return
		}
		found.among = among
	}
}

func (l *leaf) settle(e *evaluator, among *set) (*set, bool) {
	if l.sure {
		return &l.held, true
	}
	if !l.shared {
		l.held.and(among)
	}
	for i := range l.held.all() {
		if e.late() {
			return nil, false
		}
		if !l.verified(e, i) {
			l.held.drop(i)
		}
	}
	l.sure = true
	return &l.held, true
}

// verified reports whether a field with the terms passes.
func (l *leaf) verified(e *evaluator, i uint32) bool {
	for f := range l.by {
		if l.proven != nil && l.proven[f].has(i) {
			return true
		}
	}
	for f := range l.by {
		if l.by[f].has(i) && l.Verify(e.base0+i, f) {
			return true
		}
	}
	return false
}

func (l *leaf) count(e *evaluator, among *set) {
	if l.turn != e.turn {
		return
	}
	for i := range l.counted {
		l.counted[i] |= among[i] & l.held[i]
	}
}

// score adds to the scores where the leaf counts.
func (l *leaf) score(e *evaluator) {
	if !l.scored || l.turn != e.turn {
		return
	}
	for i := range l.counted.all() {
		x := l.impact.sums[i]
		e.scores[i] += l.weight * x / (e.k1 + x)
	}
}
