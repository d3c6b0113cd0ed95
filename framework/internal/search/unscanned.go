package search

import (
	"bytes"
	"encoding/gob"
	"slices"

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

// packedFiles are unscanned files as a trace keeps them, encoded by gob: there may be thousands,
// and few traces are ever asked for them.
type packedFiles []byte

// pack encodes the files of what a search left out.
func (l leftOut) pack(snap *snapshot.Snapshot) (packedFiles, error) {
	var files []unscannedFile
	add := func(sections *roaring.Bitmap, reason string) {
		snap.Starts(sections, func(manual, path string, lines []uint32) {
			files = append(files, unscannedFile{manual, path, reason, slices.Clone(lines)})
		})
	}
	add(l.cut, l.reason)
	add(l.unexamined, reasonTime)
	for _, f := range l.lacking {
		files = append(files, unscannedFile{f.Group, f.Path, reasonTime, nil})
	}
	return pack(files)
}

func pack(files []unscannedFile) (packedFiles, error) {
	var out bytes.Buffer
	err := gob.NewEncoder(&out).Encode(files)
	return out.Bytes(), err
}

// files decodes the files.
func (p packedFiles) files() (files []unscannedFile, err error) {
	err = gob.NewDecoder(bytes.NewReader(p)).Decode(&files)
	return files, err
}
