package search

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
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

// matched reports whether the sections of the file matched, but were cut.
func (f unscannedFile) matched() bool { return f.Reason != reasonTime }

// packedFiles is a compact encoding of unscanned files: there may be thousands, and few traces are ever asked for
// them. A file is encoded as its manual and reason, the length of the prefix that its path shares with the previous
// path (at most mostShared), the rest of the path, its digest, the number of its lines and the distance of each
// line from the previous one.
type packedFiles []byte

// mostShared is the maximum length of a shared prefix, which limits how much longer than its encoding a path can be.
const mostShared = 255

// filePacking encodes or decodes one file after another.
type filePacking struct {
	*packing
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
	packList(p.packing, &f.Lines, func(line *uint32) {
		step := int(*line - before) // wraps around when packed and again when unpacked
		if p.int(&step); p.reading {
			*line = before + uint32(step)
		}
		before = *line
	})
}

// pack encodes the files that a search left out.
func (l leftOut) pack() packedFiles {
	return encoded(func(to *packing) {
		p := filePacking{packing: to}
		add := func(sections *roaring.Bitmap, reason string) {
			l.run.snap.StartsIn(sections, func(f snapshot.File, lines []uint32) {
				p.file(&unscannedFile{f.Group, f.Path, reason, digest(f.SHA256[:]), lines})
			})
		}
		add(l.cut, l.reason)
		add(l.unexamined, reasonTime)
		for _, f := range l.judged.scope.Lacking {
			p.file(&unscannedFile{ManualID: f.Group, Path: f.Path, Reason: reasonTime})
		}
	}, bytes.Clone)
}

// files decodes the files. It fails if the bytes are damaged.
func (p packedFiles) files() (files []unscannedFile, err error) {
	u := filePacking{packing: &packing{reading: true, in: p}}
	for len(u.in) > 0 {
		var f unscannedFile
		u.file(&f)
		files = append(files, f)
	}
	return files, u.err()
}

// numbers returns the numbers of the fused sections among all that were cut, from 0.
func (l leftOut) numbers() []uint32 {
	ids := l.cut.ToArray()
	out := make([]uint32, 0, len(l.fused))
	for _, id := range l.fused {
		if i, ok := slices.BinarySearch(ids, id); ok {
			out = append(out, uint32(i))
		}
	}
	return out
}

// ordered returns the trace with an order of the matched sections that no strategy listed, by the score of their
// words. This takes as long as a search and few clients need it, so it is computed on first use, in the newest
// snapshot, and kept with the trace in memory. If nothing can be read, the order ends with the fused sections.
func (e *Engine) ordered(ctx context.Context, t *Trace) *Trace {
	t.wait()
	if t.ordered {
		return t
	}
	out := *t
	if err := e.withView(ctx, t, func(view index.View) error {
		out.Order = slices.Concat(t.Order, e.byWords(ctx, t, view.Snapshot))
		return ctx.Err()
	}); err != nil {
		return t
	}
	out.ordered = true
	e.traces.keep(&out)
	return &out
}

// byWords returns the numbers of the cut sections that have a word of the query and are not in the order of the trace
// yet, best first.
func (e *Engine) byWords(ctx context.Context, t *Trace, snap *snapshot.Snapshot) []uint32 {
	numbers, known := t.cutIn(snap), roaring.BitmapOf(t.Order...)
	sections := roaring.New()
	for id, number := range numbers {
		if !known.Contains(number) {
			sections.Add(id)
		}
	}
	if sections.IsEmpty() {
		return nil
	}
	r := run{plan: newPlan(t.Request, Settings{}), snap: snap, logger: e.Logger}
	r.correct(ctx, sections)
	bag := lexical.NewBag(snap, &r.query, wordWeights)
	params := lexical.DefaultParams(text.HasCJK(r.query.Text))
	found := lexical.Search(ctx, snap, sections, bag.Query, params, int(sections.GetCardinality()))
	out := make([]uint32, len(found.Hits))
	for i, h := range found.Hits {
		out[i] = numbers[h.Section]
	}
	return out
}

// cutIn returns the sections that were cut, as ids of a snapshot, with their numbers; it leaves out sections that no
// longer exist.
func (t *Trace) cutIn(snap *snapshot.Snapshot) map[uint32]uint32 {
	out, next := map[uint32]uint32{}, uint32(0)
	for _, f := range t.unscannedFiles() {
		if !f.matched() {
			continue
		}
		for id, i := range startingAt(snap, SectionsOf(snap, f.ManualID, f.Path), f.Lines) {
			out[id] = next + uint32(i)
		}
		next += uint32(len(f.Lines))
	}
	return out
}

// unscannedSection is a section that was not scanned, or a whole file with line 0.
type unscannedSection struct {
	ref    toolset.Ref
	reason string
	rank   uint32 // rank among those that were cut, from 1; 0 for none
}

// unscannedSections lists the unscanned sections: first those that matched, in the order of the trace and then by file,
// then the others by file.
func (t *Trace) unscannedSections() []unscannedSection {
	var cut, others []unscannedSection
	for _, f := range t.unscannedFiles() {
		ref, list := toolset.Ref{ManualID: f.ManualID, Path: f.Path}, &others
		if f.matched() {
			list = &cut
		}
		if f.whole() {
			*list = append(*list, unscannedSection{ref: ref, reason: f.Reason})
		}
		for _, line := range f.Lines {
			ref.StartLine = int(line)
			*list = append(*list, unscannedSection{ref: ref, reason: f.Reason})
		}
	}
	out := make([]unscannedSection, 0, len(cut)+len(others))
	place := func(s *unscannedSection) {
		if s.rank == 0 {
			s.rank = uint32(len(out) + 1)
			out = append(out, *s)
		}
	}
	for _, n := range t.Order {
		place(&cut[n])
	}
	for i := range cut {
		place(&cut[i])
	}
	return append(out, others...)
}

// UnscannedRows lists what a search did not scan, according to its trace: sections that matched, best first, then
// other sections, then whole manuals.
func (e *Engine) UnscannedRows(ctx context.Context, t *Trace) []Row {
	return e.ordered(ctx, t).unscannedRows()
}

func (t *Trace) unscannedRows() []Row {
	var rows []Row
	add := func(ref toolset.Ref, reason string, sections int) {
		ref.Target = "manual"
		rows = append(rows, Row{Ref: &HitRef{Ref: ref}, Reason: reason, Sections: sections})
	}
	for _, s := range t.unscannedSections() {
		add(s.ref, s.reason, 0)
	}
	for _, m := range t.Manuals {
		add(toolset.Ref{ManualID: m.ManualID}, reasonStage, m.Sections)
	}
	if t.beyond() { // only the number of sections beyond the searched part of a collection is known
		add(toolset.Ref{ManualID: t.Part.Ask.Group}, reasonHard, t.Part.Beyond)
		if t.Part.Next != nil {
			rows[len(rows)-1].Cursor = t.Part.Next.Cursor
		}
	}
	return rows
}
