package main

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"math"
	"slices"
)

// A part's file contains the magic, then as unsigned varints the number of sections and their lengths, the number of
// terms, and each term (its length, bytes, number of postings, and each posting as the difference from the previous
// section and the count), and finally the CRC-32C of everything before.
const (
	magic   = "sagasuM\x01"
	sumSize = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errDamaged = errors.New("a damaged file of morphemes")

func (p *part) encode() []byte {
	out := binary.AppendUvarint([]byte(magic), uint64(len(p.Lengths)))
	for _, n := range p.Lengths {
		out = binary.AppendUvarint(out, uint64(n))
	}
	out = binary.AppendUvarint(out, uint64(len(p.Terms)))
	for _, term := range slices.Sorted(maps.Keys(p.Terms)) {
		out = binary.AppendUvarint(out, uint64(len(term)))
		out = append(out, term...)
		out = binary.AppendUvarint(out, uint64(len(p.Terms[term])))
		last := uint32(0)
		for _, x := range p.Terms[term] {
			out = binary.AppendUvarint(out, uint64(x.Local-last))
			out = binary.AppendUvarint(out, uint64(x.Count))
			last = x.Local
		}
	}
	return sealed(out)
}

// sealed returns data followed by its checksum.
func sealed(data []byte) []byte {
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

// decode decodes a part for a segment with that number of sections. Errors are errDamaged.
func decode(data []byte, sections uint32) (*part, error) {
	if len(data) < len(magic)+sumSize || string(data[:len(magic)]) != magic {
		return nil, errDamaged
	}
	body, sum := data[:len(data)-sumSize], data[len(data)-sumSize:]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return nil, errDamaged
	}
	r := &reader{rest: body[len(magic):]}
	if r.number() != uint64(sections) {
		return nil, errDamaged
	}
	p := &part{Lengths: make([]uint32, sections), Terms: map[string][]posting{}}
	for i := range p.Lengths {
		p.Lengths[i] = uint32(r.number())
	}
	for n := r.number(); n > 0 && !r.broken; n-- {
		term := string(r.bytes(r.number()))
		p.Terms[term] = r.postings(sections)
	}
	if r.broken || len(r.rest) > 0 {
		return nil, errDamaged
	}
	return p, nil
}

// reader reads numbers and bytes from a file. After an error it returns zeros.
type reader struct {
	rest   []byte
	broken bool
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.broken = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.broken = true
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

// postings reads an ascending list of sections below a bound.
func (r *reader) postings(bound uint32) []posting {
	n := r.number()
	if n > uint64(bound) || n > uint64(len(r.rest)) {
		r.broken = true
		return nil
	}
	out, last := make([]posting, n), uint64(0)
	for i := range out {
		step, count := r.number(), r.number()
		last += step
		if step >= uint64(bound) || last >= uint64(bound) || i > 0 && step == 0 || count == 0 {
			r.broken = true
			return nil
		}
		out[i] = posting{uint32(last), uint32(min(count, math.MaxUint32))}
	}
	return out
}
