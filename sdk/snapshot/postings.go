package snapshot

import (
	"encoding/binary"
	"sort"
)

// BlockSize is the most sections in one block of postings.
const BlockSize = 128

// Postings walks the sections that hold a term, block by block. It is not safe
// for concurrent use.
type Postings struct {
	// Docs are the block's local section ids, ascending.
	Docs []uint32

	seg   *Segment
	count int
	block int    // the current block, -1 before the first
	rows  []byte // one row per block; empty for a short list
	body  []byte // the blocks and everything after them

	docs   [BlockSize]uint32
	fields []column
}

// column holds a block's frequencies in one field. They stay packed until all of them are
// requested.
type column struct {
	width    int // bits of a number, 0 if all are zero
	packed   []byte
	unpacked bool
	freqs    [BlockSize]uint8
}

// rowSize is the size of a block's row: its last section and where its data ends.
const rowSize = 8

// open positions p before the first block of the list at data.
func (p *Postings) open(g *Segment, data []byte) bool {
	count, n := binary.Uvarint(data)
	if n <= 0 || count == 0 || count > uint64(g.Len()) {
		g.damage.note(partPostings.String(), "a list of %d sections", count)
		return false
	}
	p.seg, p.count, p.block = g, int(count), -1
	p.Docs, p.rows, p.body = nil, nil, data[n:]
	if cap(p.fields) < len(g.lengths) {
		p.fields = make([]column, len(g.lengths))
	}
	p.fields = p.fields[:len(g.lengths)]
	if p.count <= shortMax {
		return true
	}
	size := p.blocks() * rowSize
	if size > len(p.body) {
		return p.fail("the rows of a list are cut")
	}
	p.rows, p.body = p.body[:size], p.body[size:]
	return true
}

// Len returns the number of sections in the whole list.
func (p *Postings) Len() int { return p.count }

// Fields returns the number of fields.
func (p *Postings) Fields() int { return len(p.fields) }

// Freqs returns how often the term occurs in a field of each of Docs, or nil if never. Frequencies
// saturate at 255. The next block overwrites the result.
func (p *Postings) Freqs(field int) []uint8 {
	c := &p.fields[field]
	if c.width == 0 {
		return nil
	}
	freqs := c.freqs[:len(p.Docs)]
	if !c.unpacked {
		unpack(freqs, c.packed, c.width)
		c.unpacked = true
	}
	return freqs
}

// Freq returns Freqs(field)[i], or 0 if that is nil. It is faster for callers that need only a few frequencies.
func (p *Postings) Freq(field, i int) uint8 {
	c := &p.fields[field]
	switch {
	case c.width == 0:
		return 0
	case c.unpacked:
		return c.freqs[i]
	}
	bit := i * c.width
	word := binary.LittleEndian.Uint16(c.packed[bit>>3:])
	return uint8(word>>(bit&7)) & (1<<c.width - 1)
}

// blocks returns the number of blocks of the list.
func (p *Postings) blocks() int { return (p.count + BlockSize - 1) / BlockSize }

// Next decodes the next block. It returns false at the end.
func (p *Postings) Next() bool {
	if p.block+1 >= p.blocks() {
		p.end()
		return false
	}
	p.block++
	if p.rows == nil {
		return p.decodeShort()
	}
	return p.decodeBlock()
}

// NextAt decodes the first block, at or after the current one, whose last section is ≥ doc. It does
// not decode the blocks in between. It returns false if there is no such block.
func (p *Postings) NextAt(doc uint32) bool {
	if n := len(p.Docs); n > 0 && p.Docs[n-1] >= doc {
		return true
	}
	if p.rows != nil {
		p.block = p.find(doc) - 1
		return p.Next()
	}
	if !p.Next() || p.Docs[len(p.Docs)-1] < doc {
		p.end()
		return false
	}
	return true
}

// find returns the index of the first block, at or after the current one, whose last section is ≥
// doc, or the number of blocks.
func (p *Postings) find(doc uint32) int {
	from := max(p.block, 0)
	if from >= p.blocks() || p.last(from) >= doc {
		return from
	}
	return from + sort.Search(p.blocks()-from, func(i int) bool { return p.last(from+i) >= doc })
}

func (p *Postings) row(i int) []byte {
	return p.rows[i*rowSize : (i+1)*rowSize]
}

// last returns the last section of block i.
func (p *Postings) last(i int) uint32 { return binary.LittleEndian.Uint32(p.row(i)) }

// fail records a corruption, ends the list and returns false.
func (p *Postings) fail(reason string) bool {
	p.seg.damage.note(partPostings.String(), "%s", reason)
	p.end()
	return false
}

func (p *Postings) end() {
	p.block = p.blocks()
	p.Docs = nil
}
