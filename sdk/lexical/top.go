package lexical

import (
	"cmp"
	"slices"
)

// top keeps the best hits seen, as a heap with the worst at its root.
type top struct {
	limit int
	heap  []Hit
}

func newTop(limit int) *top { return &top{limit: limit} }

// better orders hits: score first, then the lower section id.
func better(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
}

func (t *top) offer(h Hit) {
	switch {
	case len(t.heap) < t.limit:
		t.heap = append(t.heap, h)
		if len(t.heap) == t.limit {
			for i := len(t.heap)/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
		}
	case t.limit > 0 && better(h, t.heap[0]) < 0:
		t.heap[0] = h
		t.sink(0)
	}
}

// sink restores the heap below i.
func (t *top) sink(i int) {
	for {
		worst := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(t.heap) && better(t.heap[child], t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// sorted gives the kept hits, best first.
func (t *top) sorted() []Hit {
	slices.SortFunc(t.heap, better)
	return t.heap
}
