package static

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Limits for reading: above the largest published models, but within the memory of a strategy.
const (
	mostHeader     = 1 << 20   // bytes of a safetensors header; static models have three tensors
	mostTokens     = 2 << 20   // of a vocabulary
	mostDimensions = 8192      // bytes of all vectors, with one byte per number
	mostVectors    = 512 << 20 // bytes of all vectors, one per number
)

// tensor is an entry of a safetensors header.
type tensor struct {
	Type    string    `json:"dtype"`
	Shape   []int64   `json:"shape"`
	Offsets [2]uint64 `json:"data_offsets"`

	data io.ReaderAt // of the tensor alone
}

// tensors returns the tensors of a safetensors file, by name.
func tensors(f io.ReaderAt, size int64) (map[string]*tensor, error) {
	var head [8]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("no safetensors file: %w", err)
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > mostHeader || int64(n)+8 > size {
		return nil, fmt.Errorf("no safetensors file of a static model: its header would have %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := f.ReadAt(text, 8); err != nil {
		return nil, fmt.Errorf("header of safetensors: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("header of safetensors: %w", err)
	}
	delete(raw, "__metadata__")
	out := map[string]*tensor{}
	for name, row := range raw {
		t := &tensor{}
		if err := json.Unmarshal(row, t); err != nil {
			return nil, fmt.Errorf("tensor %.40q: %w", name, err)
		}
		from, to, room := t.Offsets[0], t.Offsets[1], uint64(size)-8-n
		need, ok := t.bytes()
		if !ok {
			return nil, fmt.Errorf("tensor %.40q has the type %.10q and the shape %v, which is not supported",
				name, t.Type, t.Shape)
		}
		if from > to || to > room || to-from != need {
			return nil, fmt.Errorf("tensor %.40q of %s %v does not fill bytes %d to %d of %d",
				name, t.Type, t.Shape, from, to, room)
		}
		t.data = io.NewSectionReader(f, int64(8+n+from), int64(to-from))
		out[name] = t
	}
	return out, nil
}

// widths are the bytes per number, by type.
var widths = map[string]uint64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1, "I64": 8, "I32": 4}

// bytes returns the size of the numbers. It returns false for an unknown type or an impossible shape.
func (t *tensor) bytes() (uint64, bool) {
	n, ok := widths[t.Type]
	for _, side := range t.Shape {
		if side < 0 || side > math.MaxInt32 || n > math.MaxInt64/uint64(max(side, 1)) {
			return 0, false
		}
		n *= uint64(side)
	}
	return n, ok
}

// rows calls each with every row of a matrix, or with every number of a vector as a row of one number.
func (t *tensor) rows(each func(i int, row []float32) error) error {
	width, dim := int(widths[t.Type]), 1
	if len(t.Shape) > 1 {
		dim = int(t.Shape[1])
	}
	in := bufio.NewReaderSize(io.NewSectionReader(t.data, 0, math.MaxInt64), 1<<20)
	buf, row := make([]byte, width*dim), make([]float32, dim)
	for i := range int(t.Shape[0]) {
		if _, err := io.ReadFull(in, buf); err != nil {
			return err
		}
		for j := range row {
			row[j] = number(t.Type, buf[j*width:])
		}
		if err := each(i, row); err != nil {
			return err
		}
	}
	return nil
}

// number reads a number of a type at the start of b.
func number(kind string, b []byte) float32 {
	le := binary.LittleEndian
	switch kind {
	case "F64":
		return float32(math.Float64frombits(le.Uint64(b)))
	case "F32":
		return math.Float32frombits(le.Uint32(b))
	case "BF16":
		return math.Float32frombits(uint32(le.Uint16(b)) << 16)
	case "F16":
		return half(le.Uint16(b))
	case "I64":
		return float32(int64(le.Uint64(b)))
	case "I32":
		return float32(int32(le.Uint32(b)))
	}
	return float32(int8(b[0]))
}

// half reads an IEEE 754 binary16.
func half(h uint16) float32 {
	sign, exponent, fraction := float32(1), int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * float32(math.Ldexp(fraction, -24))
	case 31:
		if fraction > 0 {
			return float32(math.NaN())
		}
		return sign * float32(math.Inf(1))
	}
	return sign * float32(math.Ldexp(1024+fraction, exponent-25))
}

// matrix reads the vectors of a tensor.
func (t *tensor) matrix() (*vector.Set, error) {
	if len(t.Shape) != 2 || t.Shape[0] == 0 || t.Shape[0] > mostTokens ||
		t.Shape[1] == 0 || t.Shape[1] > mostDimensions ||
		t.Shape[0]*t.Shape[1] > mostVectors {
		return nil, fmt.Errorf("vectors of the shape %v: there may be %d of %d numbers, and %d numbers in all",
			t.Shape, mostTokens, mostDimensions, mostVectors)
	}
	set := vector.NewSet(int(t.Shape[1]), int(t.Shape[0]))
	return set, t.rows(func(i int, row []float32) error { return put(set, i, row) })
}

// put stores a vector if its numbers are finite.
func put(set *vector.Set, i int, v []float32) error {
	for _, x := range v {
		if !(x-x == 0) {
			return fmt.Errorf("vector %d holds a number that is not finite", i)
		}
	}
	set.Put(i, v)
	return nil
}

// list reads a tensor of one dimension with a number for each token.
func (t *tensor) list() ([]float32, error) {
	if len(t.Shape) != 1 || t.Shape[0] > mostTokens {
		return nil, fmt.Errorf("a tensor of the shape %v where one number per token is expected", t.Shape)
	}
	out := make([]float32, 0, t.Shape[0])
	err := t.rows(func(i int, row []float32) error {
		if !(row[0]-row[0] == 0) {
			return fmt.Errorf("number %d is not finite", i)
		}
		out = append(out, row[0])
		return nil
	})
	return out, err
}
