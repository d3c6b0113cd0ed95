package snapshot

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// write writes the segment and ends the Writer. crc is the checksum of its table.
func (w *Writer) write(out io.Writer) (size int64, crc uint32, err error) {
	if err := w.finish(); err != nil {
		return 0, 0, err
	}
	lengths := w.lengths()
	var index searchParts
	var build guard.Group
	build.Go(func() error { return index.build(w) })
	c := newContainer(out)
	w.writeTables(c, lengths)
	if err := build.Wait(); err != nil {
		return 0, 0, err
	}
	c.bytes(partTerms, index.terms)
	c.bytes(partPostings, index.postings)
	c.bytes(partKeywords, index.keywords)
	c.bytes(partBitmaps, index.bitmaps)
	return c.close()
}

// writeTables writes the parts that need no dictionary.
func (w *Writer) writeTables(c *container, lengths [][]uint16) {
	meta, err := json.Marshal(segmentMeta{
		Kind: w.schema.Kind, Fields: w.schema.Fields,
		Sections: w.Len(), Files: uint32(len(w.files)), Tokens: totals(lengths),
	})
	c.err = errors.Join(c.err, err)
	c.bytes(partMeta, meta)
	c.part(partSections, func(out *bufio.Writer) {
		for _, b := range w.batches {
			out.Write(bytesOf(b.rows))
		}
	})
	c.strings(partTitles, w.column(0, 1, func(b *batch) *stringRun { return &b.titles }))
	c.bytes(partFiles, bytesOf(w.fileRows))
	c.strings(partFileGroups, w.fileColumn(func(f *File) string { return f.Group }))
	c.strings(partFilePaths, w.fileColumn(func(f *File) string { return f.Path }))
	c.strings(partFileSkips, w.fileColumn(func(f *File) string { return f.Skipped }))
	for f, fields := 0, len(w.schema.Fields); f < fields; f++ {
		c.strings(partSources.of(f), w.column(f, fields, func(b *batch) *stringRun { return &b.texts }))
		c.strings(partNormalized.of(f), w.column(f, fields, func(b *batch) *stringRun { return &b.norms }))
		c.bytes(partLengths.of(f), bytesOf(lengths[f]))
	}
}

// column yields the strings of one field from all batches.
func (w *Writer) column(field, fields int, of func(*batch) *stringRun) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, b := range w.batches {
			run := of(b)
			for i := field; i < len(run.ends); i += fields {
				if !yield(run.at(i)) {
					return
				}
			}
		}
	}
}

// fileColumn yields one string for each file.
func (w *Writer) fileColumn(of func(*File) string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range w.files {
			if !yield(of(&w.files[i])) {
				return
			}
		}
	}
}

// lengths returns the lengths of the texts, per field and section.
func (w *Writer) lengths() [][]uint16 {
	out := make([][]uint16, len(w.schema.Fields))
	for f := range out {
		out[f] = make([]uint16, 0, w.Len())
		for _, b := range w.batches {
			for i := f; i < len(b.lengths); i += b.fields {
				out[f] = append(out[f], b.lengths[i])
			}
		}
	}
	return out
}

func totals(lengths [][]uint16) []uint64 {
	sums := make([]uint64, len(lengths))
	for f, column := range lengths {
		for _, n := range column {
			sums[f] += uint64(n)
		}
	}
	return sums
}

// searchParts are the parts that answer queries.
type searchParts struct{ terms, postings, keywords, bitmaps []byte }

func (p *searchParts) build(w *Writer) error {
	v := newVocabulary(w.seed, w.batches)
	var offsets []uint64
	var err error
	if p.postings, offsets, err = v.postings(w.batches, len(w.schema.Fields)); err != nil {
		return err
	}
	if p.terms, err = v.dictionary(offsets); err != nil {
		return err
	}
	return p.buildKeywords(w)
}

func (p *searchParts) buildKeywords(w *Writer) error {
	w.addFileKeywords()
	keys := slices.Sorted(maps.Keys(w.keywords))
	offsets := make([]uint64, len(keys))
	for i, k := range keys {
		if len(k) > maxKeyword {
			return fmt.Errorf("keyword of %d bytes, at most %d: %.60q", len(k), maxKeyword, k)
		}
		offsets[i] = uint64(len(p.bitmaps))
		b := w.keywords[k]
		b.RunOptimize()
		data, err := b.ToBytes()
		if err != nil {
			return err
		}
		p.bitmaps = binary.AppendUvarint(p.bitmaps, uint64(len(data)))
		p.bitmaps = append(p.bitmaps, data...)
	}
	var err error
	p.keywords, err = buildFST(len(keys), func(i int) ([]byte, uint64) { return viewBytes(keys[i]), offsets[i] })
	return err
}
