package lexical

import (
	"cmp"
	"slices"
)

// Top keeps the best of the hits offered to it, in a heap with the worst at the root.
type Top struct {
	limit int
	heap  []Hit
}

// NewTop returns a Top that keeps at most limit hits.
func NewTop(limit int) *Top { return &Top{limit: limit} }

// reset empties t and reuses the memory of room.
func (t *Top) reset(limit int, room []Hit) { t.limit, t.heap = limit, room[:0] }

// better orders hits: score first, then the lower section id.
func better(a, b Hit) int {
	if a.Score != b.Score {
		return cmp.Compare(b.Score, a.Score)
	}
	return cmp.Compare(a.Section, b.Section)
}

// takes reports whether Offer might keep a hit with that score. It saves calls of Offer.
func (t *Top) takes(score float64) bool {
	return len(t.heap) < t.limit || t.limit > 0 && score >= t.heap[0].Score
}

// Offer keeps a hit if it is one of the best so far.
func (t *Top) Offer(h Hit) {
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
func (t *Top) sink(i int) {
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

// Sorted returns the kept hits, best first, ties by section id. t must not be used afterwards.
func (t *Top) Sorted() []Hit {
	slices.SortFunc(t.heap, better)
	return t.heap
}
