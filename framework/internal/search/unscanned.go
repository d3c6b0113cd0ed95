package search

import (
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
}

// whole reports whether the file is unscanned as a whole.
func (f unscannedFile) whole() bool { return len(f.Lines) == 0 }

// cut reports whether the sections of the file matched.
func (f unscannedFile) cut() bool { return f.Reason != reasonTime }

// packedFiles are unscanned files as a trace keeps them: there may be thousands, and few traces are
// ever asked for them. A file is its manual, path and reason, then the number of its lines and the distance of each
// from the one before. Of a text it says how many bytes are those that the same text of the file before begins with,
// at most mostShared, and how many follow. All numbers are unsigned varints.
type packedFiles []byte

// mostShared bounds how much longer than what was packed a text becomes.
const mostShared = 255

// filePacker packs one file after another.
type filePacker struct {
	out  packedFiles
	last [3]string
}

func (p *filePacker) add(f unscannedFile) {
	for i, text := range [...]string{f.ManualID, f.Path, f.Reason} {
		shared, most := 0, min(len(text), len(p.last[i]), mostShared)
		for shared < most && text[shared] == p.last[i][shared] {
			shared++
		}
		p.last[i] = text
		p.number(uint32(shared))
		p.number(uint32(len(text) - shared))
		p.out = append(p.out, text[shared:]...)
	}
	p.number(uint32(len(f.Lines)))
	before := uint32(0)
	for _, line := range f.Lines {
		p.number(line - before) // wraps, and back
		before = line
	}
}

func (p *filePacker) number(n uint32) { p.out = binary.AppendUvarint(p.out, uint64(n)) }

// pack encodes the files of what a search left out, and names each to visit.
func (l leftOut) pack(snap *snapshot.Snapshot, visit func(manual, path string)) packedFiles {
	var p filePacker
	add := func(sections *roaring.Bitmap, reason string) {
		snap.Starts(sections, func(manual, path string, lines []uint32) {
			visit(manual, path)
			p.add(unscannedFile{manual, path, reason, lines})
		})
	}
	add(l.cut, l.reason)
	add(l.unexamined, reasonTime)
	for _, f := range l.lacking {
		visit(f.Group, f.Path)
		p.add(unscannedFile{ManualID: f.Group, Path: f.Path, Reason: reasonTime})
	}
	return p.out
}

// files decodes the files; it fails when the bytes are damaged.
func (p packedFiles) files() (files []unscannedFile, err error) {
	var bad error
	damaged := func() { bad, p = errors.New("the unscanned files are damaged"), nil }
	number := func() uint32 {
		n, size := binary.Uvarint(p)
		if size <= 0 || n > math.MaxUint32 {
			damaged()
			return 0
		}
		p = p[size:]
		return uint32(n)
	}
	text := func(before string) string {
		shared, n := number(), number()
		if shared > mostShared || int(shared) > len(before) || int(n) > len(p) {
			damaged()
			return ""
		}
		t := before[:shared] + string(p[:n])
		p = p[n:]
		return t
	}
	var f unscannedFile
	for len(p) > 0 {
		f = unscannedFile{ManualID: text(f.ManualID), Path: text(f.Path), Reason: text(f.Reason)}
		line := uint32(0)
		for range min(int(number()), len(p)) { // a line takes a byte or more
			line += number()
			f.Lines = append(f.Lines, line)
		}
		files = append(files, f)
	}
	return files, bad
}
