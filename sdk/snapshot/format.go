package snapshot

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"unsafe"
)

// FormatVersion is the version of the snapshot file format. Files of other versions are not read.
const FormatVersion = 5

const (
	magic      = "sagasu\x1fS"
	headerSize = 16 // magic, version, zero
	entrySize  = 24 // part id, CRC-32C, offset, length
	footerSize = 32 // table offset, number of parts, CRC-32C of the table, file size, magic
	alignment  = 8
	maxTerm    = 255     // longest key of the term dictionary in bytes
	maxKeyword = 1 << 13 // longest keyword in bytes; file keywords hold a path
)

// MaxFields is the maximum number of fields of a schema.
const MaxFields = 8

// partID identifies a part of a segment: its kind, and the field for parts that exist once per field.
type partID uint32

const (
	partMeta       partID = iota + 1 // JSON of segmentMeta
	partSections                     // sectionRow per section
	partTitles                       // list of strings
	partFiles                        // fileRow per file
	partFileGroups                   // list of strings
	partFilePaths                    // list of strings
	partFileSkips                    // list of strings
	partTerms                        // FST from term to offset in partPostings
	partPostings                     // see appendList
	partKeywords                     // FST from keyword to offset in partBitmaps
	partBitmaps                      // length and portable roaring bitmap each
	partSources                      // list of strings, per field
	partNormalized                   // list of strings, per field
	partLengths                      // uint16 per section, per field
	stringOffsets  partID = 1 << 16  // flag: the offsets of a list of strings
	fieldShift            = 8
)

var partNames = map[partID]string{
	partMeta: "meta", partSections: "sections", partTitles: "titles", partFiles: "files",
	partFileGroups: "file groups", partFilePaths: "file paths", partFileSkips: "file skips",
	partTerms: "terms", partPostings: "postings", partKeywords: "keywords", partBitmaps: "bitmaps",
	partSources: "sources", partNormalized: "normalized", partLengths: "lengths",
}

// of returns the part for a field.
func (p partID) of(field int) partID { return p | partID(field)<<fieldShift }

// String names the part in errors.
func (p partID) String() string {
	name, ok := partNames[p&(1<<fieldShift-1)]
	if !ok {
		return fmt.Sprintf("part %#x", uint32(p))
	}
	return name
}

// segmentMeta describes a segment as a whole.
type segmentMeta struct {
	Kind     Kind     `json:"kind"`
	Fields   []string `json:"fields"`
	Sections uint32   `json:"sections"`
	Files    uint32   `json:"files"`
	Tokens   []uint64 `json:"tokens"` // sum of the lengths, per field; after tombstones are read, of the live sections only
}

// sectionRow is a section as stored.
type sectionRow struct {
	File, Start, End, OwnEnd, Body, Parent uint32
	Node, Level                            uint8
	_                                      [2]uint8
}

// fileRow is a file as stored. Its sections are [First, First+Count).
type fileRow struct {
	Size, ModTime, ChangeTime int64
	Inode                     uint64
	SHA256                    [32]byte
	First, Count              uint32
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// partEntry is a row of the table of parts.
type partEntry struct {
	id          partID
	crc         uint32 // of the part and its padding
	offset, len uint64
}

func appendEntry(b []byte, e partEntry) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(e.id))
	b = binary.LittleEndian.AppendUint32(b, e.crc)
	b = binary.LittleEndian.AppendUint64(b, e.offset)
	return binary.LittleEndian.AppendUint64(b, e.len)
}

func decodeEntry(b []byte) partEntry {
	le := binary.LittleEndian
	return partEntry{partID(le.Uint32(b)), le.Uint32(b[4:]), le.Uint64(b[8:]), le.Uint64(b[16:])}
}

// aligned rounds n up to the alignment of parts.
func aligned(n uint64) uint64 { return (n + alignment - 1) &^ (alignment - 1) }

// view reads data in place as n values of T, a type without pointers.
func view[T any](data []byte, n int) ([]T, bool) {
	var zero T
	if uint64(len(data)) != uint64(n)*uint64(unsafe.Sizeof(zero)) {
		return nil, false
	}
	if n == 0 {
		return nil, true
	}
	first := unsafe.Pointer(unsafe.SliceData(data))
	if uintptr(first)%unsafe.Alignof(zero) != 0 {
		return nil, false
	}
	return unsafe.Slice((*T)(first), n), true
}

// bytesOf returns the memory of rows. It is the inverse of view.
func bytesOf[T any](rows []T) []byte {
	var zero T
	first := (*byte)(unsafe.Pointer(unsafe.SliceData(rows)))
	return unsafe.Slice(first, len(rows)*int(unsafe.Sizeof(zero)))
}

// viewString reads data in place as a string.
func viewString(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// viewBytes reads s in place; the result must not be written to.
func viewBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
