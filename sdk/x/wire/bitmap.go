package wire

import (
	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// packBitmap gives the portable form of b; nil for nil.
func packBitmap(b *roaring.Bitmap) ([]byte, error) {
	if b == nil {
		return nil, nil
	}
	return b.ToBytes()
}

// unpackBitmap is the inverse of packBitmap for bytes from a stranger.
func unpackBitmap(data []byte) (*roaring.Bitmap, error) {
	if data == nil {
		return nil, nil
	}
	return snapshot.DecodeBitmap(data)
}
