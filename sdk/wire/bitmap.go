package wire

import (
	"bytes"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// packBitmap gives the portable form of b; nil for nil.
func packBitmap(b *roaring.Bitmap) ([]byte, error) {
	if b == nil {
		return nil, nil
	}
	return b.ToBytes()
}

// unpackBitmap is the inverse of packBitmap for bytes from a stranger: damaged
// ones give an error, also where the library would panic.
func unpackBitmap(data []byte) (b *roaring.Bitmap, err error) {
	if data == nil {
		return nil, nil
	}
	defer func() {
		if r := recover(); r != nil {
			b, err = nil, fmt.Errorf("damaged bitmap: %v", r)
		}
	}()
	b = roaring.New()
	n, err := b.ReadFrom(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("damaged bitmap: %w", err)
	}
	if n != int64(len(data)) {
		return nil, fmt.Errorf("damaged bitmap: %d bytes left over", int64(len(data))-n)
	}
	if err := b.Validate(); err != nil {
		return nil, fmt.Errorf("damaged bitmap: %w", err)
	}
	return b, nil
}
