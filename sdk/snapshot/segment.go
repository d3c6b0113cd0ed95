package snapshot

import (
	"encoding/binary"
	"encoding/json"
	"runtime/debug"

	"github.com/RoaringBitmap/roaring/v2"
)

// Segment is an immutable run of sections with ids [Base, Base+Len).
type Segment struct {
	damage  *damage
	base    uint32
	crc     uint32 // checksum of the table of parts
	meta    segmentMeta
	info    SegmentInfo
	dead    *roaring.Bitmap // rows of the file table, nil for none
	deleted *roaring.Bitmap // their sections, nil for none

	rows       []sectionRow
	titles     stringList
	files      []fileRow
	groups     stringList
	paths      stringList
	skips      stringList
	sources    []stringList
	normalized []stringList
	lengths    [][]uint16

	terms    *dictionary
	postings []byte
	keywords *dictionary
	bitmaps  []byte
}

// openSegment reads a segment file in place. Without verify it makes only quick checks; later reads
// check bounds in any case. Unreadable memory, because the file was truncated after it was mapped
// or its disk fails, is reported as a corruption.
func openSegment(file string, data []byte, verify bool) (g *Segment, err error) {
	g = &Segment{damage: &damage{file: file}}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = g.damage.errorf("file", "unreadable: %v", r)
		}
	}()
	return g, g.load(data, verify)
}

func (g *Segment) load(data []byte, verify bool) error {
	p, err := openParts(data, g.damage, verify)
	if err != nil {
		return err
	}
	g.crc = p.crc
	if err := g.loadMeta(p); err != nil {
		return err
	}
	sections, files := int(g.meta.Sections), int(g.meta.Files)
	g.rows = rows[sectionRow](p, partSections, sections)
	g.titles = p.strings(partTitles, sections)
	g.files = rows[fileRow](p, partFiles, files)
	g.groups = p.strings(partFileGroups, files)
	g.paths = p.strings(partFilePaths, files)
	g.skips = p.strings(partFileSkips, files)
	for f := range g.meta.Fields {
		g.sources = append(g.sources, p.strings(partSources.of(f), sections))
		g.normalized = append(g.normalized, p.strings(partNormalized.of(f), sections))
		g.lengths = append(g.lengths, rows[uint16](p, partLengths.of(f), sections))
	}
	g.postings, g.bitmaps = p.get(partPostings), p.get(partBitmaps)
	g.terms = openDictionary(p, partTerms, maxTerm, g.postings)
	g.keywords = openDictionary(p, partKeywords, maxKeyword, g.bitmaps)
	if p.err == nil && verify {
		return g.checkRows()
	}
	return p.err
}

func (g *Segment) loadMeta(p *parts) error {
	data := p.get(partMeta)
	if p.err != nil {
		return p.err
	}
	if err := json.Unmarshal(data, &g.meta); err != nil {
		return p.errorf(partMeta.String(), "%v", err)
	}
	if n := len(g.meta.Fields); n < 1 || n > MaxFields || n != len(g.meta.Tokens) {
		return p.errorf(partMeta.String(), "%d fields", n)
	}
	return nil
}

// checkRows checks the references between sections and files.
func (g *Segment) checkRows() error {
	for i, row := range g.rows {
		if row.File >= g.meta.Files || (row.Parent != None && row.Parent >= uint32(i)) {
			return g.damage.errorf(partSections.String(), "row %d refers to nothing", i)
		}
	}
	for i, f := range g.files {
		if uint64(f.First)+uint64(f.Count) > uint64(len(g.rows)) {
			return g.damage.errorf(partFiles.String(), "row %d has sections beyond the end", i)
		}
	}
	return nil
}

// Base returns the id of the segment's first section.
func (g *Segment) Base() uint32 { return g.base }

// Len returns the number of sections, deleted ones included.
func (g *Segment) Len() uint32 { return uint32(len(g.rows)) }

// Fields returns the names of the text fields, in order. Read only.
func (g *Segment) Fields() []string { return g.meta.Fields }

// Normalized is like [Snapshot.Normalized], but takes a segment-local id and also returns the text of deleted
// sections, so that data computed from a segment stays valid as long as the segment exists. It returns "" for an
// id without a section.
func (g *Segment) Normalized(local uint32, field int) string {
	if local >= g.Len() {
		return ""
	}
	return g.normalized[field].at(int(local))
}

// Deleted returns the segment-local ids of deleted sections, or nil. Do not change the result.
func (g *Segment) Deleted() *roaring.Bitmap { return g.deleted }

// Lengths returns the number of tokens per section of a field, indexed by local id: words, bigrams
// and unigrams that are in no bigram. Lengths saturate at 65,535.
func (g *Segment) Lengths(field int) []uint16 { return g.lengths[field] }

// Postings positions p before term's list and reports whether there is one.
// p may be reused and keeps its buffers.
func (g *Segment) Postings(term string, p *Postings) bool {
	data, ok := g.list(dictionaryKey(term))
	return ok && p.open(g, data)
}

// list returns the encoded list of a key and all bytes after it.
func (g *Segment) list(key string) ([]byte, bool) {
	offset, ok := g.terms.get(key)
	if !ok {
		return nil, false
	}
	return g.listAt(offset)
}

func (g *Segment) listAt(offset uint64) ([]byte, bool) {
	if offset >= uint64(len(g.postings)) {
		g.damage.note(partTerms.String(), "a list lies outside of the postings")
		return nil, false
	}
	return g.postings[offset:], true
}

// docFreq returns the number of live sections in an encoded list.
func (g *Segment) docFreq(list []byte) int {
	n, _ := binary.Uvarint(list)
	return int(min(n, uint64(g.Len()))) - g.deadIn(list)
}

// bitmapAt decodes a bitmap of local ids. It returns an empty one if the bitmap is damaged.
func (g *Segment) bitmapAt(offset uint64) *roaring.Bitmap {
	if offset >= uint64(len(g.bitmaps)) {
		g.damage.note(partKeywords.String(), "a bitmap lies outside of the part")
		return roaring.New()
	}
	data := g.bitmaps[offset:]
	size, n := binary.Uvarint(data)
	if n <= 0 || size > uint64(len(data)-n) {
		g.damage.note(partBitmaps.String(), "a bitmap of %d bytes is cut", size)
		return roaring.New()
	}
	b, err := decodeIDs(data[n:n+int(size)], g.Len())
	if err != nil {
		g.damage.note(partBitmaps.String(), "%v", err)
		return roaring.New()
	}
	return b
}

// Alive returns the section ids of the local ids that are not deleted. It does not change local, but may return it.
func (g *Segment) Alive(local *roaring.Bitmap) *roaring.Bitmap {
	if g.deleted != nil {
		local = roaring.AndNot(local, g.deleted)
	}
	return g.global(local)
}

// global returns the section ids of local ids.
func (g *Segment) global(local *roaring.Bitmap) *roaring.Bitmap {
	if g.base == 0 {
		return local
	}
	all := roaring.AddOffset(local, g.base)
	all.RunOptimize() // AddOffset may leave bitmap containers with too few bits, which cannot be encoded
	return all
}
