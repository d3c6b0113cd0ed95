package snapshot

import (
	"bytes"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// decodeBitmap copies a portable bitmap of ids below bound out of data. The
// library may panic on damaged bytes; that is an error like others.
func decodeBitmap(data []byte, bound uint32) (b *roaring.Bitmap, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("bitmap: %v", r)
		}
	}()
	b = roaring.New()
	n, err := b.ReadFrom(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("bitmap: %w", err)
	}
	if n != int64(len(data)) {
		return nil, fmt.Errorf("bitmap: %d bytes left", int64(len(data))-n)
	}
	if err := b.Validate(); err != nil {
		return nil, fmt.Errorf("bitmap: %w", err)
	}
	if !b.IsEmpty() && b.Maximum() >= bound {
		return nil, fmt.Errorf("bitmap: id %d of %d", b.Maximum(), bound)
	}
	return b, nil
}
