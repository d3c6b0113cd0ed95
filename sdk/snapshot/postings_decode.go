package snapshot

import "encoding/binary"

// decodeShort decodes a short list, which is one block.
func (p *Postings) decodeShort() bool {
	data, doc := p.body, uint64(0)
	for f := range p.fields {
		c := &p.fields[f]
		clear(c.freqs[:p.count])
		c.width, c.unpacked = 0, true
	}
	for i := range p.count {
		gap, n := binary.Uvarint(data)
		if n <= 0 {
			return p.fail("a short list is cut")
		}
		data = data[n:]
		doc += gap >> 1
		if doc >= uint64(p.seg.Len()) || (i > 0 && gap>>1 == 0) {
			return p.fail("a section id is out of range")
		}
		p.docs[i] = uint32(doc)
		used, ok := p.decodeFreqs(data, i, gap&1 == 1)
		if !ok {
			return p.fail("a short list is cut")
		}
		data = data[used:]
	}
	p.Docs = p.docs[:p.count]
	return true
}

// decodeFreqs decodes the frequencies of entry i of a short list and returns the number of bytes read.
func (p *Postings) decodeFreqs(data []byte, i int, explicit bool) (int, bool) {
	if !explicit {
		p.setFreq(len(p.fields)-1, i, 1)
		return 0, true
	}
	if len(data) < 1+len(p.fields) { // the slack after the lists is longer
		return 0, false
	}
	mask, used := data[0], 1
	for f := range p.fields {
		if mask>>f&1 == 1 {
			p.setFreq(f, i, data[used])
			used++
		}
	}
	return used, true
}

func (p *Postings) setFreq(f, i int, n uint8) {
	p.fields[f].freqs[i] = n
	p.fields[f].width = 8
}

// decodeBlock decodes the current block of a long list.
func (p *Postings) decodeBlock() bool {
	data, ok := p.blockData()
	if !ok {
		return p.fail("a block lies outside of the part")
	}
	n := min(BlockSize, p.count-p.block*BlockSize)
	width, packed, data, ok := cutNumbers(data, n, 32)
	if !ok {
		return p.fail("the sections of a block are cut")
	}
	next := unpackAscending(p.docs[:n], packed, width, p.lowest())
	if next-1 != uint64(p.last(p.block)) || next > uint64(p.seg.Len()) { // ids ascend, so the last is the greatest
		return p.fail("the sections of a block do not end where they should")
	}
	for f := range p.fields {
		c := &p.fields[f]
		c.unpacked = false
		if c.width, c.packed, data, ok = cutNumbers(data, n, 8); !ok {
			return p.fail("the frequencies of a block are cut")
		}
	}
	p.Docs = p.docs[:n]
	return true
}

// blockData returns the current block followed by the slack.
func (p *Postings) blockData() ([]byte, bool) {
	start := uint32(0)
	if p.block > 0 {
		start = binary.LittleEndian.Uint32(p.row(p.block - 1)[4:])
	}
	end := binary.LittleEndian.Uint32(p.row(p.block)[4:])
	if start > end || uint64(end)+slack > uint64(len(p.body)) {
		return nil, false
	}
	return p.body[start : end+slack], true
}

// lowest returns the lowest section id that the current block may contain.
func (p *Postings) lowest() uint64 {
	if p.block == 0 {
		return 0
	}
	return uint64(p.last(p.block-1)) + 1
}

// cutNumbers splits n packed numbers off the start of data. They begin with their width, which is
// at most most bits. packed and rest are followed by the slack that unpack needs.
func cutNumbers(data []byte, n, most int) (width int, packed, rest []byte, ok bool) {
	if len(data) < 1+slack || int(data[0]) > most {
		return 0, nil, nil, false
	}
	width, data = int(data[0]), data[1:]
	size := packedSize(n, width)
	if len(data) < size+slack {
		return 0, nil, nil, false
	}
	return width, data, data[size:], true
}
