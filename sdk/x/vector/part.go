package vector

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// Part contains the vectors of consecutive sections from Base on.
type Part struct {
	Base uint32
	Set  *Set
	// First contains the first row of each section and, at the end, the number of rows: a section may have several
	// vectors, or none. nil means that row r is section Base+r.
	First []uint32
}

// Sections returns the number of sections.
func (p Part) Sections() int {
	if p.First == nil {
		return p.Set.Len()
	}
	return len(p.First) - 1
}

// rows returns the rows of a section, counted from Base.
func (p Part) rows(section uint32) (from, to uint32) {
	if p.First == nil {
		return section, section + 1
	}
	return p.First[section], p.First[section+1]
}

// Section returns the vectors of a section, counted from Base, as a separate part that shares them: the first vectors
// that fit in most bytes, but at least one.
func (p Part) Section(section uint32, most int) Part {
	from, to := p.rows(section)
	n := uint32(stride(p.Set.dim))
	to = min(to, from+max(1, uint32(most)/(n+4)))
	return Part{
		Base: p.Base + section, First: []uint32{0, to - from},
		Set: &Set{dim: p.Set.dim, codes: p.Set.codes[from*n : to*n], scales: p.Set.scales[from:to]},
	}
}

// Join combines consecutive parts. Empty sets may have another dimension.
func Join(parts []Part) Part {
	dim, rows := 0, 0
	for _, p := range parts {
		dim, rows = max(dim, p.Set.dim), rows+p.Set.Len()
	}
	out := Part{Set: NewSet(dim, rows), First: []uint32{0}}
	if len(parts) > 0 {
		out.Base = parts[0].Base
	}
	at := 0
	for _, p := range parts {
		if p.Set.dim == dim {
			copy(out.Set.codes[at*stride(dim):], p.Set.codes)
			copy(out.Set.scales[at:], p.Set.scales)
		}
		for section := range uint32(p.Sections()) {
			_, to := p.rows(section)
			out.First = append(out.First, uint32(at)+to)
		}
		at += p.Set.Len()
	}
	return out
}

const partMagic = "sagasuP\x01"

// WriteTo implements io.WriterTo. If First is nil, it writes only the set. It does not write the base.
func (p Part) WriteTo(w io.Writer) (int64, error) {
	if p.First == nil {
		return p.Set.WriteTo(w)
	}
	head := binary.LittleEndian.AppendUint32([]byte(partMagic), uint32(p.Sections()))
	for _, row := range p.First[1:] {
		head = binary.LittleEndian.AppendUint32(head, row)
	}
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
	n, err := w.Write(head)
	if err != nil {
		return int64(n), fmt.Errorf("write vectors: %w", err)
	}
	more, err := p.Set.WriteTo(w)
	return int64(n) + more, err
}

// DecodePart decodes the output of [Part.WriteTo], with base 0. The part keeps data, which must not change. Errors wrap
// [ErrDamaged].
func DecodePart(data []byte) (*Part, error) {
	p := &Part{}
	if len(data) >= len(partMagic)+4 && string(data[:len(partMagic)]) == partMagic {
		n := uint64(binary.LittleEndian.Uint32(data[len(partMagic):]))
		head := uint64(len(partMagic)) + 4 + 4*n
		if uint64(len(data)) < head+sumSize {
			return nil, fmt.Errorf("%d bytes for %d sections: %w", len(data), n, ErrDamaged)
		}
		if crc32.Checksum(data[:head], castagnoli) != binary.LittleEndian.Uint32(data[head:]) {
			return nil, fmt.Errorf("the checksum of the sections differs: %w", ErrDamaged)
		}
		p.First = make([]uint32, n+1)
		for i := range n {
			p.First[i+1] = binary.LittleEndian.Uint32(data[uint64(len(partMagic))+4+4*i:])
		}
		data = data[head+sumSize:]
	}
	var err error
	if p.Set, err = Decode(data); err != nil {
		return nil, err
	}
	if n := len(p.First); n > 0 && (!slices.IsSorted(p.First) || int(p.First[n-1]) != p.Set.Len()) {
		return nil, fmt.Errorf("the rows of %d sections do not follow each other: %w", n-1, ErrDamaged)
	}
	return p, nil
}
