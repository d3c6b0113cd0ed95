package lexical

import (
	"cmp"
	"slices"
)

// leaf evaluates a Match. Its results are for one window.
type leaf struct {
	Match
	groups   []*group // rarest first
	perField bool     // record which field has the terms
	scored   bool
	shared   bool    // it occurs several times in the expression
	weight   float32 // idf of the rarest group

	windowID int   // the window of the fields below
	sure     bool  // all of held passed Verify
	held     set   // has the terms
	by       []set // has the terms in a field, if perField
	proven   []set // has the Proof in a field
	counted  set   // where it adds to the score
	impact   *impacts
}

// newLeaf prepares a condition. The groups are read by ascending document frequency.
func (e *evaluator) newLeaf(h Match, scored bool) *leaf {
	l := &leaf{Match: h, scored: scored, windowID: -1}
	l.perField = h.Verify != nil || len(h.Groups) > 1 || h.Fields&e.searchable != e.searchable
	for _, terms := range h.Groups {
		l.groups = append(l.groups, e.newGroup(terms))
	}
	slices.SortStableFunc(l.groups, func(a, b *group) int { return cmp.Compare(a.df, b.df) })
	if scored {
		l.weight, l.impact = float32(IDF(e.sections, l.size())), new(impacts)
	}
	return l
}

func (l *leaf) size() int {
	if len(l.groups) == 0 {
		return allSections
	}
	return l.groups[0].df
}

func (l *leaf) exact() bool { return l.Verify == nil }

func (l *leaf) open(e *evaluator) {
	if l.by == nil && l.perField {
		l.by = make([]set, len(e.fields))
	}
	if l.proven == nil && l.Proof != "" {
		l.proven = make([]set, len(e.fields))
	}
	for _, g := range l.groups {
		g.open(e, l.Fields)
	}
}

func (l *leaf) candidates(e *evaluator, among *set) *set {
	if l.windowID == e.windowID {
		return &l.held
	}
	if l.shared {
		among = &e.base
	}
	l.windowID, l.sure, l.counted = e.windowID, l.Verify == nil, set{}
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

// every makes all sections candidates, subject to verification.
func (l *leaf) every(among *set) {
	l.held = *among
	for f := range l.by {
		l.by[f] = *among
	}
	if l.scored {
		clear(l.impact.sums[:])
	}
}

// search finds the sections that have all groups in one field.
func (l *leaf) search(e *evaluator, among *set) {
	found := windowMatches{fields: l.Fields, among: among}
	for i, g := range l.groups {
		found.impact = nil
		if i == 0 && l.scored {
			found.impact = l.impact
		}
		if found.by = nil; l.perField {
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

func (l *leaf) verify(e *evaluator, among *set) (*set, bool) {
	if l.sure {
		return &l.held, true
	}
	if !l.shared {
		l.held.and(among)
	}
	for i := range l.held.all() {
		if e.expired() {
			return nil, false
		}
		if !l.verified(e, i) {
			l.held.drop(i)
		}
	}
	l.sure = true
	return &l.held, true
}

// verified reports whether a field that has the terms passes Verify.
func (l *leaf) verified(e *evaluator, i uint32) bool {
	for f := range l.proven {
		if l.proven[f].has(i) {
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

func (l *leaf) mark(e *evaluator, among *set) {
	if l.windowID != e.windowID {
		return
	}
	for i := range l.counted {
		l.counted[i] |= among[i] & l.held[i]
	}
}

// score adds the term scores of the marked sections.
func (l *leaf) score(e *evaluator) {
	if !l.scored || l.windowID != e.windowID {
		return
	}
	for i := range l.counted.all() {
		x := l.impact.sums[i]
		e.scores[i] += l.weight * x / (e.k1 + x)
	}
}
