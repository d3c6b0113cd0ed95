package search

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
)

// packing encodes values compactly or, where reading is set, decodes them, so that one function describes a format:
// numbers as unsigned varints; a text that was written before as its number among the texts, from 1; a new text as 0,
// its length and its bytes. It decodes only finite scores. After a decoding error, all further values are empty; see
// err. Encoding changes no value.
type packing struct {
	out    []byte
	number map[string]int // of each text in out

	reading bool
	in      []byte
	texts   []string // of in
	damaged bool
}

// packings holds packings for encoding, so that traces reuse their memory.
var packings = sync.Pool{New: func() any { return new(packing) }}

// encoded calls use with the bytes that code encodes. use must not keep them.
func encoded[T any](code func(*packing), use func([]byte) T) T {
	p := packings.Get().(*packing)
	defer func() {
		clear(p.number)
		p.out = p.out[:0]
		packings.Put(p)
	}()
	code(p)
	return use(p.out)
}

// err returns an error if the bytes were damaged or not fully read.
func (p *packing) err() error {
	if p.damaged || len(p.in) > 0 {
		return errors.New("the packed part of the trace is damaged")
	}
	return nil
}

func (p *packing) fail() { p.in, p.damaged = nil, true }

func (p *packing) int(n *int) {
	if !p.reading {
		p.out = binary.AppendUvarint(p.out, uint64(*n))
		return
	}
	x, size := binary.Uvarint(p.in)
	if size <= 0 || x > math.MaxUint32 {
		p.fail()
		x, size = 0, 0
	}
	*n, p.in = int(x), p.in[size:]
}

// size is a number of values, checked against the remaining bytes, since each value takes at least one.
func (p *packing) size(n int) int {
	if p.int(&n); p.reading && n > len(p.in) {
		p.fail()
		return 0
	}
	return n
}

func (p *packing) bytes(s *string) {
	n := p.size(len(*s))
	if !p.reading {
		p.out = append(p.out, *s...)
		return
	}
	*s, p.in = string(p.in[:n]), p.in[n:]
}

func (p *packing) text(s *string) {
	n := p.number[*s]
	switch p.int(&n); {
	case n == 0 && p.reading:
		p.bytes(s)
		p.texts = append(p.texts, *s)
	case n == 0:
		p.bytes(s)
		if p.number == nil {
			p.number = map[string]int{}
		}
		p.number[*s] = len(p.number) + 1
	case !p.reading: // it was written before
	case n > len(p.texts):
		p.fail()
		*s = ""
	default:
		*s = p.texts[n-1]
	}
}

func (p *packing) score(x *float64) {
	if !p.reading {
		p.out = binary.LittleEndian.AppendUint64(p.out, math.Float64bits(*x))
		return
	}
	var bits [8]byte
	p.raw(bits[:])
	if *x = math.Float64frombits(binary.LittleEndian.Uint64(bits[:])); math.IsNaN(*x) || math.IsInf(*x, 0) {
		p.fail()
		*x = 0
	}
}

// raw encodes or decodes a fixed number of bytes.
func (p *packing) raw(b []byte) {
	switch {
	case !p.reading:
		p.out = append(p.out, b...)
	case len(p.in) < len(b):
		p.fail()
	default:
		p.in = p.in[copy(b, p.in):]
	}
}

// mostAtOnce is the maximum number of values to allocate memory for before they are read.
const mostAtOnce = 256

// packList encodes or decodes a list, calling one for each value.
func packList[T any](p *packing, all *[]T, one func(*T)) {
	n := p.size(len(*all))
	if p.reading {
		*all = slices.Grow(*all, min(n, mostAtOnce))
	}
	for i := 0; i < n && !p.damaged; i++ {
		if p.reading {
			*all = append(*all, *new(T))
		}
		one(&(*all)[i])
	}
}

// candidates encodes or decodes the candidates of a trace, with the contributions of every strategy.
func (p *packing) candidates(all *[]Candidate) {
	packList(p, all, func(c *Candidate) {
		p.text(&c.ManualID)
		p.text(&c.Path)
		p.raw(c.Digest[:])
		p.int(&c.Line)
		p.int(&c.EndLine)
		p.text(&c.Title)
		p.score(&c.Score)
		p.score(&c.Likelihood)
		packList(p, &c.Signals, p.text)
		packList(p, &c.Terms, p.text)
		packList(p, &c.Wordings, p.int)
		packList(p, &c.Contributions, p.contribution)
	})
}

func (p *packing) contribution(x *fusion.Contribution) {
	p.text(&x.Source)
	p.int(&x.Rank)
	for _, part := range [...]*float64{&x.Raw, &x.Scaled, &x.Weight, &x.Confidence, &x.Amount} {
		p.score(part)
	}
	p.int(&x.Lists)
	blended := 0
	if x.Blend != nil {
		blended = 1
	}
	if p.int(&blended); blended > 0 {
		if p.reading {
			x.Blend = new(fusion.Blend)
		}
		p.score(&x.Blend.From)
		p.score(&x.Blend.To)
	}
	packList(p, &x.Terms, p.text)
}
