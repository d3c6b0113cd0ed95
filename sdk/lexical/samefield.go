package lexical

// sameField evaluates a SameField.
type sameField struct {
	SameField
	sides [][]*leaf
	by    []set // by field: has something of every side
	held  set
}

func (e *evaluator) newSameField(x SameField, scored bool) *sameField {
	t := &sameField{SameField: x, by: make([]set, len(e.fields))}
	for _, side := range x.Sides {
		var leaves []*leaf
		for _, h := range side {
			l := e.newLeaf(h, scored)
			l.perField = true
			leaves = append(leaves, l)
		}
		t.sides, e.leaves = append(t.sides, leaves), append(e.leaves, leaves...)
	}
	return t
}

func (t *sameField) open(e *evaluator) {
	for _, side := range t.sides {
		for _, l := range side {
			l.open(e)
		}
	}
}

func (t *sameField) candidates(e *evaluator, among *set) *set {
	t.held = *among
	for f := range t.by {
		t.by[f] = *among
	}
	for _, side := range t.sides {
		t.meet(e, side)
	}
	return &t.held
}

// meet keeps what has a match of a side in a field that has one of all sides before.
func (t *sameField) meet(e *evaluator, side []*leaf) {
	among := t.held
	for _, l := range side {
		l.candidates(e, &among)
	}
	t.held = set{}
	for f := range t.by {
		var any set
		for _, l := range side {
			any.or(&l.by[f])
		}
		t.by[f].and(&any)
		t.held.or(&t.by[f])
	}
}

func (t *sameField) verify(e *evaluator, among *set) (*set, bool) {
	t.held.and(among)
	for i := range t.held.all() {
		if e.expired() {
			return nil, false
		}
		if !t.verified(e, i) {
			t.held.drop(i)
		}
	}
	return &t.held, true
}

func (t *sameField) verified(e *evaluator, i uint32) bool {
	for f := range t.by {
		if t.by[f].has(i) && t.Verify(e.base0+i, f) {
			return true
		}
	}
	return false
}

func (t *sameField) mark(e *evaluator, among *set) {
	both := *among
	both.and(&t.held)
	for _, side := range t.sides {
		for _, l := range side {
			l.mark(e, &both)
		}
	}
}

func (t *sameField) size() int {
	n := allSections
	for _, side := range t.sides {
		sum := 0
		for _, l := range side {
			if sum += l.size(); sum < 0 {
				sum = allSections
			}
		}
		n = min(n, sum)
	}
	return n
}

func (*sameField) exact() bool { return false }
