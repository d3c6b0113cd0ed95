package snapshot

import (
	"cmp"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// section decodes row i, which must be in range.
func (g *Segment) section(i uint32) (Section, bool) {
	row := &g.rows[i]
	if row.File >= g.meta.Files {
		g.damage.note(partSections.String(), "row %d refers to no file", i)
		return Section{}, false
	}
	parent := row.Parent
	if parent != None {
		parent += g.base
	}
	return Section{
		ID: g.base + i, Group: g.groups.at(int(row.File)), Path: g.paths.at(int(row.File)),
		Title: g.titles.at(int(i)), Node: NodeKind(row.Node), Level: int(row.Level),
		Start: int(row.Start), End: int(row.End), OwnEnd: int(row.OwnEnd), Body: int(row.Body),
		Parent: parent,
	}, true
}

// place is where a section begins.
type place struct {
	segment    *Segment
	file, line uint32
}

// FileOf returns the file of a live section.
func (s *Snapshot) FileOf(id uint32) (f File, ok bool) {
	g, local, ok := s.locate(id)
	if !ok || g.rows[local].File >= g.meta.Files {
		return File{}, false
	}
	return g.file(int(g.rows[local].File)), true
}

// Starts calls visit for each file that has live sections, with the lines on which these begin, in
// the order of their ids. The next call of visit overwrites lines.
func (s *Snapshot) Starts(sections *roaring.Bitmap, visit func(group, path string, lines []uint32)) {
	s.StartsIn(sections, func(f File, lines []uint32) { visit(f.Group, f.Path, lines) })
}

// StartsIn is like [Snapshot.Starts], but passes the whole [File].
func (s *Snapshot) StartsIn(sections *roaring.Bitmap, visit func(f File, lines []uint32)) {
	var lines []uint32
	var last place
	flush := func() {
		if len(lines) > 0 {
			visit(last.segment.file(int(last.file)), lines)
		}
		lines = lines[:0]
	}
	var ids [256]uint32
	var places [256]place
	for it := sections.ManyIterator(); ; {
		n := it.NextMany(ids[:])
		if n == 0 {
			break
		}
		for _, p := range s.places(ids[:n], places[:0]) {
			if p.segment != last.segment || p.file != last.file {
				flush()
				last = p
			}
			lines = append(lines, p.line)
		}
	}
	flush()
}

// places appends the places where the live sections begin. Rows are far apart in memory, and a loop that does nothing
// else lets the processor load many of them at once.
func (s *Snapshot) places(ids []uint32, out []place) []place {
	for _, id := range ids {
		if g, local, ok := s.locate(id); ok {
			if row := &g.rows[local]; row.File < g.meta.Files {
				out = append(out, place{g, row.File, row.Start})
			}
		}
	}
	return out
}

// file decodes row i of the file table, which must be in range.
func (g *Segment) file(i int) File {
	row := &g.files[i]
	return File{
		Group: g.groups.at(i), Path: g.paths.at(i), Skipped: g.skips.at(i),
		Size: row.Size, ModTime: row.ModTime, ChangeTime: row.ChangeTime,
		Inode: row.Inode, SHA256: row.SHA256,
	}
}

// Files yields the files of the corpus in order of group and path. For a file in several segments,
// it yields the row of the last segment.
func (s *Snapshot) Files() iter.Seq[File] {
	var files []File
	for _, g := range s.segments {
		own := slices.Collect(g.Files())
		if !slices.IsSortedFunc(own, compareFiles) {
			slices.SortStableFunc(own, compareFiles)
		}
		files = merged(files, own)
	}
	return slices.Values(files)
}

// merged merges two sorted lists of files. For a file in both lists it takes the one of b.
func merged(a, b []File) []File {
	if len(a) == 0 {
		return b
	}
	out := make([]File, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		order := compareFiles(a[0], b[0])
		if order < 0 {
			out, a = append(out, a[0]), a[1:]
			continue
		}
		if order == 0 {
			a = a[1:]
		}
		out, b = append(out, b[0]), b[1:]
	}
	return append(append(out, a...), b...)
}

// Files yields the files of the segment that are not deleted, in their order.
func (g *Segment) Files() iter.Seq[File] {
	return func(yield func(File) bool) {
		for i := range g.files {
			if g.holds(i) && !yield(g.file(i)) {
				return
			}
		}
	}
}

func compareFiles(a, b File) int {
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Path, b.Path))
}
