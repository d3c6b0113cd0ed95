package lexical

// together is a Together at work.
type together struct {
	Together
	sides [][]*leaf
	by    []set // by field: has something of every side
	held  set
}

func (e *evaluator) newTogether(x Together, scored bool) *together {
	t := &together{Together: x, by: make([]set, len(e.fields))}
	for _, side := range x.Sides {
		var leaves []*leaf
		for _, h := range side {
			l := e.newLeaf(h, scored)
			l.keepFields()
			leaves = append(leaves, l)
		}
		t.sides, e.leaves = append(t.sides, leaves), append(e.leaves, leaves...)
	}
	return t
}

func (t *together) open(e *evaluator) {
	for _, side := range t.sides {
		for _, l := range side {
			l.open(e)
		}
	}
}

func (t *together) look(e *evaluator, among *set) *set {
	t.held = *among
	for f := range t.by {
		t.by[f] = *among
	}
	for _, side := range t.sides {
		t.meet(e, side)
	}
	return &t.held
}

// meet keeps what has something of a side in the field of the sides before it.
func (t *together) meet(e *evaluator, side []*leaf) {
	among := t.held
	for _, l := range side {
		l.look(e, &among)
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

func (t *together) settle(e *evaluator, among *set) (*set, bool) {
	t.held.and(among)
	for i := range t.held.all() {
		if e.late() {
			return nil, false
		}
		if !t.verified(e, i) {
			t.held.drop(i)
		}
	}
	return &t.held, true
}

func (t *together) verified(e *evaluator, i uint32) bool {
	for f := range t.by {
		if t.by[f].has(i) && t.Verify(e.base0+i, f) {
			return true
		}
	}
	return false
}

func (t *together) count(e *evaluator, among *set) {
	both := *among
	both.and(&t.held)
	for _, side := range t.sides {
		for _, l := range side {
			l.count(e, &both)
		}
	}
}

func (t *together) size() int {
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

func (*together) exact() bool { return false }
