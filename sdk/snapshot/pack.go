package snapshot

import (
	"encoding/binary"
	"math/bits"
)

// slack is the number of bytes that must follow packed numbers, because they are read eight bytes
// at a time.
const slack = 8

// packedSize returns the number of bytes that n numbers of width bits take.
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

// unpack reads len(out) numbers of width ≤ 8 bits from b, which must have packedSize(len(out), width)+slack bytes.
// Eight numbers fill width bytes, which fit into one word.
func unpack(out []uint8, b []byte, width int) {
	mask, w := uint64(1)<<width-1, uint(width)
	for len(out) >= 8 {
		word, o := binary.LittleEndian.Uint64(b), out[:8]
		for i := range o {
			o[i] = uint8(word & mask)
			word >>= w
		}
		out, b = out[8:], b[width:]
	}
	word := binary.LittleEndian.Uint64(b)
	for i := range out {
		out[i] = uint8(word & mask)
		word >>= w
	}
}

// unpackAscending reads len(out) distances of width ≤ 32 bits from b like unpack and decodes ascending numbers: each is
// its distance plus one more than the number before, or plus next for the first. It stores the lower 32 bits of each in
// out and returns one more than the last number.
func unpackAscending(out []uint32, b []byte, width int, next uint64) uint64 {
	mask := uint64(1)<<width - 1
	if width <= 7 {
		for ; len(out) >= 8; out, b = out[8:], b[width:] {
			word, o := binary.LittleEndian.Uint64(b), out[:8]
			for i := range o {
				next += word & mask
				o[i] = uint32(next)
				next++
				word >>= uint(width)
			}
		}
	}
	for i, bit := 0, 0; i < len(out); i, bit = i+1, bit+width {
		word := binary.LittleEndian.Uint64(b[bit>>3:])
		next += word >> (bit & 7) & mask
		out[i] = uint32(next)
		next++
	}
	return next
}

// widthOf returns the number of bits that can represent every value.
func widthOf[T uint8 | uint32](values []T) int {
	var all T
	for _, v := range values {
		all |= v
	}
	return bits.Len32(uint32(all))
}
