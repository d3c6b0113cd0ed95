package search

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// unscannedFile holds the unscanned sections of one file and one reason; without
// lines, the file is unscanned as a whole and its sections are not known.
type unscannedFile struct {
	ManualID string
	Path     string
	Reason   string
	Lines    []uint32
	Ranks    []uint32 // of the sections among all that were cut, from 1; 0 for those that have no score
}

// whole reports whether the file is unscanned as a whole.
func (f unscannedFile) whole() bool { return len(f.Lines) == 0 }

// packedFiles are unscanned files as a trace keeps them: there may be thousands, and few traces are
// ever asked for them. A file is its manual, path and reason, each behind its length, then the
// number of its lines and each line with its rank, all numbers as unsigned varints.
type packedFiles []byte

// pack encodes the files of what a search left out, and names each to visit. ctx bounds the ranking of what was cut.
func (l leftOut) pack(
	ctx context.Context, snap *snapshot.Snapshot, visit func(manual, path string),
) (packed packedFiles) {
	add := func(sections *roaring.Bitmap, reason string, ranks []uint32) {
		snap.Starts(sections, func(manual, path string, lines []uint32) {
			visit(manual, path)
			packed = packed.with(unscannedFile{manual, path, reason, lines, ranks[:len(lines)]})
			ranks = ranks[len(lines):] // both ascend by section
		})
	}
	add(l.cut, l.reason, l.ranks(ctx, snap))
	add(l.unexamined, reasonTime, make([]uint32, l.unexamined.GetCardinality()))
	for _, f := range l.lacking {
		visit(f.Group, f.Path)
		packed = packed.with(unscannedFile{ManualID: f.Group, Path: f.Path, Reason: reasonTime})
	}
	return packed
}

func (p packedFiles) with(f unscannedFile) packedFiles {
	for _, text := range []string{f.ManualID, f.Path, f.Reason} {
		p = append(binary.AppendUvarint(p, uint64(len(text))), text...)
	}
	p = binary.AppendUvarint(p, uint64(len(f.Lines)))
	for i, line := range f.Lines {
		p = binary.AppendUvarint(binary.AppendUvarint(p, uint64(line)), uint64(f.Ranks[i]))
	}
	return p
}

// files decodes the files; it fails when the bytes are damaged.
func (p packedFiles) files() (files []unscannedFile, err error) {
	var bad error
	number := func() int {
		n, size := binary.Uvarint(p)
		if size <= 0 || n > math.MaxUint32 {
			bad, p = errors.New("the unscanned files are damaged"), nil
			return 0
		}
		p = p[size:]
		return int(n)
	}
	text := func() string {
		n := min(number(), len(p))
		t := string(p[:n])
		p = p[n:]
		return t
	}
	for len(p) > 0 {
		f := unscannedFile{ManualID: text(), Path: text(), Reason: text()}
		for range min(number(), len(p)) { // a line takes a byte or more
			f.Lines = append(f.Lines, uint32(number()))
			f.Ranks = append(f.Ranks, uint32(number()))
		}
		files = append(files, f)
	}
	return files, bad
}
