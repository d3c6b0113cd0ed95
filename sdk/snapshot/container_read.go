package snapshot

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// parts are the parts of an opened segment file.
type parts struct {
	*damage
	data   map[partID][]byte
	crc    uint32 // checksum of the table
	verify bool
	err    error // the first error in get, rows or strings
}

// openParts checks the frame of a segment file and, with verify, the checksum of every part.
// Together they cover every byte of the file.
func openParts(data []byte, d *damage, verify bool) (*parts, error) {
	if err := checkHeader(data, d); err != nil {
		return nil, err
	}
	foot := data[len(data)-footerSize:]
	le := binary.LittleEndian
	start, count := le.Uint64(foot), uint64(le.Uint32(foot[8:]))
	tableEnd := uint64(len(data) - footerSize)
	if start > tableEnd || tableEnd-start != count*entrySize {
		return nil, d.errorf("footer", "a table of %d parts at %d does not fit", count, start)
	}
	table := data[start:tableEnd]
	p := &parts{damage: d, data: make(map[partID][]byte, count), crc: le.Uint32(foot[12:]), verify: verify}
	if crc32.Checksum(table, castagnoli) != p.crc {
		return nil, d.errorf("table", "checksum differs")
	}
	return p, p.fill(data[:start], table)
}

// checkHeader checks the fixed bytes at both ends of a segment file.
func checkHeader(data []byte, d *damage) error {
	if len(data) < headerSize+footerSize {
		return d.errorf("header", "%d bytes are too few", len(data))
	}
	le := binary.LittleEndian
	foot := data[len(data)-footerSize:]
	switch {
	case string(data[:len(magic)]) != magic || le.Uint32(data[12:]) != 0:
		return d.errorf("header", "not a segment file")
	case le.Uint32(data[8:]) != FormatVersion:
		return d.foreign("header", int(le.Uint32(data[8:])))
	case string(foot[24:]) != magic || le.Uint64(foot[16:]) != uint64(len(data)):
		return d.errorf("footer", "the file was cut or extended")
	}
	return nil
}

// fill reads the table. Parts must follow one another without gaps.
func (p *parts) fill(body, table []byte) error {
	next := uint64(headerSize)
	for ; len(table) > 0; table = table[entrySize:] {
		e := decodeEntry(table)
		if e.offset != next || e.len > uint64(len(body))-next {
			return p.errorf(e.id.String(), "lies outside of the file")
		}
		next = e.offset + aligned(e.len)
		if next > uint64(len(body)) {
			return p.errorf(e.id.String(), "lies outside of the file")
		}
		if p.verify && crc32.Checksum(body[e.offset:next], castagnoli) != e.crc {
			return p.errorf(e.id.String(), "checksum differs")
		}
		p.data[e.id] = body[e.offset : e.offset+e.len : e.offset+e.len]
	}
	if next != uint64(len(body)) {
		return p.errorf("table", "bytes belong to no part")
	}
	return nil
}

// fail records the first error.
func (p *parts) fail(id partID, format string, args ...any) {
	if p.err == nil {
		p.err = p.errorf(id.String(), format, args...)
	}
}

// get returns a part that must exist.
func (p *parts) get(id partID) []byte {
	data, ok := p.data[id]
	if !ok {
		p.fail(id, "part is missing")
	}
	return data
}

// rows returns a part as n rows of T.
func rows[T any](p *parts, id partID, n int) []T {
	data := p.get(id)
	out, ok := view[T](data, n)
	if !ok {
		p.fail(id, "%d bytes do not hold %d rows", len(data), n)
	}
	return out
}

// stringList is a list of strings in mapped memory.
type stringList struct {
	id      partID
	offsets []uint32
	data    []byte
	damage  *damage
}

func (p *parts) strings(id partID, n int) stringList {
	l := stringList{id, rows[uint32](p, id|stringOffsets, n+1), p.get(id), p.damage}
	if p.err != nil {
		return l
	}
	if l.offsets[0] != 0 || uint64(l.offsets[n]) != uint64(len(l.data)) {
		p.fail(id, "offsets do not span the text")
	}
	if p.verify && !slices.IsSorted(l.offsets) {
		p.fail(id, "offsets descend")
	}
	return l
}

// at returns string i, which must be in range, or "" if its offsets are damaged.
func (l *stringList) at(i int) string {
	start, end := l.offsets[i], l.offsets[i+1]
	if start > end || uint64(end) > uint64(len(l.data)) {
		l.damage.note(l.id.String(), "row %d lies outside of the text", i)
		return ""
	}
	return viewString(l.data[start:end])
}
