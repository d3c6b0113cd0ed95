package search

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

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

// packedFiles are unscanned files as a trace keeps them: there may be thousands,
// and few traces are ever asked for them. A file is how much of its name (manual,
// slash and path) is that of the file before, the rest of it, its reason, and its
// lines, each as the distance from the one before.
type packedFiles []byte

// reasons are numbered in packed files.
var reasons = []string{reasonTime, ReasonCap, reasonStage, reasonHard}

// packer packs files one after the other.
type packer struct {
	packed packedFiles
	last   []byte // name
	name   []byte
}

// sections packs the files of sections.
func (p *packer) sections(snap *snapshot.Snapshot, sections *roaring.Bitmap, reason string) {
	number := slices.Index(reasons, reason)
	snap.Starts(sections, func(manual, path string, lines []uint32) { p.add(manual, path, number, lines) })
}

// add packs one file; reason is an index of reasons.
func (p *packer) add(manual, path string, reason int, lines []uint32) {
	p.name = append(append(append(p.name[:0], manual...), '/'), path...)
	same := shared(p.name, p.last)
	out := binary.AppendUvarint(p.packed, uint64(same))
	out = binary.AppendUvarint(out, uint64(len(p.name)-same))
	out = append(out, p.name[same:]...)
	out = binary.AppendUvarint(out, uint64(reason))
	out = binary.AppendUvarint(out, uint64(len(lines)))
	last := uint32(0)
	for _, line := range lines {
		out = binary.AppendVarint(out, int64(line)-int64(last))
		last = line
	}
	p.packed, p.last, p.name = out, p.name, p.last
}

// shared is how many bytes two names have in common at their start.
func shared(a, b []byte) int {
	b = b[:min(len(a), len(b))]
	n := 0
	for n+8 <= len(b) && binary.LittleEndian.Uint64(a[n:]) == binary.LittleEndian.Uint64(b[n:]) {
		n += 8
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

var errPacked = errors.New("the unscanned files are damaged")

// files unpacks the files, all before the first damage.
func (p packedFiles) files() ([]unscannedFile, error) {
	var out []unscannedFile
	last := ""
	for r := (reader{rest: p}); len(r.rest) > 0; {
		same := r.number(len(last))
		name := last[:same] + string(r.bytes(r.number(len(r.rest))))
		reason, n := r.number(len(reasons)-1), r.number(len(r.rest))
		lines := make([]uint32, 0, n)
		line := int64(0)
		for range n {
			line += r.distance()
			lines = append(lines, uint32(line))
		}
		manual, path, ok := strings.Cut(name, "/")
		if r.damaged || !ok {
			return out, errPacked
		}
		out = append(out, unscannedFile{manual, path, reasons[reason], lines})
		last = name
	}
	return out, nil
}

// reader reads numbers and bytes until there is damage; then all are zero.
type reader struct {
	rest    []byte
	damaged bool
}

// number is a number of at most most.
func (r *reader) number(most int) int {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 || x > uint64(max(most, 0)) {
		r.rest, r.damaged = nil, true
		return 0
	}
	r.rest = r.rest[n:]
	return int(x)
}

func (r *reader) distance() int64 {
	x, n := binary.Varint(r.rest)
	if n <= 0 {
		r.rest, r.damaged = nil, true
		return 0
	}
	r.rest = r.rest[n:]
	return x
}

func (r *reader) bytes(n int) []byte {
	n = min(n, len(r.rest))
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}
