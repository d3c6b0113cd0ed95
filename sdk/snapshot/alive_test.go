package snapshot

import (
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// Ids that start in the middle of a container can be encoded, however few of them are in the next one.
func TestAliveCanBeEncoded(t *testing.T) {
	local, want := roaring.New(), roaring.New()
	for id := uint32(0); id < 60_000; id += 10 {
		local.Add(id)
		if id != 500 {
			want.Add(6000 + id)
		}
	}
	size := local.GetCardinality()
	got := (&Segment{base: 6000, deleted: roaring.BitmapOf(500)}).Alive(local)
	if !got.Equals(want) || local.GetCardinality() != size {
		t.Errorf("%d ids of %d", got.GetCardinality(), want.GetCardinality())
	}
	if _, err := got.ToBytes(); err != nil {
		t.Error(err)
	}
}
