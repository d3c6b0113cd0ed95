package exceptions

import (
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// A damaged file is refused, or decodes to sections of its segment.
func FuzzDecode(f *testing.F) {
	whole, err := roaring.BitmapOf(1, 5, 900).ToBytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Fuzz(func(t *testing.T, data []byte) {
		var out *roaring.Bitmap
		err := guard.Call(func() (err error) { out, err = decode(data, 1000); return err })
		if err == nil && !out.IsEmpty() && out.Maximum() >= 1000 {
			t.Errorf("section %d", out.Maximum())
		}
	})
}
