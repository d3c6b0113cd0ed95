package index

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOf(rapid.IntRange(-1000, 1000)).Draw(t, "items")
		stop := rapid.IntRange(0, len(items)).Draw(t, "stop")
		var got []int
		for v := range inOrder(context.Background(), items, func(i int) int { return i * 2 }) {
			if len(got) == stop {
				break
			}
			got = append(got, v/2)
		}
		if !slices.Equal(got, items[:stop]) {
			t.Fatalf("got %v, want %v", got, items[:stop])
		}
	})
}

func TestInOrderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range inOrder(ctx, make([]int, 10000), func(int) int { return 0 }) {
		if n++; n == 3 {
			cancel()
		}
	}
	if n == 10000 {
		t.Error("all items were done")
	}
}
