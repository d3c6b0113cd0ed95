package snapshot

import (
	"context"
	"slices"
	"strings"
)

// Merge adds the files of segments that are not deleted, in order of group and path, with their
// sections and keywords. The result is the same as if a Writer had read the files again. A file that
// continues in a later segment is continued in the Writer. The segments must stay open until the
// Writer has ended.
func (w *Writer) Merge(ctx context.Context, segments ...*Segment) error {
	type source struct {
		copier
		row int
		File
	}
	var files []source
	for _, g := range segments {
		c := copier{g, g.ownKeywords()}
		for i := range g.files {
			if g.holds(i) {
				files = append(files, source{c, i, g.file(i)})
			}
		}
		if g.info.Created.Before(w.created) {
			w.created = g.info.Created
		}
	}
	slices.SortStableFunc(files, func(a, b source) int { return compareFiles(a.File, b.File) })
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.copy(w, f.row)
	}
	return nil
}

// copier copies files of a segment; keywords are by local section id.
type copier struct {
	segment  *Segment
	keywords map[uint32][]string
}

func (c copier) copy(w *Writer, row int) {
	g, first := c.segment, w.Len()
	w.AddFile(g.file(row))
	from := g.files[row].First
	to := min(from+g.files[row].Count, g.Len())
	texts := make([]string, len(g.sources))
	for i := from; i < to; i++ {
		sec, ok := g.section(i)
		if !ok {
			continue
		}
		if sec.Parent != None {
			sec.Parent += first - from - g.base
		}
		for f := range texts {
			texts[f] = g.sources[f].at(int(i))
		}
		w.Add(sec, texts, c.keywords[i]...)
	}
}

// ownKeywords returns the keywords by section, without those that a Writer adds to every section.
func (g *Segment) ownKeywords() map[uint32][]string {
	out := map[uint32][]string{}
	for raw, offset := range g.keywords.entries("") {
		key := string(raw)
		if strings.HasPrefix(key, "group:") || strings.HasPrefix(key, "file:") {
			continue
		}
		for it := g.bitmapAt(offset).Iterator(); it.HasNext(); {
			id := it.Next()
			out[id] = append(out[id], key)
		}
	}
	return out
}
