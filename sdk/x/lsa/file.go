package lsa

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

const (
	magic      = "sagasuL\x01"
	headerSize = len(magic) + 12 // sections, dimensions and terms follow the magic
	sumSize    = 4               // CRC-32C of everything before it
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged means that data is not a complete model.
var ErrDamaged = errors.New("damaged model")

// Encode returns the model as bytes, little-endian. Equal models give equal bytes.
func (m *Model) Encode() []byte {
	le := binary.LittleEndian
	out := append([]byte(nil), magic...)
	for _, n := range []int{m.Docs, m.Dim, len(m.terms)} {
		out = le.AppendUint32(out, uint32(n))
	}
	for _, t := range m.terms {
		out = append(le.AppendUint16(out, uint16(len(t))), t...)
	}
	for _, numbers := range [][]float32{m.weights, m.vectors} {
		for _, x := range numbers {
			out = le.AppendUint32(out, math.Float32bits(x))
		}
	}
	return le.AppendUint32(out, crc32.Checksum(out, castagnoli))
}

// Decode decodes the result of Encode. Errors wrap [ErrDamaged].
func Decode(data []byte) (*Model, error) {
	if len(data) < headerSize+sumSize || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%d bytes without the magic number: %w", len(data), ErrDamaged)
	}
	le, end := binary.LittleEndian, len(data)-sumSize
	if crc32.Checksum(data[:end], castagnoli) != le.Uint32(data[end:]) {
		return nil, fmt.Errorf("the checksum differs: %w", ErrDamaged)
	}
	head := data[len(magic):]
	m := &Model{Docs: int(le.Uint32(head)), Dim: int(le.Uint32(head[4:]))}
	return m, m.decode(data[headerSize:end], int(le.Uint32(head[8:])))
}

// decode reads the terms and their vectors.
func (m *Model) decode(data []byte, terms int) error {
	if m.Dim < 1 || m.Dim > math.MaxInt16 || terms > len(data) {
		return fmt.Errorf("%d terms of %d dimensions: %w", terms, m.Dim, ErrDamaged)
	}
	for range terms {
		size := len(data)
		if len(data) >= 2 {
			size = 2 + int(binary.LittleEndian.Uint16(data))
		}
		if size > len(data) || size < 2 {
			return fmt.Errorf("the terms are cut: %w", ErrDamaged)
		}
		m.terms = append(m.terms, string(data[2:size]))
		data = data[size:]
	}
	if uint64(len(data)) != 4*uint64(terms)*(1+uint64(m.Dim)) {
		return fmt.Errorf("%d bytes of numbers for %d terms: %w", len(data), terms, ErrDamaged)
	}
	numbers := make([]float32, len(data)/4)
	for i := range numbers {
		numbers[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if math.Abs(float64(numbers[i])) > math.MaxFloat32 || numbers[i] != numbers[i] {
			return fmt.Errorf("a number is not finite: %w", ErrDamaged)
		}
	}
	m.weights, m.vectors = numbers[:terms:terms], numbers[terms:]
	m.index()
	return nil
}

// ID identifies the model by a checksum of its content.
func (m *Model) ID() string {
	sum := sha256.Sum256(m.Encode())
	return hex.EncodeToString(sum[:8])
}
