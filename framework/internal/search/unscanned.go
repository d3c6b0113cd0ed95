package search

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// unscannedFile holds the unscanned sections of one file with the same reason. Without lines, the
// whole file is unscanned and its sections are unknown.
type unscannedFile struct {
	ManualID string
	Path     string
	Reason   string
	Digest   digest
	Lines    []uint32
}

// whole reports whether the whole file is unscanned.
func (f unscannedFile) whole() bool { return len(f.Lines) == 0 }

// cut reports whether the sections of the file matched.
func (f unscannedFile) cut() bool { return f.Reason != reasonTime }

// packedFiles is a compact encoding of unscanned files: there may be thousands, and few traces are ever asked for
// them. A file is encoded as its manual and reason, the length of the prefix that its path shares with the previous
// path (at most mostShared), the rest of the path, its digest, the number of its lines and the distance of each
// line from the previous one.
type packedFiles []byte

// mostShared is the maximum length of a shared prefix, which limits how much longer than its encoding a path can be.
const mostShared = 255

// filePacking encodes or decodes one file after another.
type filePacking struct {
	packing
	path string // of the last file
}

func (p *filePacking) file(f *unscannedFile) {
	p.text(&f.ManualID)
	p.text(&f.Reason)
	shared, most := 0, min(len(f.Path), len(p.path), mostShared)
	for shared < most && f.Path[shared] == p.path[shared] {
		shared++
	}
	if p.int(&shared); shared > min(len(p.path), mostShared) {
		p.fail()
		return
	}
	rest := strings.TrimPrefix(f.Path, p.path[:shared])
	if p.bytes(&rest); p.reading {
		f.Path = p.path[:shared] + rest
	}
	p.path = f.Path
	p.raw(f.Digest[:])
	before := uint32(0)
	packList(&p.packing, &f.Lines, func(line *uint32) {
		step := int(*line - before) // wraps around when packed and again when unpacked
		if p.int(&step); p.reading {
			*line = before + uint32(step)
		}
		before = *line
	})
}

// pack encodes the files that a search left out.
func (l leftOut) pack(snap *snapshot.Snapshot) packedFiles {
	var p filePacking
	add := func(sections *roaring.Bitmap, reason string) {
		snap.StartsIn(sections, func(f snapshot.File, lines []uint32) {
			p.file(&unscannedFile{f.Group, f.Path, reason, digest(f.SHA256[:]), lines})
		})
	}
	add(l.cut, l.reason)
	add(l.unexamined, reasonTime)
	for _, f := range l.lacking {
		p.file(&unscannedFile{ManualID: f.Group, Path: f.Path, Reason: reasonTime})
	}
	return p.out
}

// files decodes the files. It fails if the bytes are damaged.
func (p packedFiles) files() (files []unscannedFile, err error) {
	u := filePacking{packing: packing{reading: true, in: p}}
	for len(u.in) > 0 {
		var f unscannedFile
		u.file(&f)
		files = append(files, f)
	}
	return files, u.err()
}
