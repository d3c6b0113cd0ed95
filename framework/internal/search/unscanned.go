package search

import (
	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// unscannedFile holds the unscanned sections of one file and one reason; without
// lines, the file is unscanned as a whole and its sections are not known.
type unscannedFile struct {
	ManualID string
	Path     string
	Reason   string
	Digest   digest
	Lines    []uint32
}

// whole reports whether the file is unscanned as a whole.
func (f unscannedFile) whole() bool { return len(f.Lines) == 0 }

// cut reports whether the sections of the file matched.
func (f unscannedFile) cut() bool { return f.Reason != reasonTime }

// packedFiles are unscanned files as a trace keeps them: there may be thousands, and few traces are
// ever asked for them. A file is its manual and reason, how many bytes its path shares with the start of the path
// before it, at most mostShared, the rest of the path, its digest, the number of its lines and the distance of each
// from the one before.
type packedFiles []byte

// mostShared bounds how much longer than what was packed a path becomes.
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
		p.number(int(line - before)) // wraps, and back
		before = line
	}
}

// pack encodes the files of what a search left out.
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

// files decodes the files; it fails when the bytes are damaged.
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
