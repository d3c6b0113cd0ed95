package search

import (
	"encoding/binary"
	"errors"
	"math"
)

// packing encodes values compactly: numbers as unsigned varints; a text that was written before as its number among
// the texts, from 1; a new text as 0, its length and its bytes.
type packing struct {
	out   []byte
	texts map[string]int
}

func (p *packing) number(n int) { p.out = binary.AppendUvarint(p.out, uint64(n)) }

func (p *packing) bytes(s string) {
	p.number(len(s))
	p.out = append(p.out, s...)
}

func (p *packing) text(s string) {
	n := p.texts[s]
	if p.number(n); n > 0 {
		return
	}
	p.bytes(s)
	if p.texts == nil {
		p.texts = map[string]int{}
	}
	p.texts[s] = len(p.texts) + 1
}

func (p *packing) list(texts []string) {
	p.number(len(texts))
	for _, t := range texts {
		p.text(t)
	}
}

func (p *packing) score(x float64) {
	p.out = binary.LittleEndian.AppendUint64(p.out, math.Float64bits(x))
}

func (p *packing) numbers(all []int) {
	p.number(len(all))
	for _, n := range all {
		p.number(n)
	}
}

func (p *packing) scores(all []float64) {
	p.number(len(all))
	for _, x := range all {
		p.score(x)
	}
}

// unpacking decodes what a packing wrote. It accepts only finite scores. After a decoding error, all further
// values are empty; see err.
type unpacking struct {
	in      []byte
	texts   []string
	damaged bool
}

// err returns an error if the bytes were damaged or not fully read.
func (u *unpacking) err() error {
	if u.damaged || len(u.in) > 0 {
		return errors.New("the packed part of the trace is damaged")
	}
	return nil
}

func (u *unpacking) fail() { u.in, u.damaged = nil, true }

func (u *unpacking) number() int {
	n, size := binary.Uvarint(u.in)
	if size <= 0 || n > math.MaxUint32 {
		u.fail()
		return 0
	}
	u.in = u.in[size:]
	return int(n)
}

// count returns a number of values, checked against the remaining bytes, since each value takes at least one.
func (u *unpacking) count() int {
	n := u.number()
	if n > len(u.in) {
		u.fail()
		return 0
	}
	return n
}

func (u *unpacking) bytes() string {
	n := u.count()
	s := string(u.in[:n])
	u.in = u.in[n:]
	return s
}

func (u *unpacking) text() string {
	switch n := u.number(); {
	case n > len(u.texts):
		u.fail()
		return ""
	case n > 0:
		return u.texts[n-1]
	}
	s := u.bytes()
	u.texts = append(u.texts, s)
	return s
}

func (u *unpacking) list() (out []string) {
	for range u.count() {
		out = append(out, u.text())
	}
	return out
}

func (u *unpacking) score() float64 {
	if len(u.in) < 8 {
		u.fail()
		return 0
	}
	x := math.Float64frombits(binary.LittleEndian.Uint64(u.in))
	if u.in = u.in[8:]; math.IsNaN(x) || math.IsInf(x, 0) {
		u.fail()
		return 0
	}
	return x
}

func (u *unpacking) digest() (d digest) {
	if len(u.in) < len(d) {
		u.fail()
		return digest{}
	}
	u.in = u.in[copy(d[:], u.in):]
	return d
}

func (u *unpacking) numbers() (out []int) {
	for range u.count() {
		out = append(out, u.number())
	}
	return out
}

func (u *unpacking) scores() (out []float64) {
	for range u.count() {
		out = append(out, u.score())
	}
	return out
}
