package snapshot

import (
	"encoding/binary"
	"math/bits"
)

// slack is how many bytes must follow packed numbers, because they are read
// eight bytes at a time.
const slack = 8

// packedSize is the number of bytes that n numbers of width bits take.
func packedSize(n, width int) int { return (n*width + 7) / 8 }

// appendPacked appends values, each width bits wide, lowest bit first.
func appendPacked[T uint8 | uint32](b []byte, values []T, width int) []byte {
	var acc uint64
	held := 0
	for _, v := range values {
		acc |= uint64(v) << held
		for held += width; held >= 8; held -= 8 {
			b = append(b, byte(acc))
			acc >>= 8
		}
	}
	if held > 0 {
		b = append(b, byte(acc))
	}
	return b
}

// unpack reads len(out) numbers of width ≤ 32 bits from b, which must hold
// packedSize(len(out), width)+slack bytes.
func unpack[T uint8 | uint32](out []T, b []byte, width int) {
	if width <= 7 {
		unpackNarrow(out, b, width)
		return
	}
	mask := uint64(1)<<width - 1
	for i, bit := 0, 0; i < len(out); i, bit = i+1, bit+width {
		word := binary.LittleEndian.Uint64(b[bit>>3:])
		out[i] = T(word >> (bit & 7) & mask)
	}
}

// unpackNarrow reads eight numbers from one word; they fill width bytes.
func unpackNarrow[T uint8 | uint32](out []T, b []byte, width int) {
	mask := uint64(1)<<width - 1
	w := uint(width)
	for len(out) >= 8 {
		word, o := binary.LittleEndian.Uint64(b), out[:8]
		for i := range o {
			o[i] = T(word & mask)
			word >>= w
		}
		out, b = out[8:], b[width:]
	}
	word := binary.LittleEndian.Uint64(b)
	for i := range out {
		out[i] = T(word & mask)
		word >>= w
	}
}

// widthOf is the number of bits that hold every value.
func widthOf[T uint8 | uint32](values []T) int {
	var all T
	for _, v := range values {
		all |= v
	}
	return bits.Len32(uint32(all))
}
