package vector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// Set contains vectors of one dimension by row. A row that was never put is the zero vector.
type Set struct {
	dim    int
	codes  []byte    // a row for each vector, see stride
	scales []float32 // a component is its code minus zero, times the scale of its row
}

// Codes range from −127 to 127 and are stored as unsigned bytes, as products of eight at a time require, see [Query].
const (
	mostCode = 127
	zero     = 128
)

// stride returns the length of a row of codes: whole words, padded with zero.
func stride(dim int) int { return (dim + 7) &^ 7 }

// NewSet returns a Set of rows zero vectors.
func NewSet(dim, rows int) *Set {
	return &Set{dim: dim, codes: make([]byte, stride(dim)*rows), scales: make([]float32, rows)}
}

// Dim returns the dimension.
func (s *Set) Dim() int { return s.dim }

// Len returns the number of rows.
func (s *Set) Len() int { return len(s.scales) }

// Put quantises v into a row. v must be finite and have the set's dimension. Each component is rounded to the nearest
// of 255 steps between plus and minus the greatest one. Different goroutines may put different rows concurrently.
func (s *Set) Put(row int, v []float32) {
	codes := s.row(row)
	var most float32
	for _, x := range v {
		most = max(most, x, -x)
	}
	s.scales[row] = most / mostCode
	for i := range codes {
		codes[i] = zero
		if i < len(v) && s.scales[row] > 0 {
			codes[i] = byte(zero + int(math.RoundToEven(float64(v[i])/float64(most)*mostCode)))
		}
	}
}

// Append adds a row with v, quantised as by [Set.Put].
func (s *Set) Append(v []float32) {
	s.codes = append(s.codes, make([]byte, stride(s.dim))...)
	s.scales = append(s.scales, 0)
	s.Put(len(s.scales)-1, v)
}

// At returns the vector of a row as stored.
func (s *Set) At(row int) []float32 {
	out := make([]float32, s.dim)
	for i, c := range s.row(row)[:s.dim] {
		out[i] = float32(int(c)-zero) * s.scales[row]
	}
	return out
}

// AddTo adds weight times the vector of a row, as stored, to sum.
func (s *Set) AddTo(sum []float32, row int, weight float32) {
	weight *= s.scales[row]
	for i, c := range s.row(row)[:s.dim] {
		sum[i] += float32(int(c)-zero) * weight
	}
}

func (s *Set) row(i int) []byte {
	n := stride(s.dim)
	return s.codes[i*n : (i+1)*n : (i+1)*n]
}

// Normalise scales v to length 1, in place. It returns false if the length is 0.
func Normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(sum > 1e-20) {
		return false
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
	return true
}

const (
	magic      = "sagasuV\x01"
	headerSize = len(magic) + 8 // the dimension and the number of rows follow the magic
	sumSize    = 4              // CRC-32C of everything before it
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged means that data is not a complete set of vectors.
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

// Decode decodes the output of WriteTo. The set keeps data, which must not change. Errors wrap [ErrDamaged].
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
