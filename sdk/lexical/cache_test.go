package lexical

import (
	"context"
	"fmt"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestCache(t *testing.T) {
	var m Cache
	asked := 0
	ask := func(ctx context.Context, snap *snapshot.Snapshot, word string, held *roaring.Bitmap) *roaring.Bitmap {
		return m.Sections(ctx, snap, word, func() *roaring.Bitmap { asked++; return held })
	}
	ctx, one, two := t.Context(), sdktest.Snapshot(t, sdktest.Section{Body: "disk"}), sdktest.Snapshot(t, sdktest.Section{Body: "disk"})
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for i, step := range []struct {
		ctx  context.Context
		snap *snapshot.Snapshot
		word string
		want int // number of lookups so far
	}{
		{ended, one, "disk", 1}, {ctx, one, "disk", 2}, {ctx, one, "disk", 2}, {ctx, one, "tape", 3},
		{ctx, two, "disk", 4}, {ctx, two, "disk", 4}, {ctx, one, "disk", 5},
	} {
		if got := ask(step.ctx, step.snap, step.word, roaring.BitmapOf(7)); asked != step.want || !got.Contains(7) {
			t.Errorf("step %d: asked %d times, want %d", i, asked, step.want)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	var m Cache
	snap, large := sdktest.Snapshot(t, sdktest.Section{Body: "disk"}), roaring.New()
	for i := range uint32(100_000) {
		large.Add(i * 3)
	}
	for i := range 300 {
		m.Sections(t.Context(), snap, fmt.Sprint(i), func() *roaring.Bitmap { return large })
		if m.bytes > maxCacheBytes || uint64(len(m.sections))*large.GetSizeInBytes() > maxCacheBytes {
			t.Fatalf("%d words in %d bytes", len(m.sections), m.bytes)
		}
	}
}
