package lexical

import (
	"errors"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// sameField evaluates a SameField.
type sameField struct {
	SameField
	sides [][]*leaf
	by    []set // by field: has a match of every side
	held  set
	forks []func(section uint32, field int) bool
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

// meet keeps the sections with a match of a side in a field that already has a match of every earlier side.
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
	workers := min(runtime.GOMAXPROCS(0), t.held.len()/textsBetweenChecks)
	if workers < 2 || t.Fork == nil {
		return &t.held, t.look(e, new(atomic.Int64), t.Verify)
	}
	for len(t.forks) < workers {
		t.forks = append(t.forks, t.Fork())
	}
	var next atomic.Int64
	var expired atomic.Bool
	err := errors.Join(guard.Each(workers, func(i int) error {
		return e.snap.Guard(func() error {
			if !t.look(e, &next, t.forks[i]) {
				expired.Store(true)
			}
			return nil
		})
	})...)
	if err != nil && e.snap.Err() == nil { // a damaged snapshot is reported by Err
		panic(err)
	}
	return &t.held, !expired.Load()
}

// look verifies the held sections, 64 at a time from next on, and drops those that fail. It returns false when
// time is up.
func (t *sameField) look(e *evaluator, next *atomic.Int64, verify func(uint32, int) bool) bool {
	for w := next.Add(1) - 1; w < setWords; w = next.Add(1) - 1 {
		if t.held[w] != 0 && e.ctx.Err() != nil {
			return false
		}
		for left := t.held[w]; left != 0; left &= left - 1 {
			if i := uint32(w)*64 + uint32(bits.TrailingZeros64(left)); !t.verified(e, i, verify) {
				t.held.drop(i)
			}
		}
	}
	return true
}

func (t *sameField) verified(e *evaluator, i uint32, verify func(uint32, int) bool) bool {
	for f := range t.by {
		if t.by[f].has(i) && verify(e.base0+i, f) {
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
