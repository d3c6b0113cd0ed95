package snapshot

import "encoding/binary"

// shortMax is the length of the longest list that is stored without blocks. Most terms of a
// vocabulary occur in very few sections.
const shortMax = 4

// listEncoder encodes the postings of terms, one term after another.
//
// A list starts with the number of its sections as a varint. In a short list, one entry per section follows: a varint
// of twice the difference from the previous section, plus one if a mask of fields and their frequencies come next.
// Otherwise the term occurs once, in the last field. In a longer list, a row per block follows (last section, end of
// the block counted from the first), and then the blocks: width and packed differences, and per field width and packed
// frequencies.
type listEncoder struct {
	docs  []uint32
	freqs [][]uint8 // per field
	gaps  []uint32
	body  []byte
}

func newListEncoder(fields int) *listEncoder { return &listEncoder{freqs: make([][]uint8, fields)} }

// add adds ascending sections; freqs has one row of fields per section.
func (e *listEncoder) add(docs []uint32, freqs []uint8) {
	e.docs = append(e.docs, docs...)
	for f := range e.freqs {
		for i := f; i < len(freqs); i += len(e.freqs) {
			e.freqs[f] = append(e.freqs[f], freqs[i])
		}
	}
}

// appendList appends the collected list to b and starts a new one.
func (e *listEncoder) appendList(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(e.docs)))
	if len(e.docs) <= shortMax {
		b = e.appendShort(b)
	} else {
		b = e.appendBlocks(b)
	}
	e.docs = e.docs[:0]
	for f := range e.freqs {
		e.freqs[f] = e.freqs[f][:0]
	}
	return b
}

func (e *listEncoder) appendShort(b []byte) []byte {
	prev := uint32(0)
	for i, doc := range e.docs {
		mask := byte(0)
		for f := range e.freqs {
			if e.freqs[f][i] > 0 {
				mask |= 1 << f
			}
		}
		gap := uint64(doc-prev) << 1
		prev = doc
		if last := len(e.freqs) - 1; mask == 1<<last && e.freqs[last][i] == 1 {
			b = binary.AppendUvarint(b, gap)
			continue
		}
		b = append(binary.AppendUvarint(b, gap|1), mask)
		for f := range e.freqs {
			if n := e.freqs[f][i]; n > 0 {
				b = append(b, n)
			}
		}
	}
	return b
}

func (e *listEncoder) appendBlocks(b []byte) []byte {
	e.body = e.body[:0]
	next := uint32(0) // the lowest section that may come next
	for from := 0; from < len(e.docs); from += BlockSize {
		to := min(from+BlockSize, len(e.docs))
		e.gaps = e.gaps[:0]
		for _, doc := range e.docs[from:to] {
			e.gaps = append(e.gaps, doc-next)
			next = doc + 1
		}
		e.body = appendNumbers(e.body, e.gaps)
		for f := range e.freqs {
			e.body = appendNumbers(e.body, e.freqs[f][from:to])
		}
		b = binary.LittleEndian.AppendUint32(b, e.docs[to-1])
		b = binary.LittleEndian.AppendUint32(b, uint32(len(e.body)))
	}
	return append(b, e.body...)
}

func appendNumbers[T uint8 | uint32](b []byte, values []T) []byte {
	width := widthOf(values)
	return appendPacked(append(b, byte(width)), values, width)
}
