package snapshot

import (
	"bytes"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
)

// DecodeBitmap decodes a bitmap in the library's portable format and copies it. data may be
// untrusted: damaged bytes are an error, even where the library would panic.
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

// decodeIDs is like DecodeBitmap, but fails if an id is not below bound.
func decodeIDs(data []byte, bound uint32) (*roaring.Bitmap, error) {
	b, err := DecodeBitmap(data)
	if err == nil && !b.IsEmpty() && b.Maximum() >= bound {
		return nil, fmt.Errorf("damaged bitmap: id %d of %d", b.Maximum(), bound)
	}
	return b, err
}
