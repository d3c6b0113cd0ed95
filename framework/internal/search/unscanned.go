package search

import (
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

// filePacker packs one file after another.
type filePacker struct {
	packing
	path string // of the last file
}

func (p *filePacker) add(f unscannedFile) {
	shared, most := 0, min(len(f.Path), len(p.path), mostShared)
	for shared < most && f.Path[shared] == p.path[shared] {
		shared++
	}
	p.path = f.Path
	p.text(f.ManualID)
	p.text(f.Reason)
	p.number(shared)
	p.bytes(f.Path[shared:])
	p.out = append(p.out, f.Digest[:]...)
	p.number(len(f.Lines))
	before := uint32(0)
	for _, line := range f.Lines {
		p.number(int(line - before)) // wraps around when packed and again when unpacked
		before = line
	}
}

// pack encodes the files that a search left out.
func (l leftOut) pack(snap *snapshot.Snapshot) packedFiles {
	var p filePacker
	add := func(sections *roaring.Bitmap, reason string) {
		snap.StartsIn(sections, func(f snapshot.File, lines []uint32) {
			p.add(unscannedFile{f.Group, f.Path, reason, digest(f.SHA256[:]), lines})
		})
	}
	add(l.cut, l.reason)
	add(l.unexamined, reasonTime)
	for _, f := range l.lacking {
		p.add(unscannedFile{ManualID: f.Group, Path: f.Path, Reason: reasonTime})
	}
	return p.out
}

// files decodes the files. It fails if the bytes are damaged.
func (p packedFiles) files() (files []unscannedFile, err error) {
	u, path := unpacking{in: p}, ""
	for len(u.in) > 0 {
		f := unscannedFile{ManualID: u.text(), Reason: u.text()}
		shared := u.number()
		if shared > min(len(path), mostShared) {
			u.fail()
			break
		}
		path = path[:shared] + u.bytes()
		f.Path, f.Digest = path, u.digest()
		line := uint32(0)
		for range u.count() {
			line += uint32(u.number())
			f.Lines = append(f.Lines, line)
		}
		files = append(files, f)
	}
	return files, u.err()
}
