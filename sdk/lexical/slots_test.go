package lexical

import (
	"context"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// MatchSlots must report the same slots as a search of all sections.
func TestMatchSlotsTellsTheSlotsOfASearch(t *testing.T) {
	const n = window + 1500 // section 8192, the first of the second window, contains number192
	snap := sdktest.Snapshot(t, manySections(n)...)
	bag := NewBag(snap, &sdk.Query{Text: "number5 number192 heading 3 text"}, plain)
	slots := make(map[uint32]uint64)
	for _, h := range Search(t.Context(), snap, nil, bag.Query, params, n).Hits {
		slots[h.Section] = h.Slots
	}
	rapid.Check(t, func(rt *rapid.T) {
		scope := roaring.BitmapOf(rapid.SliceOf(rapid.Uint32Max(n+70)).Draw(rt, "scope")...)
		if from := rapid.Uint64Max(n).Draw(rt, "from"); rapid.Bool().Draw(rt, "many") {
			scope.AddRange(from, from+3000)
		}
		wanted := rapid.Uint64Max(1<<len(bag.Share)-1).Draw(rt, "wanted")
		got, finished := MatchSlots(t.Context(), snap, scope, bag.Terms, func(_ uint32, held uint64) bool { return held&wanted == wanted })
		want := roaring.New()
		for it := scope.Iterator(); it.HasNext(); {
			if id := it.Next(); id < n && slots[id]&wanted == wanted {
				want.Add(id)
			}
		}
		if !finished || !got.Equals(want) {
			rt.Fatalf("slots %b: %d sections instead of %d, finished %v", wanted, got.GetCardinality(), want.GetCardinality(), finished)
		}
	})
}

func TestMatchSlotsStopsWithItsContext(t *testing.T) {
	snap := sdktest.Snapshot(t, manySections(10)...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got, finished := MatchSlots(ctx, snap, snap.Live(), nil, func(uint32, uint64) bool { return true })
	if finished || !got.IsEmpty() {
		t.Errorf("a cancelled look finished: %v, with %d sections", finished, got.GetCardinality())
	}
}
