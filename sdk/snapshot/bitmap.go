package snapshot

import (
	"bytes"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// DecodeBitmap copies a bitmap in the library's portable form out of data, which
// may be a stranger's: damaged bytes are an error, also where the library would
// panic.
func DecodeBitmap(data []byte) (b *roaring.Bitmap, err error) {
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

// decodeIDs is DecodeBitmap for ids below bound.
func decodeIDs(data []byte, bound uint32) (*roaring.Bitmap, error) {
	b, err := DecodeBitmap(data)
	if err == nil && !b.IsEmpty() && b.Maximum() >= bound {
		return nil, fmt.Errorf("damaged bitmap: id %d of %d", b.Maximum(), bound)
	}
	return b, err
}
