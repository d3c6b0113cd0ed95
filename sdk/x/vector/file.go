package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

const (
	magic      = "sagasuV\x01"
	headerSize = len(magic) + 8 // the dimension and the number of rows follow the magic
	sumSize    = 4              // CRC-32C of all before it
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged says that data is no set of vectors, or not a whole one.
var ErrDamaged = errors.New("damaged vectors")

// WriteTo implements io.WriterTo. All numbers are little-endian.
func (s *Set) WriteTo(w io.Writer) (int64, error) {
	head := append(make([]byte, 0, headerSize+4*len(s.scales)), magic...)
	head = binary.LittleEndian.AppendUint32(head, uint32(s.dim))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(s.scales)))
	for _, x := range s.scales {
		head = binary.LittleEndian.AppendUint32(head, math.Float32bits(x))
	}
	sum := crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, s.codes)
	var written int64
	for _, b := range [][]byte{head, s.codes, binary.LittleEndian.AppendUint32(nil, sum)} {
		n, err := w.Write(b)
		written += int64(n)
		if err != nil {
			return written, fmt.Errorf("write vectors: %w", err)
		}
	}
	return written, nil
}

// Decode reads what WriteTo wrote. The set keeps data, which must not change.
// Errors wrap [ErrDamaged].
func Decode(data []byte) (*Set, error) {
	if len(data) < headerSize+sumSize || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%d bytes without the magic number: %w", len(data), ErrDamaged)
	}
	dim, rows := binary.LittleEndian.Uint32(data[len(magic):]), binary.LittleEndian.Uint32(data[len(magic)+4:])
	body := data[headerSize : len(data)-sumSize]
	if dim > math.MaxInt16 || uint64(len(body)) != uint64(rows)*(4+uint64(stride(int(dim)))) {
		return nil, fmt.Errorf("%d bytes for %d rows of %d: %w", len(data), rows, dim, ErrDamaged)
	}
	if crc32.Checksum(data[:len(data)-sumSize], castagnoli) != binary.LittleEndian.Uint32(data[len(data)-sumSize:]) {
		return nil, fmt.Errorf("the checksum differs: %w", ErrDamaged)
	}
	s := &Set{dim: int(dim), scales: make([]float32, rows)}
	for i := range s.scales {
		s.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
		if !(s.scales[i] >= 0 && s.scales[i] <= math.MaxFloat32) {
			return nil, fmt.Errorf("row %d has no scale: %w", i, ErrDamaged)
		}
	}
	s.codes = body[4*len(s.scales):]
	return s, nil
}
