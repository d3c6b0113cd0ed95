package doublebyte

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"sync"
)

// Set is a set of characters that are encoded in two bytes each.
type Set int

// The sets of characters.
const (
	GBK Set = iota
	KSX1001
	Big5
	JIS
	JIS0212
	Sets
)

// Each byte of a character is between these two; the second byte is at least firstTrail.
const (
	firstLead  = 0x81
	firstTrail = 0x40
	last       = 0xfe
	trails     = last - firstTrail + 1
	size       = (last - firstLead + 1) * trails
)

//go:generate go run ../mkdata tables tables.bin
//go:embed tables.bin
var packed []byte

// tables are the characters of each set, followed by the four-byte codes of GB 18030.
var tables = sync.OnceValue(func() [Sets + 1][]rune {
	in, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic("the tables of encodings are damaged: " + err.Error()) // they are part of the program
	}
	var out [Sets + 1][]rune
	for i := range out {
		out[i], in = unpack(in)
	}
	return out
})

// Pack appends a table as runs of consecutive characters.
func Pack(out []byte, table []rune) []byte {
	out = binary.AppendUvarint(out, uint64(len(table)))
	next := rune(0)
	for i := 0; i < len(table); {
		n := 1
		if table[i] == 0 {
			for i+n < len(table) && table[i+n] == 0 {
				n++
			}
			out = binary.AppendUvarint(append(out, 0), uint64(n))
		} else {
			out = binary.AppendUvarint(out, zigzag(table[i]-next)+1)
			next = table[i] + 1
		}
		i += n
	}
	return out
}

func zigzag(n rune) uint64 { return uint64(uint32(n<<1) ^ uint32(n>>31)) }

// unpack is the inverse of Pack.
func unpack(in []byte) (table []rune, rest []byte) {
	read := func() uint64 {
		v, n := binary.Uvarint(in)
		in = in[n:]
		return v
	}
	table = make([]rune, read())
	next := rune(0)
	for i := 0; i < len(table); {
		v := read()
		if v == 0 {
			i += int(read())
			continue
		}
		v--
		next += rune(v>>1) ^ -rune(v&1)
		table[i] = next
		next++
		i++
	}
	return table, in
}
